// SPDX-License-Identifier: MIT
#include "ensembles/gpu_batches.h"

#include <algorithm>

#include "ensembles/team_loop.h"

namespace moorea {

void GpuBatches::add(const std::vector<LaneBoard*>& boards, std::uint64_t worlds) {
  const WorldSpec& world = boards.front()->world();
  const auto words = static_cast<std::size_t>(world.width * world.height);
  const std::uint64_t first = groups_.empty() ? 0 : groups_.back().first + groups_.back().worlds;
  groups_.push_back({boards, make_gpu_lanes(device_, world, std::ssize(boards)),
                     std::vector<std::uint64_t>(words * boards.size()), words, first, worlds});
}

void GpuBatches::update_gpu() {
  if (is_gpu_current_) return;
  for (Group& group : groups_) {
    for_each_part(threads_, group.boards.size(), [&](std::size_t i) {
      group.boards[i]->copy_to(reinterpret_cast<std::byte*>(&group.staging[i * group.array_words]));
    });
    group.lanes->write(group.staging.data());
  }
  is_gpu_current_ = true;
}

void GpuBatches::advance(std::uint64_t generations) {
  update_gpu();
  are_boards_current_ = false;
  for (Group& group : groups_) group.lanes->advance(generations);
}

bool GpuBatches::counts() const {
  return std::all_of(groups_.begin(), groups_.end(),
                     [](const Group& group) { return group.lanes->max_counted() > 0; });
}

void GpuBatches::advance_counting(std::uint64_t generations, std::uint64_t worlds,
                                  std::uint64_t* populations) {
  update_gpu();
  are_boards_current_ = false;
  for (Group& group : groups_) {
    const std::size_t lanes = 64 * group.boards.size();
    for (std::uint64_t done = 0; done < generations;) {
      const std::uint64_t now = std::min(generations - done, group.lanes->max_counted());
      const LaneCounts counts = group.lanes->advance_counting(now);
      for_each_part(threads_, now, [&](std::size_t g) {
        std::visit(
            [&](const auto& counted) {
              std::copy_n(counted.begin() + static_cast<std::ptrdiff_t>(g * lanes), group.worlds,
                          populations + (done + g) * worlds + group.first);
            },
            counts);
      });
      done += now;
    }
  }
}

void GpuBatches::update_boards() {
  if (are_boards_current_) return;
  for (Group& group : groups_) {
    group.lanes->read(group.staging.data());
    for_each_part(threads_, group.boards.size(), [&](std::size_t i) {
      group.boards[i]->copy_from(reinterpret_cast<const std::byte*>(&group.staging[i * group.array_words]));
    });
  }
  are_boards_current_ = true;
}

}  // namespace moorea
