// SPDX-License-Identifier: MIT
// Families of rules, each with its least expensive expression: Life and ANNEAL by their own, rules that
// depend on the total of the 3 x 3 block, centre included, by one mask, all others by two. Include inside an
// unnamed namespace, after cuda/ladder/cells.cuh.
#ifndef MOOREA_KERNELS_STEP_FAMILIES_CUDA_H
#define MOOREA_KERNELS_STEP_FAMILIES_CUDA_H

enum class Family { life, anneal, totalistic, outer_totalistic };

// With a live centre a total of n means n - 1 neighbours: a rule is totalistic if its next state agrees for
// all totals that a live and a dead centre can both have, 1 to 8.
static inline Family family_of(const RuleMask& rule) {
  if (rule.birth == 0x008 && rule.survival == 0x00C) return Family::life;
  if (rule.birth == 0x1D0 && rule.survival == 0x1E8) return Family::anneal;
  if (((rule.birth ^ rule.survival << 1) & 0x1FE) == 0) return Family::totalistic;
  return Family::outer_totalistic;
}

static __device__ __forceinline__ unsigned next_of(Family family, unsigned alive, unsigned neighbours,
                                                   const RuleMask& rule) {
  const unsigned total = neighbours + alive;
  switch (family) {
    case Family::life:
      return (neighbours | alive) == 3 ? 1 : 0;
    case Family::anneal:
      return total == 4 || total >= 6 ? 1 : 0;
    case Family::totalistic:
      return (rule.birth | unsigned{rule.survival} << 1) >> total & 1u;
    default:
      return next_cell(alive, neighbours, rule);
  }
}

#endif
