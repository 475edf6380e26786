// SPDX-License-Identifier: MIT
// Word s of a row of the window is that row of square s: leaves are transposed into it, four squares and rows
// at a time with SSE2.
#include "trees/base_steps.h"

#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace moorea {
namespace {

constexpr int square_side = 32, centre_margin = 8, leaf_side = 16;

#ifdef __SSE2__

struct Square4 {
  __m128i rows[4];
};

inline __m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
inline void store(void* to, __m128i value) { _mm_storeu_si128(static_cast<__m128i*>(to), value); }

inline Square4 transposed(const Square4& in) {
  const __m128i a = _mm_unpacklo_epi32(in.rows[0], in.rows[1]),
                b = _mm_unpacklo_epi32(in.rows[2], in.rows[3]);
  const __m128i c = _mm_unpackhi_epi32(in.rows[0], in.rows[1]),
                d = _mm_unpackhi_epi32(in.rows[2], in.rows[3]);
  return {{_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b), _mm_unpacklo_epi64(c, d),
           _mm_unpackhi_epi64(c, d)}};
}

// Rows y to y + 7 of four squares, of which `half` selects the upper or lower leaves.
inline void load_rows(const LeafSquare* squares, int half, int y, std::uint32_t* window, int words) {
  Square4 low, high;
  for (int s = 0; s < 4; ++s) {
    const auto leaf = static_cast<std::size_t>(2 * half);
    const __m128i west = load(squares[s][leaf]->data() + y), east = load(squares[s][leaf + 1]->data() + y);
    low.rows[s] = _mm_unpacklo_epi16(west, east);
    high.rows[s] = _mm_unpackhi_epi16(west, east);
  }
  low = transposed(low);
  high = transposed(high);
  std::uint32_t* const to = window + (leaf_side * half + y) * words;
  for (int i = 0; i < 4; ++i) {
    store(to + i * words, low.rows[i]);
    store(to + (i + 4) * words, high.rows[i]);
  }
}

// The 16 columns in the middle of each row, sign-extended for the packing.
inline __m128i middle(__m128i rows) { return _mm_srai_epi32(_mm_slli_epi32(rows, centre_margin), leaf_side); }

// Rows y to y + 7 of the centres of four squares.
inline void store_rows(const std::uint32_t* window, int words, int y, LeafRows* centres) {
  Square4 low, high;
  for (int i = 0; i < 4; ++i) {
    low.rows[i] = load(window + (centre_margin + y + i) * words);
    high.rows[i] = load(window + (centre_margin + y + i + 4) * words);
  }
  low = transposed(low);
  high = transposed(high);
  for (int s = 0; s < 4; ++s)
    store(centres[s].data() + y, _mm_packs_epi32(middle(low.rows[s]), middle(high.rows[s])));
}

void load_squares(const LeafSquare* squares, int count, std::uint32_t* window, int words) {
  constexpr LeafRows dead{};
  for (int s = 0; s < count; s += 4) {
    LeafSquare four[4];
    for (int i = 0; i < 4; ++i)
      four[i] = s + i < count ? squares[s + i] : LeafSquare{&dead, &dead, &dead, &dead};
    for (const int half : {0, 1})
      for (const int y : {0, 8}) load_rows(four, half, y, window + s, words);
  }
}

void store_squares(const std::uint32_t* window, int words, int count, LeafRows* centres) {
  for (int s = 0; s < count; s += 4) {
    LeafRows four[4];
    for (const int y : {0, 8}) store_rows(window + s, words, y, four);
    for (int i = 0; i < 4 && s + i < count; ++i) centres[s + i] = four[i];
  }
}

#endif

void load_squares_by_word(const LeafSquare* squares, int count, std::uint32_t* window, int words) {
  for (int s = 0; s < count; ++s) {
    for (int y = 0; y < square_side; ++y) {
      const auto leaf = static_cast<std::size_t>(y / leaf_side * 2),
                 row = static_cast<std::size_t>(y % leaf_side);
      window[y * words + s] =
          (*squares[s][leaf])[row] | static_cast<std::uint32_t>((*squares[s][leaf + 1])[row]) << leaf_side;
    }
  }
}

void store_squares_by_word(const std::uint32_t* window, int words, int count, LeafRows* centres) {
  for (int s = 0; s < count; ++s) {
    for (int y = 0; y < leaf_side; ++y)
      centres[s][static_cast<std::size_t>(y)] =
          static_cast<std::uint16_t>(window[(y + centre_margin) * words + s] >> centre_margin);
  }
}

}  // namespace

void BaseSteps::advance(const LeafSquare* squares, int count, int generations, LeafRows* centres) const {
  const int words = this->squares();
  alignas(64) std::uint32_t window[square_side * max_squares];
#ifdef __SSE2__
  const bool in_vectors = words >= 4;
  if (in_vectors) load_squares(squares, count, window, words);
#else
  const bool in_vectors = false;
#endif
  if (!in_vectors) load_squares_by_word(squares, count, window, words);
  for (int g = 1; g <= generations; ++g) {
    const WindowStep& step = steps_[static_cast<std::size_t>(g - 1) % 2];
    step.step(step.rule, window, g, square_side - g);
  }
#ifdef __SSE2__
  if (in_vectors) store_squares(window, words, count, centres);
#endif
  if (!in_vectors) store_squares_by_word(window, words, count, centres);
}

}  // namespace moorea
