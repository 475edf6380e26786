// SPDX-License-Identifier: MIT
#include "ensembles/gpu_batches.h"

#include "ensembles/team_loop.h"

namespace moorea {

void GpuBatches::add(const std::vector<LaneBoard*>& boards) {
  const WorldSpec& world = boards.front()->world();
  const auto words = static_cast<std::size_t>(world.width * world.height);
  groups_.push_back({boards, make_gpu_lanes(device_, world, std::ssize(boards)),
                     std::vector<std::uint64_t>(words * boards.size()), words});
}

void GpuBatches::advance(std::uint64_t generations) {
  for (Group& group : groups_) {
    if (!is_gpu_current_) {
      for_each_part(threads_, group.boards.size(), [&](std::size_t i) {
        group.boards[i]->copy_to(reinterpret_cast<std::byte*>(&group.staging[i * group.array_words]));
      });
      group.lanes->write(group.staging.data());
    }
    group.lanes->advance(generations);
  }
  is_gpu_current_ = true;
  are_boards_current_ = false;
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
