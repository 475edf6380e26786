// SPDX-License-Identifier: MIT
#include "boards/states_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "boards/row_summary.h"
#include "boards/states_bands.h"
#include "logic/state_lookups.h"
#include "model/hash.h"
#include "model/paste.h"
#include "moorea/larger_than_life.h"
#include "moorea/transitions.h"

namespace moorea {
namespace {

kernels::LookupTables tables_of(const StateLookups& lookups) {
  kernels::LookupTables tables;
  tables.number = static_cast<int>(std::ssize(lookups.cells));
  for (std::size_t i = 0; i < lookups.cells.size(); ++i) {
    tables.cells[i] = lookups.cells[i];
    tables.codes[i] = static_cast<std::int32_t>(lookups.codes(i));
  }
  for (std::size_t i = 0; i < lookups.begins.size(); ++i)
    tables.nodes[i] = lookups.nodes.data() + lookups.begins[i];
  tables.results = lookups.results.data();
  return tables;
}

// The tables that a kernel reads; null: none.
std::shared_ptr<const StateLookups> lookups_for(const kernels::Kernel& kernel, const Rule& rule) {
  const std::int64_t max_bytes = std::get<kernels::StatesContract>(kernel.contract).max_table_bytes;
  return rule.transitions() == nullptr || max_bytes == 0 ? nullptr
                                                         : state_lookups(rule, rule.states(), max_bytes);
}

// Points into the rule and into the tables, which may be null.
kernels::TransitionTree tree_of(const Rule& rule, const StateLookups* lookups) {
  if (rule.transitions() == nullptr) return {};
  const Transitions::Tree& tree = rule.transitions()->tree();
  return {tree.nodes.data(), tree.root, tree.states, tree.corners,
          lookups == nullptr ? kernels::LookupTables() : tables_of(*lookups)};
}

// Points into `runs` and `limits`.
kernels::WideCounts counts_of(const Rule& rule, std::vector<kernels::NeighbourRun>& runs,
                              std::vector<kernels::CountLimit>& limits) {
  const LargerThanLife* const counts = rule.larger_than_life();
  if (counts == nullptr) return {};
  for (const auto& [dy, first, last] : counts->runs()) runs.push_back({dy, first, last});
  for (const auto& [count, birth, survival] : counts->limits()) limits.push_back({count, birth, survival});
  return {runs.data(), std::ssize(runs), limits.data(), std::ssize(limits), counts->neighbours() + 1};
}

// Of a thread.
double kernel_scratch_bytes(const kernels::Kernel& kernel, const StateRowForm& form,
                            const kernels::WideCounts& counts) {
  const auto bytes = std::get<kernels::StatesContract>(kernel.contract).scratch_bytes;
  return bytes == nullptr ? 0 : static_cast<double>(bytes(counts, form.reach(), form.columns()));
}

double memory_bytes(const kernels::Kernel& kernel, const Rule& rule) {
  const auto bytes = std::get<kernels::StatesContract>(kernel.contract).memory_bytes;
  if (bytes == nullptr) return 0;
  const auto lookups = lookups_for(kernel, rule);
  return static_cast<double>(bytes(tree_of(rule, lookups.get())));
}

}  // namespace

double StatesBoard::bytes(const kernels::Kernel& kernel, const WorldSpec& world, int threads) {
  const StateRowForm form(kernel, world.width, world.rule);
  const StateBands bands = bands_for(form, world.height, kernel.max_steps, threads);
  const double rows = 2 * static_cast<double>(world.height + bands.spare_rows()) +
                      static_cast<double>(threads * bands.scratch_rows());
  std::vector<kernels::NeighbourRun> runs;
  std::vector<kernels::CountLimit> limits;
  return static_cast<double>(form.row_bytes()) * rows + memory_bytes(kernel, world.rule) +
         threads * kernel_scratch_bytes(kernel, form, counts_of(world.rule, runs, limits));
}

StatesBoard::StatesBoard(const WorldSpec& world, const BoundKernel& kernel, int threads)
    : Board(world),
      form_(*kernel.kernel, world.width, world.rule),
      binding_(std::get<kernels::StatesBinding>(kernel.binding)),
      code_(kernel.code),
      bands_(bands_for(form_, world.height, kernel.kernel->max_steps, threads)),
      row_bytes_(form_.row_bytes()),
      buffers_{make_buffer(), make_buffer()},
      team_size_(threads, state_word_seconds) {
  for (int i = 0; i < threads; ++i)
    scratch_.emplace_back(static_cast<double>(row_bytes_ * bands_.scratch_rows()), "bands of rows");
  shape_ = {};
  shape_.from_row = shape_.to_row = row_bytes_;
  shape_.reach = form_.reach();
  shape_.width = world_.width;
  shape_.columns = form_.columns();
  shape_.torus = world_.is_torus();
  shape_.states = world_.rule.states();
  shape_.planes = form_.planes();
  shape_.kind = world_.rule.is_wires()                 ? kernels::StateKind::wires
                : world_.rule.has_history()            ? kernels::StateKind::history
                : world_.rule.transitions() != nullptr ? kernels::StateKind::transitions
                                                       : kernels::StateKind::ages;
  shape_.rule = mask_of(world_.rule);
  shape_.table = world_.rule.table() == nullptr ? nullptr : world_.rule.table()->data();
  shape_.code = kernel.step_planes();
  shape_.block_code = kernel.step_blocks();
  lookups_ = lookups_for(*kernel.kernel, world_.rule);
  shape_.tree = tree_of(world_.rule, lookups_.get());
  shape_.counts = counts_of(world_.rule, runs_, limits_);
  if (const double bytes = kernel_scratch_bytes(*kernel.kernel, form_, shape_.counts); bytes > 0)
    for (int i = 0; i < threads; ++i) kernel_scratch_.emplace_back(bytes, "sums of live cells");
  if (const double bytes = memory_bytes(*kernel.kernel, world_.rule); bytes > 0)
    shape_.memory = memory_.emplace(bytes, "neighbourhoods that occurred").begin();
}

StatesBoard::Buffer StatesBoard::make_buffer() const {
  const std::int64_t rows = world_.height + bands_.spare_rows();
  return {Zeroed(static_cast<double>(row_bytes_) * static_cast<double>(rows),
                 fmt::format("{} rows of {} cells", world_.height, world_.width)),
          std::vector<ColumnRange>(static_cast<std::size_t>(world_.height))};
}

// The first column of a row of the world.
std::byte* StatesBoard::row(const Buffer& buffer, std::int64_t y) const {
  return buffer.memory.begin() + y * row_bytes_ + form_.halo_bytes();
}

// Calls body(y, cells) for some rows, with memory for the cells of a row.
template <class Body>
void StatesBoard::for_rows(std::int64_t begin, std::int64_t end, const Body& body) const {
  constexpr std::int64_t words_a_thread = 1024;  // some ten microseconds
  const std::int64_t words = words_for(world_.width) * form_.planes() * (end - begin);
  const auto threads =
      static_cast<int>(std::clamp<std::int64_t>(words / words_a_thread, 1, std::ssize(scratch_)));
  team(threads, [&](int thread, int count) {
    StateDigits cells(world_.width, world_.rule.states());
    const std::int64_t rows = end - begin;
    for (std::int64_t y = begin + rows * thread / count; y < begin + rows * (thread + 1) / count; ++y)
      body(y, cells);
  });
}

void StatesBoard::put_row(std::int64_t y, const StateDigits& cells) {
  Buffer& buffer = buffers_[static_cast<std::size_t>(current_)];
  note_boundary(cells);
  kernels::StateRows rows = shape_;
  rows.has_boundary = has_boundary_;
  rows.to = row(buffer, y);
  form_.put(cells, rows.to);
  binding_.fill_halo_columns(rows, 1);
  buffer.live[static_cast<std::size_t>(y)] = form_.live_columns(rows.to);
}

// Cells in state 6, which never change, have work of their own only in worlds that have any.
void StatesBoard::note_boundary(const StateDigits& cells) {
  if (!world_.rule.has_history() || has_boundary_) return;
  for (std::size_t j = 0; j < cells.row_words(); ++j)
    if ((cells.digit(1)[j] & cells.digit(2)[j]) != 0) has_boundary_ = true;
}

void StatesBoard::load(const Grid& cells, Position at) {
  load_states(Cells(cells, world_.rule.states()), at);
}

void StatesBoard::load_states(const Cells& cells, Position at) {
  const Buffer& current = buffers_[static_cast<std::size_t>(current_)];
  for_rows(0, world_.height, [&](std::int64_t y, StateDigits& row) {
    const std::int64_t from = y - at.y;
    const bool has_cells = from >= 0 && from < cells.height();
    if (!has_cells && current.live[static_cast<std::size_t>(y)].empty()) return;  // all of it is 0
    std::ranges::fill(row.words(), 0);
    for (std::size_t i = 0; i < row.digits() && has_cells; ++i) {
      if (static_cast<int>(i) >= cells.planes()) break;
      const Grid& plane = cells.plane(static_cast<int>(i));
      extract_row(plane.row(from), plane.words_per_row(), -at.x, world_.width, row.digit(i));
    }
    put_row(y, row);
  });
  count_moved(world_.height, words_for(world_.width) * form_.planes());
}

void StatesBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  write_live(cells, at, mode);
}

