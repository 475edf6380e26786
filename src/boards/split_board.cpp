// SPDX-License-Identifier: MIT
#include "boards/split_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include "boards/state_rows.h"
#include "boards/tile_trace.h"
#include "model/hash.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// Calls an action unless an earlier one has failed, and keeps what it throws.
template <class Action>
void unless_failed(std::exception_ptr& error, const Action& action) {
  if (error) return;
  try {
    action();
  } catch (...) {
    error = std::current_exception();
  }
}

// Smallest number of squares of `scale` rows that reach row `y`, which may be negative.
std::int64_t squares_until(std::int64_t y, std::int64_t scale) {
  return y <= 0 ? 0 : (y + scale - 1) / scale;
}

}  // namespace

SplitBoard::SplitBoard(const WorldSpec& world, std::int64_t halo, std::span<const SplitPart> parts)
    : Board(world),
      halo_(halo),
      turn_length_(halo_generations()),
      repeated_(parts.size(), world.is_torus()),
      crew_(static_cast<int>(parts.size())) {
  if (parts.size() < 2) throw Error("a divided world has at least two parts", ErrorKind::usage);
  std::vector<std::int64_t> rows;
  for (const SplitPart& part : parts) {
    rows.push_back(part.rows);
    parts_.emplace_back().make = part.make;
  }
  place(rows);
  for (std::size_t i = 0; i < parts_.size(); ++i) make_band(i);
  connect();
}

std::uint64_t SplitBoard::halo_generations() const {
  return static_cast<std::uint64_t>(halo_ / world_.rule.reach());
}

// Sets the rows of the parts, not their boards.
void SplitBoard::place(std::span<const std::int64_t> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < halo_) {
      throw Error(
          fmt::format("part {} of a divided world has {} rows: with a halo of {} rows it needs at least {}",
                      i + 1, rows[i], halo_, halo_),
          ErrorKind::usage);
    }
  }
  if (rows.size() != parts_.size()) {
    throw Error(fmt::format("rows of {} parts for a world of {} parts", rows.size(), parts_.size()),
                ErrorKind::usage);
  }
  const std::int64_t all = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
  if (all != world_.height) {
    throw Error(fmt::format("parts of {} rows do not fill a world of {} rows", all, world_.height),
                ErrorKind::usage);
  }
  const auto divides_blocks = [](std::int64_t part) { return part % 2 != 0; };
  if (world_.rule.blocks() != nullptr &&
      (halo_ % 2 != 0 || std::ranges::any_of(rows.first(rows.size() - 1), divides_blocks))) {
    throw Error("parts of a world under a rule of blocks begin at even rows, and have an even halo",
                ErrorKind::usage);
  }
  std::int64_t y = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].rows = {0, y, world_.width, rows[i]};
    y += rows[i];
  }
}

void SplitBoard::make_band(std::size_t i) {
  Edges edges = Edges::of(world_.topology);
  if (world_.is_torus() || i > 0) edges.top = Edge::external;
  if (world_.is_torus() || i + 1 < parts_.size()) edges.bottom = Edge::external;
  WorldSpec band = world_;
  band.height = parts_[i].rows.height;
  parts_[i].board = std::make_unique<BandBoard>(BandSpec{band, edges, halo_}, parts_[i].make);
  parts_[i].clock = PartClock(parts_[i].board->queue());
}

// Call after parts have new boards.
void SplitBoard::connect() {
  std::vector<BandBoard*> boards;
  for (const Part& part : parts_) boards.push_back(part.board.get());
  exchange_.emplace(halo_, boards);
}

// A part has no board if one could not be made again after a failed move of rows.
BandBoard& SplitBoard::Part::band() const {
  if (board == nullptr)
    throw Error("the cells of a divided world were lost when there was no memory for a part");
  return *board;
}

void SplitBoard::let_rows_move(std::vector<PartSpeed> speeds) {
  // Cells pass through the machine's memory twice; the first move shows how fast
  constexpr double bytes_per_second = 2e9, min_move_seconds = 1e-3;
  Division division{{}, halo_, 0, RowUnits::of(world_.rule)};
  for (const Part& part : parts_) division.rows.push_back(part.rows.height);
  const double bytes = world_.box().area() / 8 * digits_of(world_.rule.states());
  balance_.emplace(std::move(division), std::move(speeds), min_move_seconds + bytes / bytes_per_second);
}

