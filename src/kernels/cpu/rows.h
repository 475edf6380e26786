// SPDX-License-Identifier: MIT
// A block of packed rows, one vector of words at a time, for any rule: processes strips one vector wide from
// top to bottom, so that each row's sums are computed once and stay in registers for the three rows that need
// them. Include inside an unnamed namespace, after common/bits.h and after defining for the type `word` of
// `lanes` 64-bit words:
//   load(p), store(p, value)                     `lanes` words from p on, aligned or not
//   load_first(p, n), store_first(p, value, n)   the first n of them; the others are 0, or unchanged
#ifndef MOOREA_KERNELS_STEP_ROWS_H
#define MOOREA_KERNELS_STEP_ROWS_H

// A vector as its words, for shifts within each of them.
using Words [[gnu::vector_size(sizeof(word))]] = std::uint64_t;

// Access of a strip: whole vectors, or the remaining words at the end of a row.
struct WholeVector {
  word read(const std::uint64_t* p) const { return load(p); }
  void write(std::uint64_t* p, word value) const { store(p, value); }
};

struct PartOfVector {
  int words;
  word read(const std::uint64_t* p) const { return load_first(p, words); }
  void write(std::uint64_t* p, word value) const { store_first(p, value, words); }
};

template <class Access>
static inline RowSum sums_at(const Access& access, const std::uint64_t* p, word* centre) {
  const word cells = access.read(p);
  *centre = cells;
  const word left = (word)((Words)cells << 1 | (Words)access.read(p - 1) >> 63);
  const word right = (word)((Words)cells >> 1 | (Words)access.read(p + 1) << 63);
  return row_sum(left, cells, right);
}

template <class Access>
static inline void step_strip(const Access& access, const std::uint64_t* from, std::uint64_t* to,
                              std::ptrdiff_t pitch, std::int64_t height, const RulePlanes& rule) {
  word centre, next_centre;
  RowSum above = sums_at(access, from - pitch, &centre);
  RowSum at = sums_at(access, from, &centre);
  for (std::int64_t y = 0; y < height; ++y, from += pitch, to += pitch) {
    const RowSum below = sums_at(access, from + pitch, &next_centre);
    access.write(to, next_state(above, at, below, centre, &rule));
    above = at;
    at = below;
    centre = next_centre;
  }
}

// Strips cover all rows if the block fits in the caches. If it comes from memory, the next strip begins after
// a few rows, while its pages and prefetched lines are still cached: 1.8 times as fast at 16384 x 16384 on a
// Zen 5 EPYC (2026-11), where the cached 4096 x 4096 world loses a fifth by it.
constexpr std::int64_t cached_bytes = std::int64_t{8} << 20;
constexpr std::int64_t strip_rows = 32;

static inline void step_rows(const Block& block) {
  const RulePlanes rule = rule_planes(block.rule.birth, block.rule.survival);
  const std::int64_t words = (block.width + 63) / 64;
  const std::ptrdiff_t pitch = block.pitch / 8;
  const std::int64_t max_rows = block.height * block.pitch <= cached_bytes ? block.height : strip_rows;
  for (std::int64_t y = 0; y < block.height; y += max_rows) {
    const std::int64_t rows = block.height - y < max_rows ? block.height - y : max_rows;
    const std::uint64_t* from = static_cast<const std::uint64_t*>(block.from) + y * pitch;
    std::uint64_t* to = static_cast<std::uint64_t*>(block.to) + y * pitch;
    std::int64_t first = 0;
    for (; first + lanes <= words; first += lanes) {
      step_strip(WholeVector(), from + first, to + first, pitch, rows, rule);
    }
    if (first < words) {
      step_strip(PartOfVector{static_cast<int>(words - first)}, from + first, to + first, pitch, rows, rule);
    }
  }
}

#endif