void StatesBoard::write_states(const Cells& cells, Position at) {
  const Box part = intersect({at.x, at.y, cells.width(), cells.height()}, world_.box());
  if (part.empty()) return;
  const auto* const current = &buffers_[static_cast<std::size_t>(current_)];
  const Grid none(cells.width(), 1);  // digits that only larger states have
  for_rows(part.y, part.bottom(), [&](std::int64_t y, StateDigits& row) {
    form_.get(this->row(*current, y), current->live[static_cast<std::size_t>(y)], row);
    for (std::size_t i = 0; i < row.digits(); ++i) {
      const bool has_digit = static_cast<int>(i) < cells.planes();
      paste_row(PasteMode::replace, has_digit ? cells.plane(static_cast<int>(i)).view() : none.view(),
                has_digit ? y - at.y : 0, at.x, 0, static_cast<std::int64_t>(row.row_words()), row.digit(i));
      row.digit(i)[row.row_words() - 1] &= tail_mask(world_.width);
    }
    put_row(y, row);
  });
  count_moved(2 * part.height, words_for(world_.width) * form_.planes());
}

void StatesBoard::read(const Box& box, const GridView& to) const {
  const Buffer& buffer = buffers_[static_cast<std::size_t>(current_)];
  for_rows(box.y, box.bottom(), [&](std::int64_t y, StateDigits& cells) {
    std::vector<std::uint64_t> live(cells.row_words());
    const bool inside = y >= 0 && y < world_.height && !buffer.live[static_cast<std::size_t>(y)].empty();
    if (inside) {
      form_.get(row(buffer, y), buffer.live[static_cast<std::size_t>(y)], cells);
      for (std::size_t j = 0; j < live.size(); ++j) live[j] = cells.live(j);
    }
    extract_row(live.data(), std::ssize(live), box.x, box.width, to.row(y - box.y).data());
  });
  count_moved(intersect(box, world_.box()).height, words_for(world_.width) * form_.planes());
}

