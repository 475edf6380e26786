// SPDX-License-Identifier: MIT
// 64 lanes and up to 64 columns form a square of bits, which is transposed. If few of the 64 lanes are
// wanted, their bits are copied one by one, which costs about as much for 12 lanes as a transposition.
#include "ensembles/lane_view.h"

#include <algorithm>
#include <bit>

#include "model/bits.h"
#include "model/transpose.h"

namespace moorea {
namespace {

constexpr std::size_t max_single_lanes = 12;

// Lanes of one 64-bit word of each vector, with the index of the first of them in a list of lanes.
struct PartLanes {
  int part;
  std::size_t first;
  std::span<const int> lanes;
};

template <class Visit>
void for_parts(std::span<const int> lanes, const Visit& visit) {
  for (std::size_t first = 0; first < lanes.size();) {
    std::size_t last = first;
    while (last < lanes.size() && lanes[last] / 64 == lanes[first] / 64) ++last;
    visit(PartLanes{lanes[first] / 64, first, lanes.subspan(first, last - first)});
    first = last;
  }
}

// Up to 64 adjacent cells of one row: word `word` of a packed row.
struct Piece {
  std::uint64_t* bits;  // 64-bit word of the part in the first column's vector
  std::int64_t y, word;
  std::int64_t columns;
};

template <class Visit>
void for_pieces(const LaneView& view, int part, const Visit& visit) {
  for (std::int64_t y = 0; y < view.size.height; ++y) {
    for (std::int64_t x = 0; x < view.size.width; x += 64) {
      visit(Piece{view.at(x, y) + part, y, x / 64, std::min<std::int64_t>(view.size.width - x, 64)});
    }
  }
}

void read_some(const LaneView& view, const PartLanes& some, std::vector<Grid>& worlds) {
  for_pieces(view, some.part, [&](const Piece& piece) {
    for (std::size_t i = 0; i < some.lanes.size(); ++i) {
      const int bit = some.lanes[i] % 64;
      std::uint64_t cells = 0;
      for (std::int64_t j = 0; j < piece.columns; ++j) {
        cells |= (piece.bits[j * view.vector] >> bit & 1) << j;
      }
      worlds[some.first + i].row(piece.y)[piece.word] = cells;
    }
  });
}

void read_many(const LaneView& view, const PartLanes& many, std::vector<Grid>& worlds) {
  for_pieces(view, many.part, [&](const Piece& piece) {
    std::uint64_t square[64] = {};
    for (std::int64_t j = 0; j < piece.columns; ++j) square[j] = piece.bits[j * view.vector];
    transpose(square, 64);
    for (std::size_t i = 0; i < many.lanes.size(); ++i) {
      worlds[many.first + i].row(piece.y)[piece.word] = square[many.lanes[i] % 64];
    }
  });
}

void write_some(const LaneView& view, const PartLanes& some, std::span<const Grid> worlds) {
  for_pieces(view, some.part, [&](const Piece& piece) {
    for (std::size_t i = 0; i < some.lanes.size(); ++i) {
      const int bit = some.lanes[i] % 64;
      const std::uint64_t cells = worlds[some.first + i].row(piece.y)[piece.word];
      for (std::int64_t j = 0; j < piece.columns; ++j) {
        std::uint64_t& bits = piece.bits[j * view.vector];
        bits = (bits & ~(std::uint64_t{1} << bit)) | (cells >> j & 1) << bit;
      }
    }
  });
}

void write_many(const LaneView& view, const PartLanes& many, std::span<const Grid> worlds) {
  std::uint64_t written = 0;
  for (const int lane : many.lanes) written |= std::uint64_t{1} << lane % 64;
  for_pieces(view, many.part, [&](const Piece& piece) {
    std::uint64_t square[64] = {};
    for (std::size_t i = 0; i < many.lanes.size(); ++i) {
      square[many.lanes[i] % 64] = worlds[many.first + i].row(piece.y)[piece.word];
    }
    transpose(square, 64);
    for (std::int64_t j = 0; j < piece.columns; ++j) {
      std::uint64_t& bits = piece.bits[j * view.vector];
      bits = (bits & ~written) | square[j];
    }
  });
}

}  // namespace

std::vector<int> LaneSet::lanes() const {
  std::vector<int> list;
  for (std::size_t part = 0; part < words_.size(); ++part) {
    for (std::uint64_t left = words_[part]; left != 0; left &= left - 1) {
      list.push_back(static_cast<int>(part) * 64 + std::countr_zero(left));
    }
  }
  return list;
}

LaneSet LaneSet::first(int lanes) {
  LaneSet set;
  for (int lane = 0; lane < lanes; ++lane) set.add(lane);
  return set;
}

LaneSet LaneSet::without(const LaneSet& others) const {
  LaneSet set;
  for (std::size_t part = 0; part < words_.size(); ++part) {
    set.words_[part] = words_[part] & ~others.words_[part];
  }
  return set;
}

std::vector<Grid> read_lanes(const LaneView& view, std::span<const int> lanes) {
  std::vector<Grid> worlds;
  worlds.reserve(lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) worlds.emplace_back(view.size.width, view.size.height);
  for_parts(lanes, [&](const PartLanes& part) {
    if (part.lanes.size() <= max_single_lanes) {
      read_some(view, part, worlds);
    } else {
      read_many(view, part, worlds);
    }
  });
  return worlds;
}

void write_lanes(const LaneView& view, std::span<const int> lanes, std::span<const Grid> worlds) {
  for_parts(lanes, [&](const PartLanes& part) {
    if (part.lanes.size() <= max_single_lanes) {
      write_some(view, part, worlds);
    } else {
      write_many(view, part, worlds);
    }
  });
}

void copy_lanes(const LaneView& from, const LaneView& to, const LaneSet& lanes) {
  for (std::int64_t y = 0; y < from.size.height; ++y) {
    const std::uint64_t* source = from.at(0, y);
    std::uint64_t* target = to.at(0, y);
    for (std::int64_t x = 0; x < from.size.width; ++x) {
      for (int part = 0; part < from.vector; ++part, ++source, ++target) {
        *target ^= (*target ^ *source) & lanes.word(part);
      }
    }
  }
}

}  // namespace moorea
