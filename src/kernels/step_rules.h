// SPDX-License-Identifier: MIT
// Rules as classes that make the next states of two rows of words, for sweeps and tiles: one for each rule
// with a name, from its network of logic gates, and AnyRule by masks.
//
// Include it inside an unnamed namespace behind step_bits.h, after defining for the type `word`
//   majority(a, b, c)      for each bit
//   LUT3(a, b, c, table)   a macro, only where there is an instruction for it
#ifndef MOOREA_KERNELS_STEP_RULES_H
#define MOOREA_KERNELS_STEP_RULES_H

#include "kernels/step_networks.h"

// The sum of a row's three cells around a column, and the one in the middle.
struct Column {
  RowSum sum;
  word centre;
};

// The ways to call a network of one row, and of two.
#define MOOREA_SUM(x) x.sum.ones, x.sum.twos
#define MOOREA_ROWS_1(next)                                           \
  next(MOOREA_SUM(a), MOOREA_SUM(b), MOOREA_SUM(c), b.centre, first); \
  next(MOOREA_SUM(b), MOOREA_SUM(c), MOOREA_SUM(d), c.centre, second)
#define MOOREA_ROWS_2(next) \
  next(MOOREA_SUM(a), MOOREA_SUM(b), MOOREA_SUM(c), MOOREA_SUM(d), b.centre, c.centre, first, second)

#ifdef LUT3
#define MOOREA_NEXT(name, gate_rows, plain_rows) MOOREA_ROWS_##gate_rows(name##_lut3)
#else
#define MOOREA_NEXT(name, gate_rows, plain_rows) MOOREA_ROWS_##plain_rows(name##_plain)
#endif

// pair() makes the next states of rows b and c, from the rows a to d.
#define MOOREA_RULE(name, birth, survival, gate_rows, plain_rows)                              \
  struct rule_##name {                                                                         \
    explicit rule_##name(RuleMask) {}                                                          \
    void pair(const Column& a, const Column& b, const Column& c, const Column& d, word* first, \
              word* second) const {                                                            \
      MOOREA_NEXT(name, gate_rows, plain_rows);                                                \
    }                                                                                          \
  };
MOOREA_NAMED_NETWORKS(MOOREA_RULE)

struct AnyRule {
  RulePlanes planes;
  explicit AnyRule(RuleMask rule) : planes(rule_planes(rule.birth, rule.survival)) {}
  void pair(const Column& a, const Column& b, const Column& c, const Column& d, word* first,
            word* second) const {
    *first = next_state(a.sum, b.sum, c.sum, b.centre, &planes);
    *second = next_state(b.sum, c.sum, d.sum, c.centre, &planes);
  }
};

#undef MOOREA_RULE
#undef MOOREA_NEXT
#undef MOOREA_ROWS_2
#undef MOOREA_ROWS_1
#undef MOOREA_SUM

#endif