Cells StatesBoard::states(const Box& box) const {
  Cells result(box.width, box.height, world_.rule.states());
  const Buffer& buffer = buffers_[static_cast<std::size_t>(current_)];
  const Box inside = intersect(box, world_.box());
  for_rows(inside.y, inside.bottom(), [&](std::int64_t y, StateDigits& cells) {
    if (buffer.live[static_cast<std::size_t>(y)].empty()) return;
    form_.get(row(buffer, y), buffer.live[static_cast<std::size_t>(y)], cells);
    for (std::size_t i = 0; i < cells.digits(); ++i)
      extract_row(cells.digit(i), static_cast<std::int64_t>(cells.row_words()), box.x, box.width,
                  result.plane(static_cast<int>(i)).row(y - box.y));
  });
  count_moved(inside.height, words_for(world_.width) * form_.planes());
  return result;
}

BoardSummary StatesBoard::summary(const SummaryParts& parts, Position origin) const {
  const Buffer& buffer = buffers_[static_cast<std::size_t>(current_)];
  const SummaryParts of_live = {parts.population, false, parts.bounding_box}, of_digits = {.hash = true};
  RowSummary all(of_live, world_.box(), origin);
  const auto digits = static_cast<std::size_t>(parts.hash ? digits_of(world_.rule.states()) : 0);
  std::vector<RowSummary> hashes(digits, RowSummary(of_digits, world_.box(), origin));
  std::mutex mutex;
  team(static_cast<int>(std::min<std::int64_t>(std::ssize(scratch_), world_.height)), [&](int thread,
                                                                                          int threads) {
    StateDigits cells(world_.width, world_.rule.states());
    std::vector<std::uint64_t> live(cells.row_words());
    RowSummary mine(of_live, world_.box(), origin);
    std::vector<RowSummary> my_hashes(digits, RowSummary(of_digits, world_.box(), origin));
    for (std::int64_t y = world_.height * thread / threads; y < world_.height * (thread + 1) / threads; ++y) {
      if (buffer.live[static_cast<std::size_t>(y)].empty()) continue;
      form_.get(row(buffer, y), buffer.live[static_cast<std::size_t>(y)], cells);
      for (std::size_t j = 0; j < live.size(); ++j) live[j] = cells.live(j);
      mine.add(y, live.data());
      for (std::size_t i = 0; i < digits; ++i) my_hashes[i].add(y, cells.digit(i));
    }
    const std::lock_guard lock(mutex);
    all.merge(mine);
    for (std::size_t i = 0; i < digits; ++i) hashes[i].merge(my_hashes[i]);
  });
  BoardSummary result = all.result();
  // Each state times the hash of the cells in it: of the digits from the highest to the lowest
  for (std::size_t i = digits; i-- > 0;)
    result.hash = hash_add(hash_add(result.hash, result.hash), hashes[i].result().hash);
  return result;
}

}  // namespace moorea
