// SPDX-License-Identifier: MIT
// Next state of one machine word of cells, for any rule. Include after defining the type `word`, which
// supports the bit operations, and `word spread(unsigned bit)`, which copies a bit to all positions. Counts
// are bit planes: bit i of the planes p3 p2 p1 p0 together is the count of cell i. All functions have
// internal linkage because files for different instruction sets include this header. For CUDA define
// MOOREA_STEP with __device__.
#ifndef MOOREA_KERNELS_STEP_BITS_H
#define MOOREA_KERNELS_STEP_BITS_H

#ifndef MOOREA_STEP
#define MOOREA_STEP static inline
#endif

// Sum of three horizontally adjacent cells, 0 to 3.
struct RowSum {
  word ones;
  word twos;
};

MOOREA_STEP RowSum row_sum(word left, word centre, word right) {
  const word half = left ^ centre;
  RowSum sum;
  sum.ones = half ^ right;
  sum.twos = (left & centre) | (half & right);
  return sum;
}

// A rule as constants of all ones or all zeros. For the totals 2*pair and 2*pair + 1 of the 3x3 block (centre
// included) the next state is k0 ^ (k1 & odd) ^ (k2 & centre) ^ (k3 & odd & centre).
struct RulePlanes {
  word k0[5], k1[5], k2[5], k3[5];
};

// `birth` and `survival` as in RuleMask. With a live centre, a total of n means n - 1 neighbours.
MOOREA_STEP RulePlanes rule_planes(unsigned birth, unsigned survival) {
  RulePlanes planes;
  for (int pair = 0; pair < 5; ++pair) {
    const unsigned dead = birth >> (2 * pair) & 3u;
    const unsigned alive = survival << 1 >> (2 * pair) & 3u;
    const unsigned coefficients[4] = {dead & 1u, (dead ^ dead >> 1) & 1u, (dead ^ alive) & 1u,
                                      (dead ^ dead >> 1 ^ alive ^ alive >> 1) & 1u};
    planes.k0[pair] = spread(coefficients[0]);
    planes.k1[pair] = spread(coefficients[1]);
    planes.k2[pair] = spread(coefficients[2]);
    planes.k3[pair] = spread(coefficients[3]);
  }
  return planes;
}

MOOREA_STEP word choose(word condition, word yes, word no) { return no ^ (condition & (yes ^ no)); }

// Next state of the centre cells from the sums of the rows above, at and below them; 57 operations.
MOOREA_STEP word next_state(RowSum above, RowSum at, RowSum below, word centre, const RulePlanes* rule) {
  const word half = above.ones ^ at.ones;
  const word p0 = half ^ below.ones;
  const word carry = (above.ones & at.ones) | (half & below.ones);
  const word twos_half = above.twos ^ at.twos;
  const word twos = twos_half ^ below.twos;
  const word fours = (above.twos & at.twos) | (twos_half & below.twos);
  const word p1 = twos ^ carry;
  const word fours_carry = twos & carry;
  const word p2 = fours ^ fours_carry;
  const word p3 = fours & fours_carry;

  const word both = p0 & centre;
  word leaf[5];
  for (int pair = 0; pair < 5; ++pair) {
    leaf[pair] = rule->k0[pair] ^ (rule->k1[pair] & p0) ^ (rule->k2[pair] & centre) ^ (rule->k3[pair] & both);
  }
  const word low = choose(p1, leaf[1], leaf[0]);
  const word high = choose(p1, leaf[3], leaf[2]);
  return choose(p3, leaf[4], choose(p2, high, low));
}

#endif
