// SPDX-License-Identifier: MIT
// Packed rows as in cpu/rows.h, for tiles that report whether they must be computed again: the overwritten
// cells are the tile two generations before, so a tile that writes the same cells is still or has period two.
// If that holds for its neighbours too, it would write the same again next time and can be skipped. Include
// inside an unnamed namespace after cpu/rows.h.
#ifndef MOOREA_KERNELS_STEP_ROWS_LAZY_H
#define MOOREA_KERNELS_STEP_ROWS_LAZY_H

// Whole vectors, and the remaining words at the end of a row, as in cpu/rows.h; they accumulate the
// difference between the written and the overwritten cells.
struct ComparingVector {
  word* difference;
  word read(const std::uint64_t* p) const { return load(p); }
  void write(std::uint64_t* p, word value) const {
    *difference |= load(p) ^ value;
    store(p, value);
  }
};

struct ComparingPart {
  int words;
  word cells;  // all ones up to the row's last cell; cells after it are not compared
  word* difference;
  word read(const std::uint64_t* p) const { return load_first(p, words); }
  void write(std::uint64_t* p, word value) const {
    *difference |= (load_first(p, words) ^ value) & cells;
    store_first(p, value, words);
  }
};

static inline word first_cells(std::int64_t cells) {
  std::uint64_t words[lanes];
  for (int i = 0; i < lanes; ++i) {
    const std::int64_t left = cells - 64 * i;
    words[i] = left >= 64 ? ~std::uint64_t{0} : left <= 0 ? 0 : (std::uint64_t{1} << left) - 1;
  }
  return load(words);
}

static inline bool any(word bits) {
  std::uint64_t words[lanes], all = 0;
  store(words, bits);
  for (const std::uint64_t part : words) all |= part;
  return all != 0;
}

static inline void step_rows_lazy(const Block& block) {
  const RulePlanes rule = rule_planes(block.rule.birth, block.rule.survival);
  const std::ptrdiff_t pitch = block.pitch / 8;
  const auto* from = static_cast<const std::uint64_t*>(block.from);
  auto* to = static_cast<std::uint64_t*>(block.to);
  word difference = spread(0);
  std::int64_t x = 0;
  for (; x + 64 * lanes <= block.width; x += 64 * lanes) {
    step_strip(ComparingVector{&difference}, from + x / 64, to + x / 64, pitch, block.height, rule);
  }
  if (x < block.width) {
    const std::int64_t cells = block.width - x;
    const ComparingPart part{static_cast<int>((cells + 63) / 64), first_cells(cells), &difference};
    step_strip(part, from + x / 64, to + x / 64, pitch, block.height, rule);
  }
  *block.changed = any(difference);
}

#endif
