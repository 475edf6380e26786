// SPDX-License-Identifier: MIT
// AVX2 logic for cpu/rules.h. Include inside an unnamed namespace, after the type `word`.
#ifndef MOOREA_KERNELS_STEP_LOGIC_AVX2_H
#define MOOREA_KERNELS_STEP_LOGIC_AVX2_H

static inline word majority(word a, word b, word c) { return (b & c) | (a & (b ^ c)); }

// Assembly, because g++ rewrites a & ~(b & ~c), which costs one operation more
static inline word and_not(word a, word b) {
  word result;
  asm("vpandn %1, %2, %0" : "=x"(result) : "xm"(a), "x"(b));
  return result;
}
#define AND_NOT(a, b) and_not(a, b)

#endif
