// SPDX-License-Identifier: MIT
// Several generations in one pass over packed rows. A strip of columns is walked down once; each row that
// comes in lets every level make one row of its generation, a row behind the level before, from the three
// rows it holds: a cascade of small buffers that stay in the first-level cache, while the world is read and
// written once. What a strip lacks at its sides becomes wrong by one cell a generation, inside the word that
// it has there for the purpose. Include it inside an unnamed namespace behind step_bits.h and one of
// step_words*.h.
#ifndef MOOREA_KERNELS_STEP_ROWS_TEMPORAL_H
#define MOOREA_KERNELS_STEP_ROWS_TEMPORAL_H

constexpr int most_levels = 8;
constexpr int strip_words = 64;  // with one on each side that is not written
constexpr int strip_vectors = strip_words / lanes;

using Words [[gnu::vector_size(sizeof(word))]] = std::uint64_t;

// A row of a strip, with room beside it that is read but means nothing.
struct alignas(64) Line {
  std::uint64_t before[8];
  std::uint64_t words[strip_words];
  std::uint64_t behind[8];
};

// What makes one generation from the one before: its last rows, newest last, in turns.
struct Level {
  Line rows[2];
  word ones[3][strip_vectors], twos[3][strip_vectors];  // sums of the last three rows
};

struct Strip {
  std::int64_t first;                             // its first written word in the block
  int words;                                      // that are written
  int vectors;                                    // that hold these and one word on each side
  alignas(64) std::uint64_t inside[strip_words];  // the cells that are not beyond a plane's edge
};

static inline Strip strip_at(const Block& block, std::int64_t first, int words) {
  Strip strip;
  strip.first = first;
  strip.words = words;
  strip.vectors = (words + 2 + lanes - 1) / lanes;
  const std::int64_t width = block.world.width;
  for (int i = 0; i < strip_words; ++i) {
    const std::int64_t x = block.x + 64 * (first - 1 + i), left = width - x;
    const bool all = block.world.torus || (x >= 0 && left >= 64);
    const bool none = x < 0 || left <= 0;
    strip.inside[i] = all ? ~std::uint64_t{0} : none ? 0 : (std::uint64_t{1} << left) - 1;
  }
  return strip;
}

static inline void read_row(const std::uint64_t* from, const Strip& strip, Line* line) {
  const int words = strip.words + 2;
  for (int v = 0; v < strip.vectors; ++v) {
    const int left = words - v * lanes;
    store(line->words + v * lanes,
          left >= lanes ? load(from + v * lanes) : load_first(from + v * lanes, left));
  }
}

static inline void write_row(const Line& line, const Strip& strip, std::uint64_t* to) {
  const std::uint64_t* from = line.words + 1;
  int i = 0;
  for (; i + lanes <= strip.words; i += lanes) store(to + i, load(from + i));
  if (i < strip.words) store_first(to + i, load(from + i), strip.words - i);
}

// Adds up the newest row, number `count` of those that this level has got.
static inline void sum_row(Level* level, int count, int vectors) {
  const std::uint64_t* row = level->rows[count % 2].words;
  for (int v = 0; v < vectors; ++v) {
    const std::uint64_t* p = row + v * lanes;
    const word cells = load(p);
    const word left = (word)((Words)cells << 1 | (Words)load(p - 1) >> 63);
    const word right = (word)((Words)cells >> 1 | (Words)load(p + 1) << 63);
    const RowSum sum = row_sum(left, cells, right);
    level->ones[count % 3][v] = sum.ones;
    level->twos[count % 3][v] = sum.twos;
  }
}

// The next generation of the row before the newest.
static inline void next_row(const Level& level, int count, const Strip& strip, const RulePlanes& rule,
                            Line* next) {
  const int above = (count + 1) % 3, at = (count + 2) % 3, below = count % 3;
  const std::uint64_t* cells = level.rows[(count + 1) % 2].words;
  for (int v = 0; v < strip.vectors; ++v) {
    const word state =
        next_state({level.ones[above][v], level.twos[above][v]}, {level.ones[at][v], level.twos[at][v]},
                   {level.ones[below][v], level.twos[below][v]}, load(cells + v * lanes), &rule);
    store(next->words + v * lanes, state & load(strip.inside + v * lanes));
  }
}

static inline void clear_row(Line* line) {
  for (int v = 0; v < strip_vectors; ++v) store(line->words + v * lanes, spread(0));
}

static inline void step_strip(const Block& block, const Strip& strip, const RulePlanes& rule) {
  const std::ptrdiff_t pitch = block.pitch / 8;
  const std::uint64_t* from = static_cast<const std::uint64_t*>(block.from) + strip.first - 1;
  std::uint64_t* to = static_cast<std::uint64_t*>(block.to) + strip.first;
  const int steps = block.steps;
  Level levels[most_levels];
  Line result;
  for (Level& level : levels) {
    for (Line& line : level.rows) clear_row(&line), line.before[7] = line.behind[0] = 0;
  }
  for (std::int64_t y = -steps; y < block.height + steps; ++y) {
    // The level `g` has got rows since y = 2 * g - steps, and this one is its row number `count`
    const std::int64_t since = y + steps;
    read_row(from + y * pitch, strip, &levels[0].rows[since % 2]);
    for (int g = 0; g < steps && since >= 2 * g; ++g) {
      const int count = static_cast<int>((since - 2 * g) % 6);
      sum_row(&levels[g], count, strip.vectors);
      if (since < 2 * g + 2) break;
      const bool last = g + 1 == steps;
      Line* next = last ? &result : &levels[g + 1].rows[(since - 2 * g - 2) % 2];
      const std::int64_t row = block.y + y - g - 1;
      if (!block.world.torus && (row < 0 || row >= block.world.height)) {
        clear_row(next);
      } else {
        next_row(levels[g], count, strip, rule, next);
      }
      if (last) write_row(result, strip, to + (y - steps) * pitch);
    }
  }
}

static inline void step_rows_temporal(const Block& block) {
  const RulePlanes rule = rule_planes(block.rule.birth, block.rule.survival);
  const std::int64_t words = (block.width + 63) / 64;
  for (std::int64_t first = 0; first < words; first += strip_words - 2) {
    const std::int64_t left = words - first;
    const int written = left < strip_words - 2 ? static_cast<int>(left) : strip_words - 2;
    step_strip(block, strip_at(block, first, written), rule);
  }
}

#endif
