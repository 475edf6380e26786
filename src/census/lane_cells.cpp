// SPDX-License-Identifier: MIT
// The loops over words are compiled for vectors of all widths, because the boards of all lanes pass through
// them.
#include "census/lane_cells.h"

#include <array>
#include <bit>

namespace moorea {
namespace {

// The dynamic loader (glibc's) chooses a clone before the thread sanitizer's run-time library is ready, and
// the code that it runs for this is sanitized, too.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MOOREA_ONE_CLONE
#endif
#endif
#if defined(__SANITIZE_THREAD__) || !defined(__GLIBC__) || !defined(__x86_64__)
#define MOOREA_ONE_CLONE
#endif

#if !defined(MOOREA_ONE_CLONE)
#define MOOREA_LANE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MOOREA_LANE_CLONES
#endif

constexpr int max_words = max_lanes / 64;
using Words = std::array<std::uint64_t, max_words>;

Words words_of(const LaneSet& lanes) {
  Words words{};
  for (int part = 0; part < max_words; ++part) words[static_cast<std::size_t>(part)] = lanes.word(part);
  return words;
}

// Words of each vector of the widest kernel that have a live cell in the lanes of `mask`, as bits.
MOOREA_LANE_CLONES void find_live(const std::uint64_t* vectors, std::int64_t count, const std::uint64_t* mask,
                                  std::uint8_t* alive) {
  for (std::int64_t i = 0; i < count; ++i) {
    unsigned words = 0;
    for (int part = 0; part < max_words; ++part)
      words |= static_cast<unsigned>((vectors[i * max_words + part] & mask[part]) != 0) << part;
    alive[i] = static_cast<std::uint8_t>(words);
  }
}

MOOREA_LANE_CLONES void unite_vectors(const std::uint64_t* vectors, std::int64_t count, std::uint64_t* all) {
  std::uint64_t sum[max_words] = {};
  for (std::int64_t i = 0; i < count; ++i) {
    for (int part = 0; part < max_words; ++part) sum[part] |= vectors[i * max_words + part];
  }
  for (int part = 0; part < max_words; ++part) all[part] |= sum[part];
}

MOOREA_LANE_CLONES void clear_vectors(std::uint64_t* vectors, std::int64_t count, const std::uint64_t* mask) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (int part = 0; part < max_words; ++part) vectors[i * max_words + part] &= ~mask[part];
  }
}

}  // namespace

void append_live_cells(const LaneView& view, const LaneSet& lanes, std::span<CellList> by_lane) {
  const Words mask = words_of(lanes);
  const auto all_words = static_cast<std::uint8_t>((1 << view.vector) - 1);
  std::vector<std::uint8_t> alive(static_cast<std::size_t>(view.size.width), all_words);
  for (std::int64_t y = 0; y < view.size.height; ++y) {
    if (view.vector == max_words) find_live(view.at(0, y), view.size.width, mask.data(), alive.data());
    for (std::int64_t x = 0; x < view.size.width; ++x) {
      for (unsigned words = alive[static_cast<std::size_t>(x)]; words != 0; words &= words - 1) {
        const int part = std::countr_zero(words);
        for (std::uint64_t left = view.at(x, y)[part] & mask[static_cast<std::size_t>(part)]; left != 0;
             left &= left - 1)
          by_lane[static_cast<std::size_t>(part * 64 + std::countr_zero(left))].push_back({x, y});
      }
    }
  }
}

void clear_lanes(const LaneView& view, const LaneSet& lanes) {
  const Words mask = words_of(lanes);
  for (std::int64_t y = 0; y < view.size.height; ++y) {
    std::uint64_t* const row = view.at(0, y);
    if (view.vector == max_words) {
      clear_vectors(row, view.size.width, mask.data());
      continue;
    }
    for (std::int64_t i = 0; i < view.size.width * view.vector; ++i)
      row[i] &= ~mask[static_cast<std::size_t>(i % view.vector)];
  }
}

LaneSet lanes_at_border(const LaneView& view, std::int64_t columns) {
  Words all{};
  const auto add = [&](std::int64_t x, std::int64_t y, std::int64_t count) {
    const std::uint64_t* const vectors = view.at(x, y);
    if (view.vector == max_words) {
      unite_vectors(vectors, count, all.data());
      return;
    }
    for (std::int64_t i = 0; i < count * view.vector; ++i)
      all[static_cast<std::size_t>(i % view.vector)] |= vectors[i];
  };
  for (std::int64_t y = 0; y < view.size.height; ++y) {
    if (y < columns || y >= view.size.height - columns) {
      add(0, y, view.size.width);
    } else {
      add(0, y, columns);
      add(view.size.width - columns, y, columns);
    }
  }
  LaneSet set;
  for (int part = 0; part < view.vector; ++part) set.set_word(part, all[static_cast<std::size_t>(part)]);
  return set;
}

}  // namespace moorea
