// SPDX-License-Identifier: MIT
// Rules as classes that compute the next states of two rows of words, for sweeps and tiles: one for each
// named rule, from its network of logic gates, and AnyRule by masks.
//
// Include inside an unnamed namespace after common/bits.h, after defining for the type `word`
//   majority(a, b, c)      for each bit
//   LUT3(a, b, c, table)   a macro, only if there is an instruction for it
//   AND_NOT(a, b)          a macro, if a compiler emits more than one instruction for a & ~b
#ifndef MOOREA_KERNELS_STEP_RULES_H
#define MOOREA_KERNELS_STEP_RULES_H

#include "kernels/common/networks.h"

// Rules with code of their own. Sanitizer builds compile only two, because memory accesses do not depend on
// the rule and compiling all of them takes minutes.
#ifdef MOOREA_SANITIZED
#define MOOREA_COMPILED_NETWORKS(X) X(next_life, 0x008, 0x00C) X(next_antilife, 0x19F, 0x1DF)
#else
#define MOOREA_COMPILED_NETWORKS MOOREA_NAMED_NETWORKS
#endif

// Sum of a row's three cells around a column, and the middle cell.
struct Column {
  RowSum sum;
  word centre;
};

#ifdef LUT3
#define MOOREA_FORM(name) name##_mixed
#else
#define MOOREA_FORM(name) name##_plain
#endif

// pair() computes the next states of rows b and c from the rows a to d.
#define MOOREA_RULE(name, birth, survival)                                                               \
  struct rule_##name {                                                                                   \
    explicit rule_##name(RuleMask) {}                                                                    \
    [[gnu::always_inline]] void pair(const Column& a, const Column& b, const Column& c, const Column& d, \
                                     word* first, word* second) const {                                  \
      MOOREA_FORM(name)                                                                                  \
      (a.sum.ones, a.sum.twos, b.sum.ones, b.sum.twos, c.sum.ones, c.sum.twos, d.sum.ones, d.sum.twos,   \
       b.centre, c.centre, first, second);                                                               \
    }                                                                                                    \
  };
MOOREA_COMPILED_NETWORKS(MOOREA_RULE)

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
#undef MOOREA_FORM

#endif
