// SPDX-License-Identifier: MIT
// Counts and comparisons of worlds of which each is a lane of a band (Band::lanes_are_worlds): bit-sliced, so
// that one operation serves all worlds of a vector and no bit is extracted.
//
// Include by strided.h, inside its unnamed namespace, after the definitions that it requires.
#ifndef MOOREA_KERNELS_STEP_LANES_H
#define MOOREA_KERNELS_STEP_LANES_H

constexpr int max_count_planes = 64;

// Full adder: returns the sum's digit and stores the carry.
static inline word add3(word a, word b, word c, word* carry) {
  *carry = majority(a, b, c);
  return a ^ b ^ c;
}

// Adder of vectors of weight 8. Plane p from 3 on is sum[p], and waiting[p] if bit p - 3 of `added` is set: a
// pair of vectors of a weight and the sum are added together, one full adder for each pair.
struct LaneCounter {
  word sum[max_count_planes];
  word waiting[max_count_planes];
  std::uint64_t added;
};

static inline void add_eights(LaneCounter* counter, word carry) {
  int plane = 3;
  for (std::uint64_t n = counter->added++; (n & 1) != 0; n >>= 1, ++plane) {
    word next;
    counter->sum[plane] = add3(counter->sum[plane], counter->waiting[plane], carry, &next);
    carry = next;
  }
  counter->waiting[plane] = carry;
}

// Adds eight vectors to the planes of weight 1, 2 and 4 of the counter: Harley and Seal's tree of carry-save
// adders (Warren, "Hacker's Delight", 5-1).
static inline void add_vectors(LaneCounter* counter, const word* v) {
  word twos_a, twos_b, fours_a, fours_b, eights;
  word ones = counter->sum[0], twos = counter->sum[1];
  ones = add3(ones, v[0], v[1], &twos_a);
  ones = add3(ones, v[2], v[3], &twos_b);
  twos = add3(twos, twos_a, twos_b, &fours_a);
  ones = add3(ones, v[4], v[5], &twos_a);
  counter->sum[0] = add3(ones, v[6], v[7], &twos_b);
  counter->sum[1] = add3(twos, twos_a, twos_b, &fours_b);
  counter->sum[2] = add3(counter->sum[2], fours_a, fours_b, &eights);
  add_eights(counter, eights);
}

static void count_lanes(const Band& band, std::byte* planes, int count) {
  LaneCounter counter;
  counter.added = 0;
  for (int plane = 0; plane < max_count_planes; ++plane) counter.sum[plane] = spread(0);
  for (std::int64_t y = 0; y < band.height; ++y) {
    const word* const row = reinterpret_cast<const word*>(band_row(band, y, word_bytes));
    std::int64_t j = 0;
    for (; j + 8 <= band.stride; j += 8) add_vectors(&counter, row + j);
    if (j == band.stride) continue;
    word rest[8];
    for (int i = 0; i < 8; ++i) rest[i] = j + i < band.stride ? row[j + i] : spread(0);
    add_vectors(&counter, rest);
  }
  word* const to = reinterpret_cast<word*>(planes);
  word carry = spread(0);
  for (int plane = 0; plane < count; ++plane) {
    const bool waits = plane >= 3 && (counter.added >> (plane - 3) & 1) != 0;
    to[plane] = add3(counter.sum[plane], waits ? counter.waiting[plane] : spread(0), carry, &carry);
  }
}

static void compare_lanes(const Band& band, const std::byte* saved, std::byte* differing) {
  const word* before = reinterpret_cast<const word*>(saved);
  word different = *reinterpret_cast<const word*>(differing);
  for (std::int64_t y = 0; y < band.height && !is_full(different); ++y, before += band.stride) {
    const word* const row = reinterpret_cast<const word*>(band_row(band, y, word_bytes));
    for (std::int64_t j = 0; j < band.stride; ++j) different = different | (row[j] ^ before[j]);
  }
  *reinterpret_cast<word*>(differing) = different;
}

#endif
