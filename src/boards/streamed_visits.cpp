// SPDX-License-Identifier: MIT
// How a world that is out of core advances: visits of its bands to the device, in turns.
#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "boards/board_queue.h"
#include "boards/streamed_board.h"
#include "model/bits.h"

namespace moorea {
namespace {

constexpr std::int64_t rows_compared_at_once = 256;
constexpr std::uint64_t turns_at_once = 4;  // so that filling and emptying the pipeline costs little

std::size_t bytes_of_rows(const GridView& rows) {
  return static_cast<std::size_t>(rows.height * rows.words_per_row) * sizeof(std::uint64_t);
}

bool has_no_life(const GridView& rows) {
  return std::all_of(rows.words, rows.words + rows.height * rows.words_per_row,
                     [](std::uint64_t word) { return word == 0; });
}

void copy_rows(const GridView& from, const GridView& to) {
  std::memcpy(to.words, from.words, bytes_of_rows(to));
}

}  // namespace

std::uint64_t StreamedBoard::min_generations() const {
  return turns_at_once * static_cast<std::uint64_t>(spec_.halo);
}

void StreamedBoard::advance(std::uint64_t generations) {
  constexpr std::uint64_t look_interval = 4096;  // generations between two checks for an empty world
  while (generations > 0) {
    // Without B0 an empty world stays empty
    if (generations > look_interval && !world_.rule.births_from_nothing() && population() == 0) return;
    const std::uint64_t now = std::min(generations, look_interval);
    run(now, false);
    generations -= now;
  }
}

std::uint64_t StreamedBoard::advance_comparing() { return run(1, true); }

// Returns the number of cells that changed, if it compares one generation with the next.
std::uint64_t StreamedBoard::run(std::uint64_t generations, bool compares) {
  const auto halo = static_cast<std::uint64_t>(spec_.halo);
  Turns turns;
  turns.number = (generations + halo - 1) / halo;
  turns.last_generations = generations - (turns.number - 1) * halo;
  turns.compares = compares;
  turns.first = schedule_.begin(turns.number);
  if (!std::exchange(borders_current_, false)) {
    for (std::size_t part = 0; part < part_count(); ++part) publish(part, turns.first);
  }
  changed_ = 0;
  crew_.run([&](int member, int) {
    try {
      work(member, turns);
    } catch (...) {
      schedule_.failed(std::current_exception());
    }
  });
  schedule_.rethrow();
  borders_current_ = true;
  return changed_;
}

// The last member has the resident part if it has a thread of its own.
void StreamedBoard::work(int member, const Turns& turns) {
  const auto i = static_cast<std::size_t>(member);
  if (i < boards_.size()) {
    while (const std::optional<Visit> next = schedule_.next()) visit(boards_[i].get(), *next, turns);
    return;
  }
  for (std::uint64_t turn = turns.first; turn < turns.first + turns.number; ++turn) {
    const Visit next = {bands_.size(), turn};
    if (!schedule_.wait_for(next)) return;
    visit(nullptr, next, turns);
  }
}

void StreamedBoard::visit(Board* board, const Visit& visit, const Turns& turns) {
  const bool is_last = visit.turn + 1 == turns.first + turns.number;
  const std::uint64_t generations = is_last ? turns.last_generations : static_cast<std::uint64_t>(spec_.halo);
  if (visit.part == bands_.size()) {
    visit_resident(visit, generations, turns.compares);
  } else if (stays_dead(visit)) {
    const Border next = border(visit.part, visit.turn + 1);
    std::memset(next.first.words, 0, bytes_of_rows(next.first));
    std::memset(next.last.words, 0, bytes_of_rows(next.last));
  } else {
    visit_band(*board, visit, generations, turns.compares);
  }
  schedule_.finished(visit);
}

// Whether a band has no live cell after its turn because nothing lives in it and in its halo.
bool StreamedBoard::stays_dead(const Visit& visit) {
  if (world_.rule.births_from_nothing()) return false;
  Band& band = bands_[visit.part];
  const auto above = schedule_.above(visit.part), below = schedule_.below(visit.part);
  band.is_dead = band.is_dead || has_no_life(host_rows(band.y, band.rows));
  return band.is_dead && !(above && !has_no_life(border(*above, visit.turn).last)) &&
         !(below && !has_no_life(border(*below, visit.turn).first));
}

// The row of a board at which a band begins. The edges of a plane are those of the board; other bands have
// halo rows, beyond which the board may have rows of other bands: like the far side of a halo, those make
// cells wrong that are a row nearer in each generation.
std::int64_t StreamedBoard::row_on_board(std::size_t part) const {
  const Band& band = bands_[part];
  if (world_.is_torus()) return spec_.halo;
  if (band.y == 0) return 0;
  return band.y + band.rows == world_.height ? boards_.front()->world().height - band.rows : spec_.halo;
}

void StreamedBoard::visit_band(Board& board, const Visit& visit, std::uint64_t generations, bool compares) {
  Band& band = bands_[visit.part];
  const std::int64_t top = row_on_board(visit.part);
  const auto put = [&](const GridView& rows, std::int64_t y) {
    write_rows(board, y, rows.height, rows.words);
  };
  if (const auto above = schedule_.above(visit.part)) put(border(*above, visit.turn).last, top - spec_.halo);
  put(host_rows(band.y, band.rows), top);
  if (const auto below = schedule_.below(visit.part)) put(border(*below, visit.turn).first, top + band.rows);
  enqueue(board, generations);
  const Border next = border(visit.part, visit.turn + 1);
  read_rows(board, top, spec_.halo, next.first.words);
  read_rows(board, top + band.rows - spec_.halo, spec_.halo, next.last.words);
  if (compares) {
    changed_ += replace(board, visit.part);
  } else {
    read_rows(board, top, band.rows, host_rows(band.y, band.rows).words);
  }
  finish(board);
  band.is_dead = false;
}

void StreamedBoard::visit_resident(const Visit& visit, std::uint64_t generations, bool compares) {
  const auto fill = [&](const Box& halo, const std::optional<std::size_t>& neighbour,
                        GridView Border::*side) {
    if (neighbour && !halo.empty())
      write_rows(*resident_, halo.y, halo.height, (border(*neighbour, visit.turn).*side).words);
  };
  fill(resident_->halo_above(), schedule_.above(visit.part), &Border::last);
  fill(resident_->halo_below(), schedule_.below(visit.part), &Border::first);
  resident_->halo_filled();
  if (compares) {
    changed_ += resident_->advance_comparing();
  } else {
    enqueue(*resident_, generations);
  }
  publish(visit.part, visit.turn + 1);
}

// Replaces the rows of a band by those of a board and returns the number of cells that differ.
std::uint64_t StreamedBoard::replace(const Board& board, std::size_t part) const {
  const Band& band = bands_[part];
  const std::int64_t top = row_on_board(part);
  std::uint64_t changed = 0;
  for (std::int64_t y = 0; y < band.rows; y += rows_compared_at_once) {
    const GridView before = host_rows(band.y + y, std::min(rows_compared_at_once, band.rows - y));
    Grid now = board.window({0, top + y, world_.width, before.height});
    for (std::int64_t i = 0; i < before.height * words_; ++i)
      changed += popcount(before.words[i] ^ now.row(0)[i]);
    copy_rows(now.view(), before);
  }
  return changed;
}

// Copies the outermost rows of a part for its neighbours, which need them in turn `turn`.
void StreamedBoard::publish(std::size_t part, std::uint64_t turn) {
  const Border to = border(part, turn);
  if (part < bands_.size()) {
    const Band& band = bands_[part];
    copy_rows(host_rows(band.y, spec_.halo), to.first);
    copy_rows(host_rows(band.y + band.rows - spec_.halo, spec_.halo), to.last);
  } else {
    const std::int64_t rows = resident_->world().height;
    read_rows(*resident_, 0, spec_.halo, to.first.words);
    read_rows(*resident_, rows - spec_.halo, spec_.halo, to.last.words);
    finish(*resident_);
  }
}

}  // namespace moorea
