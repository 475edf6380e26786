// SPDX-License-Identifier: MIT
// Temporal blocking: several generations in one pass over packed rows. A strip of columns is processed once
// from top to bottom; for each incoming row, every level computes one row of its generation, one row behind
// the previous level, from the three rows it holds: a cascade of small buffers that stay in the caches, while
// the world is read and written once. Missing neighbours at the sides of a strip invalidate one more cell per
// generation, within the extra word on each side. Include inside an unnamed namespace after common/bits.h and
// one of cpu/ladder/words*.h.
#ifndef MOOREA_KERNELS_STEP_ROWS_TEMPORAL_H
#define MOOREA_KERNELS_STEP_ROWS_TEMPORAL_H

constexpr int max_levels = 8;
constexpr int strip_words = 256;  // including one on each side that is not written
constexpr int rows_ahead = 4;     // prefetched before they are needed
constexpr int strip_vectors = strip_words / lanes;

// A row of a strip, with readable padding of unspecified contents on both sides.
struct alignas(64) Line {
  std::uint64_t all[8 + strip_words + 8];
  std::uint64_t* words() { return all + 8; }
};

// State that computes one generation from the previous one: its last two rows, alternating.
struct Level {
  Line rows[2];
  RowSum sums[3][strip_vectors];  // of the last three rows
};

struct Strip {
  std::int64_t first;  // first written word, in the block
  int words;           // number of written words
  int vectors;         // vectors that hold these and one word on each side
  // Words with cells beyond a plane's edge: on the left, the one with the last cell, and the one after it
  int edges;
  int edge[3];
  std::uint64_t inside[3];  // cells of these words inside the plane
};

static inline Strip strip_at(const Block& block, std::int64_t first, int words) {
  Strip strip;
  strip.first = first;
  strip.words = words;
  strip.vectors = (words + 2 + lanes - 1) / lanes;
  strip.edges = 0;
  for (int i = 0; i < words + 2 && !block.world.torus; ++i) {
    const std::int64_t x = block.x + 64 * (first - 1 + i), left = block.world.width - x;
    if (x >= 0 && left >= 64) continue;
    strip.edge[strip.edges] = i;
    strip.inside[strip.edges++] = x < 0 || left <= 0 ? 0 : (std::uint64_t{1} << left) - 1;
  }
  return strip;
}

static inline void read_row(const std::uint64_t* from, const Strip& strip, Line* line) {
  const int words = strip.words + 2;
  for (int v = 0; v < strip.vectors; ++v) {
    const int left = words - v * lanes;
    store(line->words() + v * lanes,
          left >= lanes ? load(from + v * lanes) : load_first(from + v * lanes, left));
  }
}

// Software prefetch, because strips are too short for the hardware prefetcher to predict the next row.
static inline void prefetch_row(const std::uint64_t* from, int words) {
  for (int i = 0; i < words; i += 8) __builtin_prefetch(from + i);
}

static inline void write_row(Line* line, const Strip& strip, std::uint64_t* to) {
  const std::uint64_t* from = line->words() + 1;
  int i = 0;
  for (; i + lanes <= strip.words; i += lanes) store(to + i, load(from + i));
  if (i < strip.words) store_first(to + i, load(from + i), strip.words - i);
}

static inline RowSum sum_at(const std::uint64_t* p) {
  const word cells = load(p);
  return row_sum(left_of(cells, load(p - 1)), cells, right_of(cells, load(p + 1)));
}

// Adds up the newest row, number `count` of those this level has received, and computes the next generation
// of the row before it. The rule is copied and the pointers are restricted so that the compiler keeps the
// rule in registers and vectorises plain words.
static inline void next_row(Level* level, int count, const Strip& strip, const RulePlanes& rule, Line* next) {
  const int above = (count + 1) % 3, at = (count + 2) % 3, below = count % 3;
  const RowSum *sums_above = level->sums[above], *sums_at = level->sums[at];
  RowSum* __restrict sums = level->sums[below];
  const std::uint64_t* newest = level->rows[count % 2].words();
  const std::uint64_t* before = level->rows[(count + 1) % 2].words();
  std::uint64_t* __restrict to = next->words();
  const RulePlanes planes = rule;
  for (int v = 0; v < strip.vectors; ++v) {
    sums[v] = sum_at(newest + v * lanes);
    const word state = next_state(sums_above[v], sums_at[v], sums[v], load(before + v * lanes), &planes);
    store(to + v * lanes, state);
  }
  for (int i = 0; i < strip.edges; ++i) to[strip.edge[i]] &= strip.inside[i];
}

// Adds up one of the first two rows, after which no next row can be computed yet.
static inline void sum_row(Level* level, int count, const Strip& strip) {
  for (int v = 0; v < strip.vectors; ++v) {
    level->sums[count % 3][v] = sum_at(level->rows[count % 2].words() + v * lanes);
  }
}

static inline void clear_row(Line* line, const Strip& strip) {
  for (int v = 0; v < strip.vectors; ++v) store(line->words() + v * lanes, spread(0));
}

static inline void step_strip(const Block& block, const Strip& strip, const RulePlanes& rule) {
  const std::ptrdiff_t pitch = block.pitch / 8;
  const std::uint64_t* from = static_cast<const std::uint64_t*>(block.from) + strip.first - 1;
  std::uint64_t* to = static_cast<std::uint64_t*>(block.to) + strip.first;
  const int steps = block.steps;
  Level levels[max_levels];
  Line result;
  for (Level& level : levels) {
    for (Line& line : level.rows) line.words()[-1] = line.words()[strip.vectors * lanes] = 0;
  }
  for (std::int64_t y = -steps; y < block.height + steps; ++y) {
    // Level `g` has received rows since y = 2 * g - steps; this one is its row number `count`
    const std::int64_t since = y + steps;
    read_row(from + y * pitch, strip, &levels[0].rows[since % 2]);
    if (y + rows_ahead < block.height + steps) prefetch_row(from + (y + rows_ahead) * pitch, strip.words + 2);
    for (int g = 0; g < steps && since >= 2 * g; ++g) {
      const int count = static_cast<int>((since - 2 * g) % 6);
      if (since < 2 * g + 2) {
        sum_row(&levels[g], count, strip);
        break;
      }
      const bool last = g + 1 == steps;
      Line* next = last ? &result : &levels[g + 1].rows[(since - 2 * g - 2) % 2];
      const std::int64_t row = block.y + y - g - 1;
      next_row(&levels[g], count, strip, rule, next);
      if (!block.world.torus && (row < 0 || row >= block.world.height)) clear_row(next, strip);
      if (last) write_row(&result, strip, to + (y - steps) * pitch);
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