void SplitBoard::move_rows(std::span<const std::int64_t> rows) {
  std::vector<std::int64_t> before;
  for (const Part& part : parts_) before.push_back(part.rows.height);
  const auto [from, to] = std::ranges::mismatch(before, rows);
  if (from == before.end() && to == rows.end()) return;
  const auto first = static_cast<std::size_t>(from - before.begin());
  // Up to the last part that moves or changes
  std::size_t last = before.size() - 1;
  while (last > first && last < rows.size() && before[last] == rows[last]) --last;
  const Box moved = {0, parts_[first].rows.y, world_.width,
                     parts_[last].rows.bottom() - parts_[first].rows.y};
  const Cells cells = states(moved);
  const bool is_odd = phase();
  place(rows);
  try {
    make_again(first, last, cells, is_odd);
  } catch (const Error&) {
    place(before);
    make_again(first, last, cells, is_odd);
    throw;
  }
}

// Makes the boards of some parts again, with cells that begin at the first row of the first one, in an odd or
// even generation.
void SplitBoard::make_again(std::size_t first, std::size_t last, const Cells& cells, bool is_odd) {
  cells_replaced();
  for (std::size_t i = first; i <= last; ++i) {
    if (parts_[i].board != nullptr) {
      earlier_counts_ = earlier_counts_ + tile_counts_of(*parts_[i].board);
      count_bytes(parts_[i].board->bytes_moved());
    }
    parts_[i].board.reset();
  }
  for (std::size_t i = first; i <= last; ++i) make_band(i);
  connect();
  const std::int64_t top = parts_[first].rows.y;
  for_each_part([&](std::size_t i) {
    if (i < first || i > last) return;
    parts_[i].band().load_states(cells.crop(parts_[i].rows.translated({0, -top})), {});
    parts_[i].band().set_phase(is_odd);
  });
}

