// SPDX-License-Identifier: MIT
// Cells of a SplitBoard, which lie in its parts.
#include <algorithm>

#include "boards/packed_rows.h"
#include "boards/split_board.h"

namespace moorea {

// Calls load(band, own, at) for each part: the box of its cells, from the first one of `cells` on, and where
// they are in the band.
template <class Load>
void SplitBoard::load_parts(const Box& cells, const Load& load) {
  cells_replaced();
  for_each_part([&](std::size_t i) {
    const Part& part = parts_[i];
    const Box own = intersect(cells, part.rows);
    load(part.band(), own.translated({-cells.x, -cells.y}), Position{own.x, own.y - part.rows.y});
  });
}

void SplitBoard::load(const Grid& cells, Position at) {
  load_parts({at.x, at.y, cells.width(), cells.height()},
             [&](BandBoard& band, const Box& own, Position to) { band.load(cells.crop(own), to); });
}

void SplitBoard::load_states(const Cells& cells, Position at) {
  load_parts({at.x, at.y, cells.width(), cells.height()},
             [&](BandBoard& band, const Box& own, Position to) { band.load_states(cells.crop(own), to); });
}

// Calls write(band, top, rows, at) for each part in which rows of `cells` are: from row `top` of them on, and
// where the first one begins in the band.
template <class Write>
void SplitBoard::write_parts(const Box& cells, const Write& write) {
  cells_replaced();
  for (const Part& part : parts_) {
    const std::int64_t top = std::max(cells.y, part.rows.y),
                       bottom = std::min(cells.bottom(), part.rows.bottom());
    if (top < bottom) write(part.band(), top - cells.y, bottom - top, Position{cells.x, top - part.rows.y});
  }
}

void SplitBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  write_parts({at.x, at.y, cells.width, cells.height},
              [&](BandBoard& band, std::int64_t top, std::int64_t rows, Position to) {
                band.write(rows_within(cells, top, rows), to, mode);
              });
}

void SplitBoard::write_states(const Cells& cells, Position at) {
  write_parts({at.x, at.y, cells.width(), cells.height()},
              [&](BandBoard& band, std::int64_t top, std::int64_t rows, Position to) {
                band.write_states(cells.crop({0, top, cells.width(), rows}), to);
              });
}

void SplitBoard::read(const Box& box, const GridView& to) const {
  for (const Part& part : parts_) {
    const std::int64_t top = std::max(box.y, part.rows.y),
                       bottom = std::min(box.bottom(), part.rows.bottom());
    if (top >= bottom) continue;
    part.band().read({box.x, top - part.rows.y, box.width, bottom - top},
                     rows_within(to, top - box.y, bottom - top));
  }
  for (std::int64_t y = box.y; y < box.bottom(); ++y) {
    if (y >= 0 && y < world_.height) continue;
    std::ranges::fill(to.row(y - box.y), 0);
  }
}

Cells SplitBoard::states(const Box& box) const {
  Cells cells(box.width, box.height, world_.rule.states());
  for (const Part& part : parts_) {
    const std::int64_t top = std::max(box.y, part.rows.y),
                       bottom = std::min(box.bottom(), part.rows.bottom());
    if (top >= bottom) continue;
    cells.paste(part.band().states({box.x, top - part.rows.y, box.width, bottom - top}), {0, top - box.y});
  }
  return cells;
}

// A turn that is left out has an even number of generations under a rule of blocks, whose halo is even, so
// that the parts' boards know the phase.
void SplitBoard::set_phase(bool odd) {
  cells_replaced();
  for (const Part& part : parts_) part.band().set_phase(odd);
}

}  // namespace moorea
