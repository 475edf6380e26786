// SPDX-License-Identifier: MIT
// Logic of AVX2 vectors for cpu/rules.h. Include it inside an unnamed namespace, behind the type `word`.
#ifndef MOOREA_KERNELS_STEP_LOGIC_AVX2_H
#define MOOREA_KERNELS_STEP_LOGIC_AVX2_H

static inline word majority(word a, word b, word c) { return (b & c) | (a & (b ^ c)); }

// In assembly, for g++ turns a & ~(b & ~c) inside out, which costs an operation more
static inline word and_not(word a, word b) {
  word result;
  asm("vpandn %1, %2, %0" : "=x"(result) : "xm"(a), "x"(b));
  return result;
}
#define AND_NOT(a, b) and_not(a, b)

#endif