void SplitBoard::for_each_part(const std::function<void(std::size_t)>& body) const {
  std::vector<std::exception_ptr> errors(parts_.size());
  {
    const std::lock_guard lock(crew_is_used_);
    crew_.run([&](int member, int) {
      const auto part = static_cast<std::size_t>(member);
      try {
        body(part);
      } catch (...) {
        errors[part] = std::current_exception();
      }
    });
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

// Gives the outermost rows to the neighbours and fills the halo with theirs. Returns true instead if the
// whole turn that begins need not be computed. A part that has failed keeps step, since the others wait for
// it.
bool SplitBoard::exchange(std::size_t i, Progress progress, std::exception_ptr& error) {
  PartClock& clock = parts_[i].clock;
  const std::size_t slot = exchange_->next_slot(i);
  unless_failed(error, [&] {
    if (!repeated_.begin(i, slot, parts_[i].band())) {
      exchange_->send(i);
      repeated_.sent(i, slot, exchange_->sends_again(i));
    }
    clock.pause(progress.passed);
  });
  exchange_->pass(i, clock.paused_at());
  const bool is_known = repeated_.repeats(i, slot) && progress.left >= turn_length_ && !error;
  unless_failed(error, [&] {
    exchange_->wait(i);
    clock.resume();
    if (is_known) return clock.leave_out(progress.passed + turn_length_);
    exchange_->receive(i);
    repeated_.remember(i, parts_[i].band());
  });
  return is_known;
}

template <class Body>
void SplitBoard::for_each_timed(std::uint64_t generations, const Body& body) {
  for_each_part([&](std::size_t i) {
    std::exception_ptr error;
    PartClock& clock = parts_[i].clock;
    unless_failed(error, [&] { clock.start({trace_, static_cast<int>(i), parts_[i].rows}); });
    body(i, error);
    std::exception_ptr later;  // of a queue that must be empty nevertheless
    unless_failed(error ? later : error, [&] { clock.finish(generations); });
    if (error) std::rethrow_exception(error);
  });
  for (Part& part : parts_) {
    part.work = part.clock.end();
    part.facts.busy_seconds += part.work.busy_seconds;
    part.facts.idle_seconds += part.work.idle_seconds;
    part.facts.row_generations += static_cast<double>(part.rows.height) * static_cast<double>(generations);
  }
}

void SplitBoard::advance_part(std::size_t i, std::uint64_t generations, std::exception_ptr& error) {
  std::uint64_t exact = exact_;
  for (std::uint64_t passed = 0; passed < generations;) {
    bool is_known = false;  // the rows after this turn are the present ones
    if (exact == 0) {
      is_known = exchange(i, {passed, generations - passed}, error);
      exact = turn_length_;
    }
    const std::uint64_t now = std::min(generations - passed, exact);
    if (!is_known) unless_failed(error, [&] { enqueue(parts_[i].band(), now); });
    exact -= now;
    passed += now;
  }
}

void SplitBoard::advance_all(std::uint64_t generations) {
  for_each_timed(generations, [&](std::size_t part, std::exception_ptr& error) {
    advance_part(part, generations, error);
  });
  const std::uint64_t late = generations - std::min(generations, exact_);  // generations after an exchange
  const std::uint64_t exchanges = (late + turn_length_ - 1) / turn_length_;
  exact_ = late == 0 ? exact_ - generations : exchanges * turn_length_ - late;
}

void SplitBoard::move_if_worth_while(std::uint64_t generations) {
  if (!balance_ || repeated_.is_any_repeating()) return;  // such a part's time says nothing about its speed
  std::vector<PartWork> work;
  for (const Part& part : parts_) work.push_back(part.work);
  const std::optional<Division> better = balance_->add(work, generations);
  if (!better) return;
  const auto begin = std::chrono::steady_clock::now();
  try {
    move_rows(better->rows);
    balance_->moved(*better, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  } catch (const Error&) {
    balance_.reset();  // no memory for other divisions
  }
}

std::uint64_t SplitBoard::advance_comparing() {
  std::vector<std::uint64_t> changed(parts_.size());
  for_each_timed(1, [&](std::size_t i, std::exception_ptr& error) {
    if (exact_ == 0) exchange(i, {0, 0}, error);  // no whole turn may be left out: the changes are counted
    unless_failed(error, [&] { changed[i] = parts_[i].band().advance_comparing(); });
  });
  if (exact_ == 0) exact_ = turn_length_;
  --exact_;
  return std::accumulate(changed.begin(), changed.end(), std::uint64_t{0});
}

BoardSummary SplitBoard::summary(const SummaryParts& wanted, Position origin) const {
  std::vector<BoardSummary> found(parts_.size());
  for_each_part([&](std::size_t i) {
    const Part& part = parts_[i];
    found[i] = part.band().summary(wanted, origin + Position{0, part.rows.y});
    if (found[i].bounding_box) found[i].bounding_box = found[i].bounding_box->translated({0, part.rows.y});
  });
  BoardSummary all;
  for (const BoardSummary& each : found) {
    all.population += each.population;
    all.hash = hash_add(all.hash, each.hash);
    if (each.bounding_box) all.bounding_box = unite(all.bounding_box.value_or(Box()), *each.bounding_box);
  }
  return all;
}

std::vector<std::uint32_t> SplitBoard::density(const Raster& raster) const {
  std::vector<std::uint32_t> squares(static_cast<std::size_t>(raster.columns * raster.rows));
  // Squares across a border are counted by both parts
  std::mutex mutex;
  for_each_part([&](std::size_t i) {
    const Part& part = parts_[i];
    const std::int64_t top = std::max<std::int64_t>(part.rows.y - raster.y, 0) / raster.scale,
                       end =
                           std::min(squares_until(part.rows.bottom() - raster.y, raster.scale), raster.rows);
    if (top >= end) return;
    const std::vector<std::uint32_t> own = part.band().density(
        {raster.x, raster.y + top * raster.scale - part.rows.y, raster.columns, end - top, raster.scale});
    const std::lock_guard lock(mutex);
    std::uint32_t* const to = squares.data() + top * raster.columns;
    for (std::size_t k = 0; k < own.size(); ++k) to[k] += own[k];
  });
  return squares;
}

std::uint64_t SplitBoard::bytes_moved() const {
  std::uint64_t bytes = Board::bytes_moved();
  for (const Part& part : parts_) bytes += part.band().bytes_moved();
  return bytes;
}

bool SplitBoard::record(TileTrace* trace) {
  trace_ = trace;
  return true;
}

std::vector<PartFacts> SplitBoard::parts() const {
  std::vector<PartFacts> all;
  for (const Part& part : parts_) {
    all.push_back(part.facts);
    all.back().y = part.rows.y;
    all.back().rows = part.rows.height;
    if (world_.is_torus() || all.size() < parts_.size())
      all.back().path_below = exchange_->path_below(all.size() - 1);
  }
  return all;
}

TileCounts SplitBoard::tile_counts() const {
  TileCounts all = earlier_counts_;
  for (const Part& part : parts_) all = all + tile_counts_of(part.band());
  return all;
}

}  // namespace moorea
