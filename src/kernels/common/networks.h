// SPDX-License-Identifier: MIT
// Made by tools/make_networks_header.cpp from src/logic; do not edit. The networks of the rules with names,
// for C++, CUDA and OpenCL C. Include it after defining the type `word`; for CUDA define MOOREA_STEP with
// __device__. The functions of a rule end in
//   _plain   operations of two inputs: the operators & | ^ ~ of `word`
//   _lut3    gates of three inputs, where the macro LUT3(a, b, c, table) is defined, one gate whose output
//            is bit (a << 2 | b << 1 | c) of the table
//   _mixed   gates of three and operations of two inputs, for AVX-512: a LUT3's first operand is not needed
//            behind it, except where a copy is noted, for vpternlog overwrites it. What stays needed are
//            the sums of the last two rows, which are the first two of the next.
// AND_NOT(a, b) may be defined too, for compilers that make more of a & ~b than one instruction.
//
// t a b u are rows y - 1, y, y + 1, y + 2; of each the sum of the three cells around a column, ones and twos
// (t0 t1 and so on); ca and cb are the centre cells of rows y and y + 1, next_a and next_b their next states.
#ifndef MOOREA_KERNELS_STEP_NETWORKS_H
#define MOOREA_KERNELS_STEP_NETWORKS_H
// clang-format off

#ifndef MOOREA_STEP
#define MOOREA_STEP static inline
#endif
#ifndef AND_NOT
#define AND_NOT(a, b) ((a) & ~(b))
#endif

// X(function, birth, survival) for each of them.
#define MOOREA_NAMED_NETWORKS(X) \
  X(next_life, 0x008, 0x00C) \
  X(next_highlife, 0x048, 0x00C) \
  X(next_day_night, 0x1C8, 0x1D8) \
  X(next_seeds, 0x004, 0x000) \
  X(next_diamoeba, 0x1E8, 0x1E0) \
  X(next_maze, 0x008, 0x03E) \
  X(next_mazectric, 0x008, 0x01E) \
  X(next_anneal, 0x1D0, 0x1E8) \
  X(next_majority, 0x1E0, 0x1F0) \
  X(next_replicator, 0x0AA, 0x0AA) \
  X(next_fredkin, 0x0AA, 0x155) \
  X(next_2x2, 0x048, 0x026) \
  X(next_morley, 0x148, 0x034) \
  X(next_34_life, 0x018, 0x018) \
  X(next_amoeba, 0x0A8, 0x12A) \
  X(next_antilife, 0x19F, 0x1DF) \
  X(next_assimilation, 0x038, 0x0F0) \
  X(next_bacteria, 0x018, 0x070) \
  X(next_coagulations, 0x188, 0x1EC) \
  X(next_coral, 0x008, 0x1F0) \
  X(next_corrosion_of_conformity, 0x008, 0x016) \
  X(next_dotlife, 0x008, 0x00D) \
  X(next_drylife, 0x088, 0x00C) \
  X(next_eightlife, 0x008, 0x10C) \
  X(next_flock, 0x008, 0x006) \
  X(next_geology, 0x1A8, 0x1D4) \
  X(next_gnarl, 0x002, 0x002) \
  X(next_h_trees, 0x002, 0x1FF) \
  X(next_holstein, 0x1E8, 0x1D0) \
  X(next_honeylife, 0x108, 0x10C) \
  X(next_iceballs, 0x1E4, 0x1E0) \
  X(next_inverselife, 0x1FF, 0x1D8) \
  X(next_land_rush, 0x048, 0x1BC) \
  X(next_life_without_death, 0x008, 0x1FF) \
  X(next_live_free_or_die, 0x004, 0x001) \
  X(next_long_life, 0x038, 0x020) \
  X(next_lowdeath, 0x148, 0x10C) \
  X(next_lowlife, 0x008, 0x00A) \
  X(next_pedestrian_life, 0x108, 0x00C) \
  X(next_plow_world, 0x188, 0x1FF) \
  X(next_pseudo_life, 0x0A8, 0x10C) \
  X(next_serviettes, 0x01C, 0x000) \
  X(next_snowlife, 0x008, 0x08E) \
  X(next_stains, 0x1C8, 0x1EC) \
  X(next_star_trek, 0x008, 0x115) \
  X(next_virus, 0x048, 0x02C) \
  X(next_walled_cities, 0x1F0, 0x03C)

// Life, B3/S23: 7.5 gates a word with the row's sum, 18.5 operations.
#ifdef LUT3
// 11 gates for two rows
MOOREA_STEP void next_life_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, a1, a0, 0xE8);
  const word e1 = LUT3(e0, b1, a1, 0x86);
  const word e2 = LUT3(e1, b0, a0, 0x18);
  const word e3 = LUT3(t0, e2, e1, 0xE2);
  const word e4 = LUT3(e3, t1, e0, 0x16);
  const word e5 = LUT3(t0, b0, a0, 0x96);
  const word e6 = LUT3(e4, e5, ca, 0xE0);
  const word e7 = LUT3(u0, e2, e1, 0xE2);
  const word e8 = LUT3(e7, u1, e0, 0x16);
  const word e9 = LUT3(u0, b0, a0, 0x96);
  const word e10 = LUT3(e8, e9, cb, 0xE0);
  *next_a = e6;
  *next_b = e10;
}
// 8 gates and 5 operations for two rows, 1 copy
MOOREA_STEP void next_life_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, a1, a0, 0xE8);  // a copy
  const word e1 = LUT3(a1, e0, b1, 0x92);
  const word e2 = a0 ^ b0;
  const word e3 = LUT3(a0, e1, b0, 0x24);
  const word e4 = e2 ^ t0;
  const word e5 = LUT3(t0, e3, e1, 0xE2);
  const word e6 = LUT3(e5, t1, e0, 0x16);
  const word e7 = ca | e4;
  const word e8 = e7 & e6;
  const word e9 = LUT3(e3, u0, e1, 0xCA);
  const word e10 = LUT3(e9, u1, e0, 0x16);
  const word e11 = e2 ^ u0;
  const word e12 = LUT3(e10, e11, cb, 0xE0);
  *next_a = e8;
  *next_b = e12;
}
#endif
// 27 operations for two rows
MOOREA_STEP void next_life_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = t0 ^ e0;
  const word e8 = ca | e7;
  const word e9 = AND_NOT(e7, e0);
  const word e10 = AND_NOT(e8, e9);
  const word e11 = t1 ^ e10;
  const word e12 = e3 ^ e11;
  const word e13 = t1 | e3;
  const word e14 = e6 ^ e13;
  const word e15 = e8 & e14;
  const word e16 = e12 & e15;
  const word e17 = u0 ^ e0;
  const word e18 = cb | e17;
  const word e19 = AND_NOT(u0, e0);
  const word e20 = AND_NOT(e18, e19);
  const word e21 = u1 ^ e20;
  const word e22 = e3 ^ e21;
  const word e23 = u1 | e3;
  const word e24 = e6 ^ e23;
  const word e25 = e22 & e24;
  const word e26 = e18 & e25;
  *next_a = e16;
  *next_b = e26;
}

// HighLife, B36/S23: 9 gates a word with the row's sum, 18.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_highlife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a0, 0x03);
  const word e2 = LUT3(a1, b1, e1, 0x96);
  const word e3 = LUT3(a1, b1, e1, 0x2B);
  const word e4 = LUT3(t1, e2, ca, 0xB2);
  const word e5 = LUT3(t0, ca, e0, 0x71);
  const word e6 = LUT3(e0, e4, t0, 0xCE);
  const word e7 = LUT3(e2, e5, t1, 0x69);
  const word e8 = LUT3(e7, e3, e6, 0x09);
  const word e9 = LUT3(u1, e2, cb, 0xB2);
  const word e10 = LUT3(u0, cb, e0, 0x71);
  const word e11 = LUT3(e0, e9, u0, 0xCE);
  const word e12 = LUT3(e2, e10, u1, 0x69);
  const word e13 = LUT3(e12, e3, e11, 0x09);
  *next_a = e8;
  *next_b = e13;
}
// 8 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_highlife_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = LUT3(ca, e0, t0, 0xD4);
  const word e6 = LUT3(e5, t1, e3, 0x96);
  const word e7 = LUT3(t1, e4, e3, 0x6C);
  const word e8 = AND_NOT(t0, e0);
  const word e9 = e8 ^ e7;
  const word e10 = e9 & e6;
  const word e11 = LUT3(e4, e3, u1, 0x78);
  const word e12 = LUT3(e11, e0, u0, 0xD2);
  const word e13 = LUT3(e0, cb, u0, 0xD4);
  const word e14 = LUT3(e13, u1, e3, 0x96);
  const word e15 = e12 & e14;
  *next_a = e10;
  *next_b = e15;
}
#endif
// 27 operations for two rows
MOOREA_STEP void next_highlife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = t0 ^ e0;
  const word e8 = ca | e7;
  const word e9 = AND_NOT(e7, e0);
  const word e10 = AND_NOT(e8, e9);
  const word e11 = t1 ^ e10;
  const word e12 = e3 ^ e11;
  const word e13 = t1 | e3;
  const word e14 = e6 ^ e13;
  const word e15 = e8 ^ e14;
  const word e16 = AND_NOT(e12, e15);
  const word e17 = u0 ^ e0;
  const word e18 = cb | e17;
  const word e19 = AND_NOT(u0, e0);
  const word e20 = AND_NOT(e18, e19);
  const word e21 = u1 ^ e20;
  const word e22 = e3 ^ e21;
  const word e23 = u1 | e3;
  const word e24 = e6 ^ e23;
  const word e25 = e18 ^ e24;
  const word e26 = AND_NOT(e22, e25);
  *next_a = e16;
  *next_b = e26;
}

// Day & Night, B3678/S34678: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_day_night_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);
  const word e1 = LUT3(b1, a1, t1, 0x17);
  const word e2 = LUT3(b0, t0, a0, 0xE8);
  const word e3 = LUT3(a1, b1, t1, 0x96);
  const word e4 = LUT3(e3, e2, ca, 0x69);
  const word e5 = LUT3(e3, e0, e2, 0x1D);
  const word e6 = LUT3(e5, e4, e1, 0x17);
  const word e7 = LUT3(u0, b0, a0, 0x7E);
  const word e8 = LUT3(a1, b1, u1, 0x17);
  const word e9 = LUT3(a0, u0, b0, 0xE8);
  const word e10 = LUT3(b1, a1, u1, 0x96);
  const word e11 = LUT3(e10, e9, cb, 0x69);
  const word e12 = LUT3(e10, e7, e9, 0x1D);
  const word e13 = LUT3(e12, e11, e8, 0x17);
  *next_a = e6;
  *next_b = e13;
}
// 10 gates and 7 operations for two rows, 2 copies
MOOREA_STEP void next_day_night_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);  // a copy
  const word e1 = a1 ^ b1;
  const word e2 = e1 ^ t1;
  const word e3 = LUT3(t1, b1, a1, 0xE8);
  const word e4 = LUT3(t0, b0, a0, 0xE8);
  const word e5 = ca ^ e4;
  const word e6 = e5 ^ e2;
  const word e7 = LUT3(e2, e0, e4, 0xE2);
  const word e8 = LUT3(e7, e6, e3, 0xE8);
  const word e9 = LUT3(u0, b0, a0, 0x7E);  // a copy
  const word e10 = LUT3(a1, b1, u1, 0xE8);
  const word e11 = LUT3(a0, u0, b0, 0xE8);
  const word e12 = e1 ^ u1;
  const word e13 = cb ^ e11;
  const word e14 = e13 ^ e12;
  const word e15 = LUT3(e12, e9, e11, 0xE2);
  const word e16 = LUT3(e15, e14, e10, 0xE8);
  *next_a = e8;
  *next_b = e16;
}
#endif
// 34 operations for two rows
MOOREA_STEP void next_day_night_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ a0;
  const word e2 = e0 | e1;
  const word e3 = a1 | b1;
  const word e4 = a1 ^ b1;
  const word e5 = AND_NOT(e4, t1);
  const word e6 = AND_NOT(e3, e5);
  const word e7 = t0 ^ e0;
  const word e8 = e2 ^ e7;
  const word e9 = t1 ^ e4;
  const word e10 = ca ^ e9;
  const word e11 = e8 ^ e10;
  const word e12 = e8 ^ e9;
  const word e13 = e2 & e12;
  const word e14 = e8 ^ e13;
  const word e15 = e11 | e14;
  const word e16 = e11 & e14;
  const word e17 = e6 | e16;
  const word e18 = e15 & e17;
  const word e19 = a0 ^ u0;
  const word e20 = e0 | e19;
  const word e21 = AND_NOT(e4, u1);
  const word e22 = AND_NOT(e3, e21);
  const word e23 = u0 ^ e20;
  const word e24 = e0 ^ e23;
  const word e25 = u1 ^ e4;
  const word e26 = e24 ^ e25;
  const word e27 = cb ^ e26;
  const word e28 = e20 & e26;
  const word e29 = e24 ^ e28;
  const word e30 = e22 ^ e29;
  const word e31 = e22 | e29;
  const word e32 = AND_NOT(e30, e27);
  const word e33 = e31 ^ e32;
  *next_a = e18;
  *next_b = e33;
}

// Seeds, B2/S: 7 gates a word with the row's sum, 15 operations.
#ifdef LUT3
// 10 gates for two rows
MOOREA_STEP void next_seeds_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b0, a1, a0, 0x36);
  const word e1 = LUT3(e0, b1, a1, 0x35);
  const word e2 = LUT3(b0, a0, t0, 0x69);
  const word e3 = LUT3(e0, b1, t1, 0x96);
  const word e4 = LUT3(e3, e2, ca, 0x43);
  const word e5 = LUT3(e4, e3, e1, 0x80);
  const word e6 = LUT3(b0, a0, u0, 0x69);
  const word e7 = LUT3(e0, b1, u1, 0x96);
  const word e8 = LUT3(e7, e6, cb, 0x43);
  const word e9 = LUT3(e8, e7, e1, 0x80);
  *next_a = e5;
  *next_b = e9;
}
// 6 gates and 6 operations for two rows, 0 copies
MOOREA_STEP void next_seeds_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a1, 0x56);
  const word e2 = LUT3(a1, e1, b1, 0xB8);
  const word e3 = t0 ^ e0;
  const word e4 = e1 ^ b1;
  const word e5 = t1 ^ e4;
  const word e6 = LUT3(e3, e5, ca, 0x34);
  const word e7 = LUT3(e6, e5, e2, 0x40);
  const word e8 = e0 ^ u0;
  const word e9 = e4 ^ u1;
  const word e10 = LUT3(e8, e9, cb, 0x34);
  const word e11 = LUT3(e10, e9, e2, 0x40);
  *next_a = e7;
  *next_b = e11;
}
#endif
// 20 operations for two rows
MOOREA_STEP void next_seeds_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 | b0;
  const word e1 = b1 & e0;
  const word e2 = a0 ^ b1;
  const word e3 = AND_NOT(e0, e1);
  const word e4 = e2 | e3;
  const word e5 = a0 ^ b0;
  const word e6 = t0 ^ e5;
  const word e7 = a1 ^ e4;
  const word e8 = AND_NOT(e4, e7);
  const word e9 = t1 ^ e7;
  const word e10 = AND_NOT(e9, e8);
  const word e11 = ca | e6;
  const word e12 = e1 | e11;
  const word e13 = AND_NOT(e10, e12);
  const word e14 = u0 ^ e5;
  const word e15 = AND_NOT(u1, e8);
  const word e16 = e7 ^ e15;
  const word e17 = cb | e14;
  const word e18 = e1 | e17;
  const word e19 = AND_NOT(e16, e18);
  *next_a = e13;
  *next_b = e19;
}

// Diamoeba, B35678/S5678: 9 gates a word with the row's sum, 20 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_diamoeba_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x96);
  const word e1 = LUT3(t0, a0, b0, 0xE8);
  const word e2 = LUT3(t1, a1, b1, 0x96);
  const word e3 = LUT3(t1, a1, b1, 0xE8);
  const word e4 = LUT3(e1, e2, e3, 0x56);
  const word e5 = LUT3(e0, ca, e4, 0x21);
  const word e6 = LUT3(e3, e4, e5, 0xB8);
  const word e7 = LUT3(u0, b0, a0, 0x96);
  const word e8 = LUT3(u0, b0, a0, 0xE8);
  const word e9 = LUT3(u1, b1, a1, 0x96);
  const word e10 = LUT3(u1, b1, a1, 0xE8);
  const word e11 = LUT3(e8, e9, e10, 0x56);
  const word e12 = LUT3(e7, cb, e11, 0x21);
  const word e13 = LUT3(e10, e11, e12, 0xB8);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_diamoeba_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = LUT3(t0, a0, b0, 0xE8);
  const word e3 = a1 ^ b1;
  const word e4 = e3 ^ t1;
  const word e5 = LUT3(t1, a1, b1, 0xE8);
  const word e6 = LUT3(e2, e4, e5, 0x56);
  const word e7 = e1 ^ e6;
  const word e8 = e7 | ca;
  const word e9 = LUT3(e5, e6, e8, 0x74);
  const word e10 = e0 ^ u0;
  const word e11 = LUT3(a0, u0, b0, 0xE8);
  const word e12 = e3 ^ u1;
  const word e13 = LUT3(a1, u1, b1, 0xE8);
  const word e14 = LUT3(e11, e12, e13, 0x56);
  const word e15 = LUT3(e10, cb, e14, 0xDE);
  const word e16 = LUT3(e13, e14, e15, 0x74);
  *next_a = e9;
  *next_b = e16;
}
#endif
// 30 operations for two rows
MOOREA_STEP void next_diamoeba_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = t0 & e0;
  const word e3 = a0 & b0;
  const word e4 = e2 | e3;
  const word e5 = a1 ^ b1;
  const word e6 = t1 ^ e5;
  const word e7 = AND_NOT(a1, e5);
  const word e8 = t1 & e5;
  const word e9 = e7 ^ e8;
  const word e10 = e4 | e6;
  const word e11 = e9 ^ e10;
  const word e12 = e1 ^ e11;
  const word e13 = ca | e12;
  const word e14 = e9 | e11;
  const word e15 = e11 & e13;
  const word e16 = e14 ^ e15;
  const word e17 = u0 ^ e0;
  const word e18 = AND_NOT(u0, e17);
  const word e19 = e3 | e18;
  const word e20 = u1 ^ e5;
  const word e21 = AND_NOT(u1, e20);
  const word e22 = e7 | e21;
  const word e23 = e19 | e20;
  const word e24 = e22 ^ e23;
  const word e25 = e17 ^ e24;
  const word e26 = cb | e25;
  const word e27 = e22 | e24;
  const word e28 = e24 & e26;
  const word e29 = e27 ^ e28;
  *next_a = e16;
  *next_b = e29;
}

// Maze, B3/S12345: 9 gates a word with the row's sum, 24.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_maze_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(ca, t1, e3, 0x64);
  const word e5 = LUT3(t1, e2, e4, 0x59);
  const word e6 = LUT3(e0, t0, e3, 0x16);
  const word e7 = LUT3(t1, e6, e2, 0xB6);
  const word e8 = LUT3(e7, e5, ca, 0x2B);
  const word e9 = LUT3(cb, u1, e3, 0x64);
  const word e10 = LUT3(u1, e2, e9, 0x59);
  const word e11 = LUT3(e0, u0, e3, 0x16);
  const word e12 = LUT3(u1, e11, e2, 0xB6);
  const word e13 = LUT3(e12, e10, cb, 0x2B);
  *next_a = e8;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_maze_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = AND_NOT(e3, t1);
  const word e6 = LUT3(t0, e0, e4, 0x16);
  const word e7 = LUT3(e6, t1, e3, 0x9E);
  const word e8 = LUT3(t1, ca, e4, 0x58);
  const word e9 = e5 ^ e8;
  const word e10 = LUT3(e7, e9, ca, 0x8E);
  const word e11 = LUT3(e0, u0, e4, 0x16);
  const word e12 = LUT3(e4, cb, u1, 0x4A);
  const word e13 = AND_NOT(e3, u1);
  const word e14 = e13 ^ e12;
  const word e15 = LUT3(e11, u1, e3, 0x9E);
  const word e16 = LUT3(e15, e14, cb, 0x8E);
  *next_a = e10;
  *next_b = e16;
}
#endif
// 39 operations for two rows
MOOREA_STEP void next_maze_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = b1 ^ e1;
  const word e3 = a1 ^ e2;
  const word e4 = e1 | e2;
  const word e5 = AND_NOT(e2, a1);
  const word e6 = AND_NOT(e4, e5);
  const word e7 = t1 | ca;
  const word e8 = e6 & e7;
  const word e9 = t1 ^ e8;
  const word e10 = AND_NOT(e3, t1);
  const word e11 = e9 ^ e10;
  const word e12 = e0 & e6;
  const word e13 = e0 ^ e6;
  const word e14 = t0 ^ e13;
  const word e15 = AND_NOT(e14, e12);
  const word e16 = t1 ^ e15;
  const word e17 = AND_NOT(e16, e15);
  const word e18 = AND_NOT(e3, e17);
  const word e19 = e16 ^ e18;
  const word e20 = e11 ^ e19;
  const word e21 = e19 & e20;
  const word e22 = ca | e20;
  const word e23 = AND_NOT(e22, e21);
  const word e24 = u1 ^ e6;
  const word e25 = AND_NOT(e6, cb);
  const word e26 = AND_NOT(e24, e25);
  const word e27 = AND_NOT(e3, u1);
  const word e28 = e26 ^ e27;
  const word e29 = u0 ^ e13;
  const word e30 = AND_NOT(e29, e12);
  const word e31 = u1 ^ e30;
  const word e32 = AND_NOT(e3, e27);
  const word e33 = AND_NOT(e31, e32);
  const word e34 = e3 ^ e33;
  const word e35 = e28 ^ e34;
  const word e36 = AND_NOT(e35, e34);
  const word e37 = AND_NOT(cb, e35);
  const word e38 = e36 ^ e37;
  *next_a = e23;
  *next_b = e38;
}

// Mazectric, B3/S1234: 9 gates a word with the row's sum, 19 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_mazectric_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);
  const word e1 = LUT3(b1, a1, t1, 0xE8);
  const word e2 = LUT3(b0, t0, a0, 0xE8);
  const word e3 = LUT3(a1, b1, t1, 0x96);
  const word e4 = LUT3(e3, e2, e1, 0x56);
  const word e5 = LUT3(e2, e0, e3, 0xE7);
  const word e6 = LUT3(e5, e4, ca, 0x8C);
  const word e7 = LUT3(u0, b0, a0, 0x7E);
  const word e8 = LUT3(a1, b1, u1, 0xE8);
  const word e9 = LUT3(a0, u0, b0, 0xE8);
  const word e10 = LUT3(b1, a1, u1, 0x96);
  const word e11 = LUT3(e10, e9, e8, 0x56);
  const word e12 = LUT3(e9, e7, e10, 0xE7);
  const word e13 = LUT3(e12, e11, cb, 0x8C);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_mazectric_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = LUT3(t0, a0, b0, 0xE8);
  const word e3 = a1 ^ b1;
  const word e4 = e3 ^ t1;
  const word e5 = LUT3(t1, a1, b1, 0xE8);
  const word e6 = LUT3(e2, e4, ca, 0x16);
  const word e7 = AND_NOT(e6, e1);
  const word e8 = e7 | e5;
  const word e9 = LUT3(ca, e6, e8, 0x94);
  const word e10 = e0 ^ u0;
  const word e11 = LUT3(a0, u0, b0, 0xE8);
  const word e12 = e3 ^ u1;
  const word e13 = LUT3(a1, u1, b1, 0xE8);
  const word e14 = LUT3(e11, e12, cb, 0x16);
  const word e15 = LUT3(e10, e13, e14, 0xCE);
  const word e16 = LUT3(cb, e14, e15, 0x94);
  *next_a = e9;
  *next_b = e16;
}
#endif
// 28 operations for two rows
MOOREA_STEP void next_mazectric_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = e3 & e6;
  const word e8 = AND_NOT(t1, e7);
  const word e9 = e3 ^ e8;
  const word e10 = t0 ^ e0;
  const word e11 = e9 & e10;
  const word e12 = AND_NOT(t0, e10);
  const word e13 = e3 ^ e12;
  const word e14 = e9 | e13;
  const word e15 = e6 ^ e14;
  const word e16 = ca | e11;
  const word e17 = e15 & e16;
  const word e18 = AND_NOT(u1, e7);
  const word e19 = e3 ^ e18;
  const word e20 = u0 ^ e0;
  const word e21 = e19 & e20;
  const word e22 = AND_NOT(u0, e20);
  const word e23 = e3 ^ e22;
  const word e24 = e19 | e23;
  const word e25 = e6 ^ e24;
  const word e26 = cb | e21;
  const word e27 = e25 & e26;
  *next_a = e17;
  *next_b = e27;
}

// Anneal, B4678/S35678: 6.5 gates a word with the row's sum, 19 operations.
#ifdef LUT3
// 9 gates for two rows
MOOREA_STEP void next_anneal_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = LUT3(b0, a1, a0, 0xD4);
  const word e1 = LUT3(e0, b1, b0, 0x96);
  const word e2 = LUT3(e1, b1, a1, 0x8E);
  const word e3 = LUT3(t0, b0, a0, 0x96);
  const word e4 = LUT3(t1, t0, e1, 0xE8);
  const word e5 = LUT3(e3, e4, e2, 0x8E);
  const word e6 = LUT3(u0, b0, a0, 0x96);
  const word e7 = LUT3(u1, u0, e1, 0xE8);
  const word e8 = LUT3(e6, e7, e2, 0x8E);
  *next_a = e5;
  *next_b = e8;
}
// 6 gates and 5 operations for two rows, 0 copies
MOOREA_STEP void next_anneal_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a1, 0x8E);
  const word e2 = b0 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, e3, b1, 0xB2);
  const word e5 = e0 ^ t0;
  const word e6 = LUT3(t1, t0, e3, 0xE8);
  const word e7 = LUT3(e5, e6, e4, 0x8E);
  const word e8 = e0 ^ u0;
  const word e9 = LUT3(e3, u1, u0, 0xE8);
  const word e10 = LUT3(e8, e9, e4, 0x8E);
  *next_a = e7;
  *next_b = e10;
}
#endif
// 28 operations for two rows
MOOREA_STEP void next_anneal_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = a1 ^ b0;
  const word e1 = a0 ^ b0;
  const word e2 = e0 | e1;
  const word e3 = a0 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = b0 ^ e4;
  const word e6 = b1 ^ e5;
  const word e7 = e5 & e6;
  const word e8 = a1 | e6;
  const word e9 = AND_NOT(e8, e7);
  const word e10 = t0 ^ e1;
  const word e11 = t1 | e5;
  const word e12 = t0 & e11;
  const word e13 = t1 & e5;
  const word e14 = e12 | e13;
  const word e15 = e9 ^ e10;
  const word e16 = e10 ^ e14;
  const word e17 = e15 | e16;
  const word e18 = e10 ^ e17;
  const word e19 = u0 ^ e1;
  const word e20 = u0 ^ u1;
  const word e21 = u0 | e20;
  const word e22 = AND_NOT(e20, e5);
  const word e23 = AND_NOT(e21, e22);
  const word e24 = e19 ^ e23;
  const word e25 = e9 ^ e19;
  const word e26 = AND_NOT(e24, e25);
  const word e27 = e9 ^ e26;
  *next_a = e18;
  *next_b = e27;
}

// Majority, B5678/S45678: 6.5 gates a word with the row's sum, 15 operations.
#ifdef LUT3
// 9 gates for two rows
MOOREA_STEP void next_majority_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = LUT3(b1, a1, a0, 0x96);
  const word e1 = LUT3(b1, a1, a0, 0xD4);
  const word e2 = LUT3(e1, b0, a0, 0xE8);
  const word e3 = LUT3(t0, e2, e1, 0xE8);
  const word e4 = LUT3(t1, a0, e1, 0xE8);
  const word e5 = LUT3(e3, e4, e0, 0xD4);
  const word e6 = LUT3(u0, e2, e1, 0xE8);
  const word e7 = LUT3(u1, a0, e1, 0xE8);
  const word e8 = LUT3(e6, e7, e0, 0xD4);
  *next_a = e5;
  *next_b = e8;
}
// 7 gates and 3 operations for two rows, 1 copy
MOOREA_STEP void next_majority_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = LUT3(b1, b0, a1, 0xB2);  // a copy
  const word e1 = a0 ^ b0;
  const word e2 = LUT3(a0, e0, b0, 0xE8);
  const word e3 = LUT3(a1, e0, b1, 0x92);
  const word e4 = t0 ^ e1;
  const word e5 = LUT3(e4, e2, e0, 0xE8);
  const word e6 = LUT3(e5, e3, t1, 0xE8);
  const word e7 = e1 ^ u0;
  const word e8 = LUT3(e7, e2, e0, 0xE8);
  const word e9 = LUT3(e8, e3, u1, 0xE8);
  *next_a = e6;
  *next_b = e9;
}
#endif
// 20 operations for two rows
MOOREA_STEP void next_majority_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = e3 ^ e6;
  const word e8 = t1 ^ e3;
  const word e9 = AND_NOT(e7, e8);
  const word e10 = t0 | e0;
  const word e11 = e3 ^ e10;
  const word e12 = AND_NOT(e9, e11);
  const word e13 = e6 ^ e12;
  const word e14 = u1 ^ e3;
  const word e15 = AND_NOT(e7, e14);
  const word e16 = u0 | e0;
  const word e17 = e3 ^ e16;
  const word e18 = AND_NOT(e15, e17);
  const word e19 = e6 ^ e18;
  *next_a = e13;
  *next_b = e19;
}

// Replicator, B1357/S1357: 3.5 gates a word with the row's sum, 7.5 operations.
#ifdef LUT3
// 3 gates for two rows
MOOREA_STEP void next_replicator_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)t1; (void)a1; (void)b1; (void)u1;
  const word e0 = b0 ^ a0;
  const word e1 = LUT3(e0, ca, t0, 0x96);
  const word e2 = LUT3(e0, cb, u0, 0x96);
  *next_a = e1;
  *next_b = e2;
}
// 2 gates and 1 operations for two rows, 0 copies
MOOREA_STEP void next_replicator_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)t1; (void)a1; (void)b1; (void)u1;
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(ca, e0, t0, 0x96);
  const word e2 = LUT3(e0, cb, u0, 0x96);
  *next_a = e1;
  *next_b = e2;
}
#endif
// 5 operations for two rows
MOOREA_STEP void next_replicator_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)t1; (void)a1; (void)b1; (void)u1;
  const word e0 = a0 ^ b0;
  const word e1 = ca ^ e0;
  const word e2 = t0 ^ e1;
  const word e3 = cb ^ e0;
  const word e4 = u0 ^ e3;
  *next_a = e2;
  *next_b = e4;
}

// Fredkin, B1357/S02468: 3 gates a word with the row's sum, 6.5 operations.
#ifdef LUT3
// 2 gates for two rows
MOOREA_STEP void next_fredkin_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)t1; (void)a1; (void)b1; (void)u1; (void)ca; (void)cb;
  const word e0 = LUT3(b0, a0, t0, 0x96);
  const word e1 = LUT3(a0, b0, u0, 0x96);
  *next_a = e0;
  *next_b = e1;
}
// 2 gates and 0 operations for two rows, 0 copies
MOOREA_STEP void next_fredkin_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)t1; (void)a1; (void)b1; (void)u1; (void)ca; (void)cb;
  const word e0 = LUT3(t0, b0, a0, 0x96);
  const word e1 = LUT3(a0, b0, u0, 0x96);
  *next_a = e0;
  *next_b = e1;
}
#endif
// 3 operations for two rows
MOOREA_STEP void next_fredkin_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)t1; (void)a1; (void)b1; (void)u1; (void)ca; (void)cb;
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = u0 ^ e0;
  *next_a = e1;
  *next_b = e2;
}

// 2x2, B36/S125: 9 gates a word with the row's sum, 18 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_2x2_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x69);
  const word e1 = LUT3(t0, a0, b0, 0x17);
  const word e2 = LUT3(t1, a1, b1, 0x69);
  const word e3 = LUT3(t1, a1, b1, 0x17);
  const word e4 = LUT3(e0, e1, e2, 0x17);
  const word e5 = LUT3(e3, ca, e4, 0x1A);
  const word e6 = LUT3(e1, e2, e5, 0x14);
  const word e7 = LUT3(u0, b0, a0, 0x69);
  const word e8 = LUT3(u0, b0, a0, 0x17);
  const word e9 = LUT3(u1, b1, a1, 0x69);
  const word e10 = LUT3(u1, b1, a1, 0x17);
  const word e11 = LUT3(e7, e8, e9, 0x17);
  const word e12 = LUT3(e10, cb, e11, 0x1A);
  const word e13 = LUT3(e8, e9, e12, 0x14);
  *next_a = e6;
  *next_b = e13;
}
// 8 gates and 6 operations for two rows, 0 copies
MOOREA_STEP void next_2x2_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ t1;
  const word e4 = LUT3(t1, a1, b1, 0xE8);
  const word e5 = LUT3(e4, e1, ca, 0x3E);
  const word e6 = LUT3(t0, a0, b0, 0xE8);
  const word e7 = LUT3(e6, e5, e3, 0x48);
  const word e8 = e0 ^ u0;
  const word e9 = LUT3(a1, b1, u1, 0xE8);
  const word e10 = LUT3(e9, e8, cb, 0x3E);
  const word e11 = e2 ^ u1;
  const word e12 = LUT3(a0, b0, u0, 0xE8);
  const word e13 = LUT3(e12, e10, e11, 0x48);
  *next_a = e7;
  *next_b = e13;
}
#endif
// 26 operations for two rows
MOOREA_STEP void next_2x2_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = a1 ^ b1;
  const word e3 = t1 & e2;
  const word e4 = a1 & b1;
  const word e5 = e3 ^ e4;
  const word e6 = AND_NOT(ca, e1);
  const word e7 = e1 ^ e5;
  const word e8 = e6 | e7;
  const word e9 = t1 ^ e2;
  const word e10 = b0 | e0;
  const word e11 = AND_NOT(e0, t0);
  const word e12 = AND_NOT(e10, e11);
  const word e13 = e9 ^ e12;
  const word e14 = e8 & e13;
  const word e15 = u0 ^ e0;
  const word e16 = u1 & e2;
  const word e17 = e4 ^ e16;
  const word e18 = e15 ^ e17;
  const word e19 = AND_NOT(cb, e15);
  const word e20 = e18 | e19;
  const word e21 = u1 ^ e2;
  const word e22 = AND_NOT(e0, u0);
  const word e23 = AND_NOT(e10, e22);
  const word e24 = e21 ^ e23;
  const word e25 = e20 & e24;
  *next_a = e14;
  *next_b = e25;
}

// Morley, B368/S245: 10 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 16 gates for two rows
MOOREA_STEP void next_morley_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x96);
  const word e1 = LUT3(t0, a0, b0, 0xE8);
  const word e2 = LUT3(e1, a1, t1, 0x69);
  const word e3 = LUT3(e2, t1, a1, 0xE8);
  const word e4 = LUT3(t1, e0, e2, 0xC5);
  const word e5 = LUT3(ca, e4, e2, 0xB6);
  const word e6 = LUT3(b1, e2, e5, 0x28);
  const word e7 = LUT3(e0, e6, e3, 0x92);
  const word e8 = LUT3(u0, b0, a0, 0x96);
  const word e9 = LUT3(u0, b0, a0, 0xE8);
  const word e10 = LUT3(e9, b1, u1, 0x69);
  const word e11 = LUT3(e10, u1, b1, 0xE8);
  const word e12 = LUT3(u1, e8, e10, 0xC5);
  const word e13 = LUT3(cb, e12, e10, 0xB6);
  const word e14 = LUT3(a1, e10, e13, 0x28);
  const word e15 = LUT3(e8, e14, e11, 0x92);
  *next_a = e7;
  *next_b = e15;
}
// 8 gates and 12 operations for two rows, 0 copies
MOOREA_STEP void next_morley_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = LUT3(t0, a0, b0, 0xE8);
  const word e3 = a1 ^ b1;
  const word e4 = e3 ^ t1;
  const word e5 = LUT3(t1, a1, b1, 0xE8);
  const word e6 = e1 ^ ca;
  const word e7 = e2 | e4;
  const word e8 = e4 ^ e2;
  const word e9 = LUT3(ca, e5, e7, 0x68);
  const word e10 = LUT3(e6, e9, e8, 0x2C);
  const word e11 = e0 ^ u0;
  const word e12 = LUT3(a0, u0, b0, 0xE8);
  const word e13 = e3 ^ u1;
  const word e14 = LUT3(a1, u1, b1, 0xE8);
  const word e15 = e11 ^ cb;
  const word e16 = e12 | e13;
  const word e17 = e13 ^ e12;
  const word e18 = LUT3(cb, e14, e16, 0x68);
  const word e19 = LUT3(e15, e18, e17, 0x2C);
  *next_a = e10;
  *next_b = e19;
}
#endif
// 34 operations for two rows
MOOREA_STEP void next_morley_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = t0 & e0;
  const word e3 = a0 & b0;
  const word e4 = e2 | e3;
  const word e5 = a1 ^ b1;
  const word e6 = t1 ^ e5;
  const word e7 = AND_NOT(a1, e5);
  const word e8 = t1 & e5;
  const word e9 = e7 ^ e8;
  const word e10 = e4 ^ e6;
  const word e11 = e4 | e6;
  const word e12 = e9 ^ e11;
  const word e13 = e6 | e9;
  const word e14 = e1 ^ e13;
  const word e15 = ca ^ e14;
  const word e16 = e10 | e15;
  const word e17 = e1 ^ e12;
  const word e18 = AND_NOT(e16, e17);
  const word e19 = u0 ^ e0;
  const word e20 = AND_NOT(u0, e19);
  const word e21 = e3 | e20;
  const word e22 = u1 ^ e5;
  const word e23 = AND_NOT(u1, e22);
  const word e24 = e7 | e23;
  const word e25 = e21 ^ e22;
  const word e26 = e21 | e25;
  const word e27 = e24 ^ e26;
  const word e28 = e22 | e24;
  const word e29 = e19 ^ e28;
  const word e30 = cb ^ e29;
  const word e31 = e25 | e30;
  const word e32 = e19 ^ e27;
  const word e33 = AND_NOT(e31, e32);
  *next_a = e18;
  *next_b = e33;
}

// 34 Life, B34/S34: 7.5 gates a word with the row's sum, 17.5 operations.
#ifdef LUT3
// 11 gates for two rows
MOOREA_STEP void next_34_life_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b0, a1, a0, 0x6C);
  const word e1 = LUT3(e0, b1, a1, 0xF6);
  const word e2 = LUT3(e1, e0, b1, 0x9C);
  const word e3 = LUT3(b0, a0, t0, 0x96);
  const word e4 = LUT3(e3, ca, t0, 0x3A);
  const word e5 = LUT3(e4, e2, t1, 0xE6);
  const word e6 = LUT3(e5, e4, e1, 0x68);
  const word e7 = LUT3(b0, a0, u0, 0x96);
  const word e8 = LUT3(e7, cb, u0, 0x3A);
  const word e9 = LUT3(e8, e2, u1, 0xE6);
  const word e10 = LUT3(e9, e8, e1, 0x68);
  *next_a = e6;
  *next_b = e10;
}
// 7 gates and 6 operations for two rows, 0 copies
MOOREA_STEP void next_34_life_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = LUT3(t0, e0, ca, 0xD4);
  const word e6 = LUT3(e5, e3, t1, 0x96);
  const word e7 = LUT3(t1, e4, e3, 0x36);
  const word e8 = AND_NOT(e7, e6);
  const word e9 = LUT3(e0, u0, cb, 0xD4);
  const word e10 = LUT3(e9, e3, u1, 0x96);
  const word e11 = LUT3(e4, e3, u1, 0x1E);
  const word e12 = AND_NOT(e11, e10);
  *next_a = e8;
  *next_b = e12;
}
#endif
// 25 operations for two rows
MOOREA_STEP void next_34_life_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = t0 ^ ca;
  const word e8 = ca ^ e0;
  const word e9 = AND_NOT(e8, e7);
  const word e10 = t0 ^ e9;
  const word e11 = t1 ^ e10;
  const word e12 = e3 ^ e11;
  const word e13 = t1 | e3;
  const word e14 = e6 ^ e13;
  const word e15 = AND_NOT(e14, e12);
  const word e16 = u0 & e0;
  const word e17 = u0 ^ e0;
  const word e18 = AND_NOT(e17, cb);
  const word e19 = e16 ^ e18;
  const word e20 = u1 ^ e19;
  const word e21 = e3 ^ e20;
  const word e22 = u1 | e3;
  const word e23 = e6 ^ e22;
  const word e24 = AND_NOT(e23, e21);
  *next_a = e15;
  *next_b = e24;
}

// Amoeba, B357/S1358: 9 gates a word with the row's sum, 22.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_amoeba_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x96);
  const word e1 = LUT3(t0, a0, ca, 0xE8);
  const word e2 = LUT3(e0, t1, b0, 0xE0);
  const word e3 = LUT3(e1, e2, b0, 0xB2);
  const word e4 = LUT3(e3, b1, a1, 0x81);
  const word e5 = LUT3(e4, t1, e3, 0x6F);
  const word e6 = LUT3(e5, e0, ca, 0x68);
  const word e7 = LUT3(u0, b0, a0, 0x96);
  const word e8 = LUT3(u0, b0, cb, 0xE8);
  const word e9 = LUT3(e7, u1, a0, 0xE0);
  const word e10 = LUT3(e8, e9, a0, 0xB2);
  const word e11 = LUT3(e10, a1, b1, 0x81);
  const word e12 = LUT3(e11, u1, e10, 0x6F);
  const word e13 = LUT3(e12, e7, cb, 0x68);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 9 operations for two rows, 0 copies
MOOREA_STEP void next_amoeba_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = ca ^ e1;
  const word e3 = e2 | b1;
  const word e4 = LUT3(t0, b0, e3, 0x06);
  const word e5 = LUT3(e4, a0, e1, 0xB2);
  const word e6 = LUT3(e5, t1, a1, 0x18);
  const word e7 = t1 ^ b1;
  const word e8 = AND_NOT(e6, e7);
  const word e9 = LUT3(e8, e1, ca, 0x86);
  const word e10 = e0 ^ u0;
  const word e11 = a1 ^ u1;
  const word e12 = LUT3(a1, e10, cb, 0xF6);
  const word e13 = LUT3(a0, u0, e12, 0x12);
  const word e14 = LUT3(e13, b0, e10, 0xB2);
  const word e15 = LUT3(e14, u1, b1, 0x18);
  const word e16 = AND_NOT(e15, e11);
  const word e17 = LUT3(e16, e10, cb, 0x86);
  *next_a = e9;
  *next_b = e17;
}
#endif
// 35 operations for two rows
MOOREA_STEP void next_amoeba_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = ca ^ e1;
  const word e3 = b1 | e2;
  const word e4 = b0 ^ e3;
  const word e5 = AND_NOT(e4, t0);
  const word e6 = a0 ^ e5;
  const word e7 = e5 & e6;
  const word e8 = AND_NOT(e1, e6);
  const word e9 = e7 | e8;
  const word e10 = t1 ^ e9;
  const word e11 = t1 ^ a1;
  const word e12 = AND_NOT(e10, e11);
  const word e13 = t1 ^ b1;
  const word e14 = AND_NOT(e12, e13);
  const word e15 = AND_NOT(e14, e1);
  const word e16 = e2 ^ e14;
  const word e17 = AND_NOT(e16, e15);
  const word e18 = u0 ^ e0;
  const word e19 = cb ^ e18;
  const word e20 = a1 | e19;
  const word e21 = a0 ^ e20;
  const word e22 = AND_NOT(e21, u0);
  const word e23 = b0 ^ e18;
  const word e24 = b0 & e23;
  const word e25 = e22 | e23;
  const word e26 = AND_NOT(e25, e24);
  const word e27 = b1 ^ e26;
  const word e28 = b1 ^ u1;
  const word e29 = AND_NOT(e27, e28);
  const word e30 = a1 ^ u1;
  const word e31 = AND_NOT(e29, e30);
  const word e32 = e18 | e19;
  const word e33 = e19 ^ e31;
  const word e34 = e32 & e33;
  *next_a = e17;
  *next_b = e34;
}

// AntiLife, B0123478/S01234678: 7.5 gates a word with the row's sum, 19.5 operations.
#ifdef LUT3
// 11 gates for two rows
MOOREA_STEP void next_antilife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, a1, a0, 0x17);
  const word e1 = LUT3(e0, b1, a1, 0x16);
  const word e2 = LUT3(e1, b0, a0, 0x81);
  const word e3 = LUT3(t0, e2, e1, 0x2E);
  const word e4 = LUT3(e3, t1, e0, 0x49);
  const word e5 = LUT3(t0, b0, a0, 0x69);
  const word e6 = LUT3(e4, e5, ca, 0x2F);
  const word e7 = LUT3(u0, e2, e1, 0x2E);
  const word e8 = LUT3(e7, u1, e0, 0x49);
  const word e9 = LUT3(u0, b0, a0, 0x69);
  const word e10 = LUT3(e8, e9, cb, 0x2F);
  *next_a = e6;
  *next_b = e10;
}
// 9 gates and 3 operations for two rows, 1 copy
MOOREA_STEP void next_antilife_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, a1, a0, 0xE8);  // a copy
  const word e1 = LUT3(a1, e0, b1, 0xB6);
  const word e2 = a0 ^ b0;
  const word e3 = LUT3(a0, e1, b0, 0x24);
  const word e4 = e2 ^ t0;
  const word e5 = LUT3(t0, e3, e1, 0xE2);
  const word e6 = LUT3(e5, t1, e0, 0x68);
  const word e7 = LUT3(e6, e4, ca, 0x8F);
  const word e8 = LUT3(e3, u0, e1, 0xCA);
  const word e9 = LUT3(e8, u1, e0, 0x68);
  const word e10 = e2 ^ u0;
  const word e11 = LUT3(e9, e10, cb, 0x8F);
  *next_a = e7;
  *next_b = e11;
}
#endif
// 29 operations for two rows
MOOREA_STEP void next_antilife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = t0 ^ e0;
  const word e8 = ca & e7;
  const word e9 = e0 | e7;
  const word e10 = AND_NOT(e9, e8);
  const word e11 = t1 ^ e10;
  const word e12 = e3 ^ e11;
  const word e13 = t1 & e3;
  const word e14 = e6 ^ e13;
  const word e15 = AND_NOT(e14, e8);
  const word e16 = e12 & e15;
  const word e17 = u0 ^ e0;
  const word e18 = cb & e17;
  const word e19 = u0 | e0;
  const word e20 = AND_NOT(e19, e18);
  const word e21 = u1 ^ e20;
  const word e22 = e3 ^ e21;
  const word e23 = u1 & e3;
  const word e24 = e6 ^ e23;
  const word e25 = e22 & e24;
  const word e26 = AND_NOT(e25, e18);
  const word e27 = ~e16;
  const word e28 = ~e26;
  *next_a = e27;
  *next_b = e28;
}

// Assimilation, B345/S4567: 9 gates a word with the row's sum, 21.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_assimilation_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(ca, e2, t1, 0x69);
  const word e5 = LUT3(e4, e0, t0, 0x7E);
  const word e6 = e5 ^ e4;
  const word e7 = LUT3(e2, t1, e6, 0x17);
  const word e8 = LUT3(e3, e5, e7, 0x94);
  const word e9 = LUT3(cb, e2, u1, 0x69);
  const word e10 = LUT3(e9, e0, u0, 0x7E);
  const word e11 = e10 ^ e9;
  const word e12 = LUT3(e2, u1, e11, 0x17);
  const word e13 = LUT3(e3, e10, e12, 0x94);
  *next_a = e8;
  *next_b = e13;
}
// 8 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_assimilation_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = ca ^ t1;
  const word e6 = e5 ^ e3;
  const word e7 = LUT3(t0, e6, e0, 0x24);
  const word e8 = e6 ^ e7;
  const word e9 = LUT3(t1, e3, e8, 0xE8);
  const word e10 = LUT3(e7, e4, e9, 0x86);
  const word e11 = LUT3(cb, e3, u1, 0x96);
  const word e12 = LUT3(e0, e11, u0, 0x24);
  const word e13 = e11 ^ e12;
  const word e14 = LUT3(e3, u1, e13, 0xE8);
  const word e15 = LUT3(e4, e12, e14, 0x92);
  *next_a = e10;
  *next_b = e15;
}
#endif
// 33 operations for two rows
MOOREA_STEP void next_assimilation_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = AND_NOT(a0, e0);
  const word e2 = b1 ^ e1;
  const word e3 = a1 ^ e2;
  const word e4 = e1 | e2;
  const word e5 = e2 & e3;
  const word e6 = e4 ^ e5;
  const word e7 = t1 ^ e3;
  const word e8 = ca ^ e7;
  const word e9 = t0 ^ e0;
  const word e10 = e0 ^ e8;
  const word e11 = AND_NOT(e10, e9);
  const word e12 = e8 ^ e11;
  const word e13 = AND_NOT(t1, e7);
  const word e14 = e7 & e12;
  const word e15 = e13 | e14;
  const word e16 = e6 ^ e15;
  const word e17 = AND_NOT(e11, e15);
  const word e18 = e16 | e17;
  const word e19 = e11 ^ e18;
  const word e20 = u1 ^ e3;
  const word e21 = cb ^ e20;
  const word e22 = e0 ^ e21;
  const word e23 = u0 ^ e21;
  const word e24 = e22 & e23;
  const word e25 = e21 ^ e24;
  const word e26 = e20 & e25;
  const word e27 = u1 & e3;
  const word e28 = e26 | e27;
  const word e29 = AND_NOT(e24, e6);
  const word e30 = e28 | e29;
  const word e31 = e6 ^ e30;
  const word e32 = e24 ^ e31;
  *next_a = e19;
  *next_b = e32;
}

// Bacteria, B34/S456: 9 gates a word with the row's sum, 22.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_bacteria_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a0, 0x03);
  const word e2 = LUT3(a1, b1, e1, 0x96);
  const word e3 = LUT3(e2, e1, b1, 0xB2);
  const word e4 = t1 ^ e2;
  const word e5 = LUT3(e2, e3, t1, 0x9C);
  const word e6 = LUT3(e0, e5, t0, 0x71);
  const word e7 = LUT3(e4, ca, e6, 0xAD);
  const word e8 = LUT3(ca, e7, e5, 0x94);
  const word e9 = u1 ^ e2;
  const word e10 = LUT3(e2, e3, u1, 0x9C);
  const word e11 = LUT3(e0, e10, u0, 0x71);
  const word e12 = LUT3(e9, cb, e11, 0xAD);
  const word e13 = LUT3(cb, e12, e10, 0x94);
  *next_a = e8;
  *next_b = e13;
}
// 8 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_bacteria_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(e1, e3, b1, 0xB2);
  const word e5 = t1 ^ e3;
  const word e6 = t1 | e3;
  const word e7 = e6 ^ e4;
  const word e8 = LUT3(t0, e0, e7, 0x8E);
  const word e9 = LUT3(e5, ca, e8, 0xDA);
  const word e10 = LUT3(ca, e9, e7, 0x68);
  const word e11 = u1 ^ e3;
  const word e12 = LUT3(e3, e4, u1, 0x36);
  const word e13 = LUT3(e0, e12, u0, 0xD4);
  const word e14 = LUT3(e11, cb, e13, 0xDA);
  const word e15 = LUT3(cb, e14, e12, 0x68);
  *next_a = e10;
  *next_b = e15;
}
#endif
// 35 operations for two rows
MOOREA_STEP void next_bacteria_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = b1 ^ e1;
  const word e3 = a1 ^ e2;
  const word e4 = e2 & e3;
  const word e5 = b1 | e1;
  const word e6 = AND_NOT(e5, e4);
  const word e7 = t1 ^ e3;
  const word e8 = e3 | e7;
  const word e9 = e6 ^ e8;
  const word e10 = e0 ^ e9;
  const word e11 = AND_NOT(e10, t0);
  const word e12 = e0 & e9;
  const word e13 = e11 ^ e12;
  const word e14 = ca & e13;
  const word e15 = e7 ^ e13;
  const word e16 = e14 | e15;
  const word e17 = ca | e16;
  const word e18 = ca ^ e16;
  const word e19 = AND_NOT(e17, e9);
  const word e20 = e18 ^ e19;
  const word e21 = u1 ^ e3;
  const word e22 = u1 | e21;
  const word e23 = e6 ^ e22;
  const word e24 = e0 ^ e23;
  const word e25 = u0 & e24;
  const word e26 = e0 | e24;
  const word e27 = AND_NOT(e26, e25);
  const word e28 = cb & e27;
  const word e29 = AND_NOT(e21, e28);
  const word e30 = e27 ^ e29;
  const word e31 = cb ^ e30;
  const word e32 = e23 ^ e31;
  const word e33 = cb | e31;
  const word e34 = AND_NOT(e33, e32);
  *next_a = e20;
  *next_b = e34;
}

// Coagulations, B378/S235678: 9 gates a word with the row's sum, 24 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_coagulations_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(e2, t0, t1, 0xE8);
  const word e5 = LUT3(e3, e2, t1, 0x19);
  const word e6 = LUT3(e4, e3, ca, 0x17);
  const word e7 = LUT3(t0, e0, e6, 0x69);
  const word e8 = LUT3(e7, e5, e6, 0x71);
  const word e9 = LUT3(e2, u0, u1, 0xE8);
  const word e10 = LUT3(e3, e2, u1, 0x19);
  const word e11 = LUT3(e9, e3, cb, 0x17);
  const word e12 = LUT3(u0, e0, e11, 0x69);
  const word e13 = LUT3(e12, e10, e11, 0x71);
  *next_a = e8;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 1 copy
MOOREA_STEP void next_coagulations_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = t0 ^ e0;
  const word e6 = LUT3(t0, e3, t1, 0xE8);
  const word e7 = LUT3(t1, e4, e3, 0xDA);
  const word e8 = LUT3(e6, e4, ca, 0xE8);
  const word e9 = e5 ^ e8;
  const word e10 = LUT3(e9, e7, e8, 0xE8);
  const word e11 = LUT3(e3, u0, u1, 0xE8);  // a copy
  const word e12 = LUT3(e3, e4, u1, 0xDA);
  const word e13 = LUT3(e11, e4, cb, 0xE8);
  const word e14 = e0 ^ u0;
  const word e15 = e14 ^ e13;
  const word e16 = LUT3(e15, e12, e13, 0xE8);
  *next_a = e10;
  *next_b = e16;
}
#endif
// 38 operations for two rows
MOOREA_STEP void next_coagulations_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = AND_NOT(b0, e0);
  const word e2 = a1 ^ e1;
  const word e3 = b1 ^ e2;
  const word e4 = a1 ^ e3;
  const word e5 = AND_NOT(e2, e4);
  const word e6 = a1 ^ e5;
  const word e7 = t1 ^ e3;
  const word e8 = AND_NOT(e3, e7);
  const word e9 = t0 & e7;
  const word e10 = e8 | e9;
  const word e11 = e3 & e6;
  const word e12 = e7 | e11;
  const word e13 = ca ^ e10;
  const word e14 = ca & e10;
  const word e15 = e6 & e13;
  const word e16 = e14 | e15;
  const word e17 = e0 ^ e16;
  const word e18 = t0 ^ e17;
  const word e19 = e16 | e18;
  const word e20 = e16 & e18;
  const word e21 = e12 & e19;
  const word e22 = e20 | e21;
  const word e23 = u1 ^ e3;
  const word e24 = AND_NOT(e3, e23);
  const word e25 = u0 & e23;
  const word e26 = e24 ^ e25;
  const word e27 = e11 | e23;
  const word e28 = e6 ^ e26;
  const word e29 = e6 | e28;
  const word e30 = AND_NOT(e28, cb);
  const word e31 = AND_NOT(e29, e30);
  const word e32 = u0 ^ e31;
  const word e33 = e0 ^ e32;
  const word e34 = e27 & e33;
  const word e35 = e27 | e33;
  const word e36 = e31 & e35;
  const word e37 = e34 | e36;
  *next_a = e22;
  *next_b = e37;
}

// Coral, B3/S45678: 9 gates a word with the row's sum, 20 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_coral_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x69);
  const word e1 = LUT3(b1, a1, t1, 0x17);
  const word e2 = LUT3(t0, e0, a0, 0x24);
  const word e3 = LUT3(a1, b1, t1, 0x7E);
  const word e4 = LUT3(e3, e2, ca, 0xC1);
  const word e5 = LUT3(e4, e0, e1, 0x06);
  const word e6 = LUT3(e5, e0, ca, 0x92);
  const word e7 = LUT3(u0, b0, a0, 0x69);
  const word e8 = LUT3(a1, b1, u1, 0x17);
  const word e9 = LUT3(u0, e7, b0, 0x24);
  const word e10 = LUT3(b1, a1, u1, 0x7E);
  const word e11 = LUT3(e10, e9, cb, 0xC1);
  const word e12 = LUT3(e11, e7, e8, 0x06);
  const word e13 = LUT3(e12, e7, cb, 0x92);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_coral_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = LUT3(t1, e4, e3, 0xDA);
  const word e6 = t0 | e0;
  const word e7 = LUT3(t0, e5, e0, 0x48);
  const word e8 = e6 ^ e3;
  const word e9 = LUT3(e8, e5, e4, 0x56);
  const word e10 = LUT3(e7, e9, ca, 0x62);
  const word e11 = u0 | e0;
  const word e12 = e11 ^ e3;
  const word e13 = LUT3(e3, e4, u1, 0xDA);
  const word e14 = LUT3(e0, u0, e13, 0x28);
  const word e15 = LUT3(e12, e13, e4, 0x56);
  const word e16 = LUT3(e14, e15, cb, 0x62);
  *next_a = e10;
  *next_b = e16;
}
#endif
// 30 operations for two rows
MOOREA_STEP void next_coral_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = e3 & e6;
  const word e8 = AND_NOT(t1, e7);
  const word e9 = e3 ^ e8;
  const word e10 = t0 ^ e0;
  const word e11 = e9 & e10;
  const word e12 = t0 | e10;
  const word e13 = e3 ^ e12;
  const word e14 = e9 | e13;
  const word e15 = e6 ^ e14;
  const word e16 = ca ^ e15;
  const word e17 = AND_NOT(e15, e11);
  const word e18 = AND_NOT(e16, e17);
  const word e19 = AND_NOT(u1, e7);
  const word e20 = e3 ^ e19;
  const word e21 = u0 ^ e0;
  const word e22 = e20 & e21;
  const word e23 = u0 | e21;
  const word e24 = e3 ^ e23;
  const word e25 = e20 | e24;
  const word e26 = e6 ^ e25;
  const word e27 = AND_NOT(e26, e22);
  const word e28 = cb | e27;
  const word e29 = e26 ^ e28;
  *next_a = e18;
  *next_b = e29;
}

// Corrosion of Conformity, B3/S124: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_corrosion_of_conformity_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(t0, ca, e0, 0x69);
  const word e5 = LUT3(e0, e4, t0, 0x17);
  const word e6 = LUT3(e5, e2, t1, 0x61);
  const word e7 = LUT3(e4, e6, e3, 0x94);
  const word e8 = LUT3(e7, ca, e4, 0xD0);
  const word e9 = LUT3(u0, cb, e0, 0x69);
  const word e10 = LUT3(e0, e9, u0, 0x17);
  const word e11 = LUT3(e10, e2, u1, 0x61);
  const word e12 = LUT3(e9, e11, e3, 0x94);
  const word e13 = LUT3(e12, cb, e9, 0xD0);
  *next_a = e8;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_corrosion_of_conformity_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = t0 ^ ca;
  const word e6 = e5 ^ e0;
  const word e7 = LUT3(t0, e0, e6, 0xD4);
  const word e8 = LUT3(e7, e3, t1, 0x16);
  const word e9 = LUT3(e8, e6, e4, 0x9E);
  const word e10 = LUT3(e9, ca, e6, 0x0E);
  const word e11 = u0 ^ cb;
  const word e12 = e11 ^ e0;
  const word e13 = LUT3(e0, e12, u0, 0xB2);
  const word e14 = LUT3(e13, e3, u1, 0x16);
  const word e15 = LUT3(e14, e12, e4, 0x9E);
  const word e16 = LUT3(e15, cb, e12, 0x0E);
  *next_a = e10;
  *next_b = e16;
}
#endif
// 34 operations for two rows
MOOREA_STEP void next_corrosion_of_conformity_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = t0 & e0;
  const word e3 = a0 & b0;
  const word e4 = e2 | e3;
  const word e5 = a1 ^ b1;
  const word e6 = t1 ^ e5;
  const word e7 = AND_NOT(a1, e5);
  const word e8 = t1 & e5;
  const word e9 = e7 ^ e8;
  const word e10 = e4 & e6;
  const word e11 = e9 ^ e10;
  const word e12 = ca ^ e1;
  const word e13 = e1 | e12;
  const word e14 = e11 & e12;
  const word e15 = AND_NOT(e13, e14);
  const word e16 = e4 ^ e6;
  const word e17 = e11 ^ e16;
  const word e18 = e15 & e17;
  const word e19 = u0 ^ e0;
  const word e20 = AND_NOT(e0, e19);
  const word e21 = e3 ^ e20;
  const word e22 = u1 ^ e5;
  const word e23 = u1 & e5;
  const word e24 = e7 | e23;
  const word e25 = e21 & e22;
  const word e26 = e24 ^ e25;
  const word e27 = cb ^ e26;
  const word e28 = cb & e27;
  const word e29 = AND_NOT(e19, e27);
  const word e30 = e28 ^ e29;
  const word e31 = e21 ^ e22;
  const word e32 = e26 ^ e31;
  const word e33 = e30 & e32;
  *next_a = e18;
  *next_b = e33;
}

// DotLife, B3/S023: 9 gates a word with the row's sum, 20.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_dotlife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(e3, e2, t1, 0x1E);
  const word e5 = LUT3(e4, e0, t0, 0x60);
  const word e6 = LUT3(e2, e0, t0, 0x78);
  const word e7 = LUT3(t1, e3, e6, 0xDA);
  const word e8 = LUT3(e5, e7, ca, 0xC2);
  const word e9 = LUT3(e3, e2, u1, 0x1E);
  const word e10 = LUT3(e9, e0, u0, 0x60);
  const word e11 = LUT3(e2, e0, u0, 0x78);
  const word e12 = LUT3(u1, e3, e11, 0xDA);
  const word e13 = LUT3(e10, e12, cb, 0xC2);
  *next_a = e8;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_dotlife_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = t0 & e0;
  const word e6 = e5 ^ e3;
  const word e7 = LUT3(e6, t1, e4, 0xBC);
  const word e8 = LUT3(t1, e4, e3, 0x36);
  const word e9 = LUT3(e8, e0, t0, 0x60);
  const word e10 = LUT3(e9, e7, ca, 0xC2);
  const word e11 = u0 & e0;
  const word e12 = e11 ^ e3;
  const word e13 = LUT3(e3, e4, u1, 0x36);
  const word e14 = LUT3(e13, e0, u0, 0x60);
  const word e15 = LUT3(e4, u1, e12, 0xE6);
  const word e16 = LUT3(e14, e15, cb, 0xC2);
  *next_a = e10;
  *next_b = e16;
}
#endif
// 31 operations for two rows
MOOREA_STEP void next_dotlife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = t1 | e3;
  const word e8 = e6 ^ e7;
  const word e9 = t0 ^ e0;
  const word e10 = e8 & e9;
  const word e11 = AND_NOT(t0, e9);
  const word e12 = e3 ^ e11;
  const word e13 = e6 & e12;
  const word e14 = AND_NOT(t1, e13);
  const word e15 = e12 ^ e14;
  const word e16 = ca | e15;
  const word e17 = AND_NOT(e16, e10);
  const word e18 = e15 ^ e17;
  const word e19 = u1 | e3;
  const word e20 = e6 ^ e19;
  const word e21 = u0 ^ e0;
  const word e22 = e20 & e21;
  const word e23 = AND_NOT(u0, e21);
  const word e24 = e3 ^ e23;
  const word e25 = u1 ^ e24;
  const word e26 = e6 & e24;
  const word e27 = e25 | e26;
  const word e28 = cb | e22;
  const word e29 = AND_NOT(e28, e27);
  const word e30 = e22 ^ e29;
  *next_a = e18;
  *next_b = e30;
}

// DryLife, B37/S23: 9 gates a word with the row's sum, 20 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_drylife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x96);
  const word e1 = LUT3(t0, a0, b0, 0xE8);
  const word e2 = LUT3(e1, t1, a1, 0xE8);
  const word e3 = LUT3(e1, t1, a1, 0x7E);
  const word e4 = LUT3(e0, e3, b1, 0x6B);
  const word e5 = LUT3(e0, ca, e4, 0x16);
  const word e6 = LUT3(e2, e4, e5, 0x24);
  const word e7 = LUT3(u0, b0, a0, 0x96);
  const word e8 = LUT3(u0, b0, a0, 0xE8);
  const word e9 = LUT3(e8, u1, b1, 0xE8);
  const word e10 = LUT3(e8, u1, b1, 0x7E);
  const word e11 = LUT3(e7, e10, a1, 0x6B);
  const word e12 = LUT3(e7, cb, e11, 0x16);
  const word e13 = LUT3(e9, e11, e12, 0x24);
  *next_a = e6;
  *next_b = e13;
}
// 10 gates and 7 operations for two rows, 0 copies
MOOREA_STEP void next_drylife_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = ca | e1;
  const word e3 = LUT3(ca, b1, t1, 0x86);
  const word e4 = LUT3(t1, b1, e3, 0x94);
  const word e5 = LUT3(e3, a0, a1, 0x16);
  const word e6 = LUT3(t0, e1, b0, 0xE8);
  const word e7 = LUT3(e6, e5, e4, 0xB6);
  const word e8 = AND_NOT(e2, e7);
  const word e9 = e0 ^ u0;
  const word e10 = cb | e9;
  const word e11 = LUT3(cb, a1, u1, 0x86);
  const word e12 = LUT3(a1, u1, e11, 0x94);
  const word e13 = LUT3(e11, b0, b1, 0x16);
  const word e14 = LUT3(e9, u0, a0, 0xE8);
  const word e15 = LUT3(e14, e13, e12, 0xB6);
  const word e16 = AND_NOT(e10, e15);
  *next_a = e8;
  *next_b = e16;
}
#endif
// 30 operations for two rows
MOOREA_STEP void next_drylife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = t0 & e0;
  const word e3 = a0 & b0;
  const word e4 = e2 | e3;
  const word e5 = a1 ^ b1;
  const word e6 = t1 ^ e5;
  const word e7 = AND_NOT(a1, e5);
  const word e8 = t1 & e5;
  const word e9 = e7 ^ e8;
  const word e10 = e4 & e6;
  const word e11 = e9 ^ e10;
  const word e12 = e1 ^ e4;
  const word e13 = e6 ^ e12;
  const word e14 = ca & e11;
  const word e15 = e1 ^ e14;
  const word e16 = AND_NOT(e15, e13);
  const word e17 = u0 ^ e0;
  const word e18 = AND_NOT(e0, e17);
  const word e19 = e3 ^ e18;
  const word e20 = u1 ^ e5;
  const word e21 = u1 & e5;
  const word e22 = e7 | e21;
  const word e23 = e19 & e20;
  const word e24 = e22 ^ e23;
  const word e25 = e17 ^ e19;
  const word e26 = e20 ^ e25;
  const word e27 = cb & e24;
  const word e28 = e17 ^ e27;
  const word e29 = AND_NOT(e28, e26);
  *next_a = e16;
  *next_b = e29;
}

// EightLife, B3/S238: 8.5 gates a word with the row's sum, 20.5 operations.
#ifdef LUT3
// 13 gates for two rows
MOOREA_STEP void next_eightlife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = b0 | a0;
  const word e1 = LUT3(e0, b1, a1, 0x7E);
  const word e2 = LUT3(e0, b1, a1, 0x16);
  const word e3 = LUT3(b0, a0, t0, 0x96);
  const word e4 = LUT3(e3, e1, ca, 0xC8);
  const word e5 = LUT3(e4, e3, t0, 0x78);
  const word e6 = LUT3(e4, e3, t1, 0x58);
  const word e7 = LUT3(e6, e5, e2, 0x68);
  const word e8 = LUT3(b0, a0, u0, 0x96);
  const word e9 = LUT3(e8, e1, cb, 0xC8);
  const word e10 = LUT3(e9, e8, u0, 0x78);
  const word e11 = LUT3(e9, e8, u1, 0x58);
  const word e12 = LUT3(e11, e10, e2, 0x68);
  *next_a = e7;
  *next_b = e12;
}
// 9 gates and 6 operations for two rows, 1 copy
MOOREA_STEP void next_eightlife_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = b0 | a0;
  const word e1 = LUT3(e0, b1, a1, 0x7E);  // a copy
  const word e2 = LUT3(e0, b1, a1, 0x16);
  const word e3 = a0 ^ b0;
  const word e4 = e3 ^ t0;
  const word e5 = LUT3(ca, e4, e1, 0xA8);
  const word e6 = LUT3(t0, e5, e4, 0x6C);
  const word e7 = LUT3(e5, e4, t1, 0x58);
  const word e8 = LUT3(e7, e6, e2, 0x68);
  const word e9 = e3 ^ u0;
  const word e10 = LUT3(e1, e9, cb, 0xE0);
  const word e11 = u0 & e9;
  const word e12 = e11 ^ e10;
  const word e13 = LUT3(e10, e9, u1, 0x58);
  const word e14 = LUT3(e13, e12, e2, 0x68);
  *next_a = e8;
  *next_b = e14;
}
#endif
// 31 operations for two rows
MOOREA_STEP void next_eightlife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 | b0;
  const word e1 = a1 ^ b1;
  const word e2 = a1 ^ e0;
  const word e3 = e1 | e2;
  const word e4 = e0 & e3;
  const word e5 = e1 ^ e4;
  const word e6 = a0 ^ b0;
  const word e7 = t0 ^ e6;
  const word e8 = ca | e7;
  const word e9 = e3 & e8;
  const word e10 = t0 & e7;
  const word e11 = e9 ^ e10;
  const word e12 = t1 ^ e9;
  const word e13 = e7 | e9;
  const word e14 = e12 & e13;
  const word e15 = e5 | e14;
  const word e16 = e11 ^ e14;
  const word e17 = AND_NOT(e15, e16);
  const word e18 = e5 ^ e17;
  const word e19 = u0 ^ e6;
  const word e20 = cb | e19;
  const word e21 = e3 & e20;
  const word e22 = u0 & e19;
  const word e23 = e21 ^ e22;
  const word e24 = e19 | e21;
  const word e25 = u1 & e24;
  const word e26 = e21 ^ e25;
  const word e27 = e5 & e23;
  const word e28 = e26 ^ e27;
  const word e29 = e5 | e23;
  const word e30 = e28 & e29;
  *next_a = e18;
  *next_b = e30;
}

// Flock, B3/S12: 7.5 gates a word with the row's sum, 18 operations.
#ifdef LUT3
// 11 gates for two rows
MOOREA_STEP void next_flock_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, a1, a0, 0x6A);
  const word e1 = b1 | a1;
  const word e2 = LUT3(e0, b0, a0, 0xBC);
  const word e3 = LUT3(b0, a0, t0, 0x96);
  const word e4 = LUT3(e3, e2, t0, 0x9E);
  const word e5 = LUT3(e4, e1, t1, 0x16);
  const word e6 = LUT3(e5, e3, ca, 0xE0);
  const word e7 = LUT3(b0, a0, u0, 0x96);
  const word e8 = LUT3(e7, e2, u0, 0x9E);
  const word e9 = LUT3(e8, e1, u1, 0x16);
  const word e10 = LUT3(e9, e7, cb, 0xE0);
  *next_a = e6;
  *next_b = e10;
}
// 7 gates and 6 operations for two rows, 0 copies
MOOREA_STEP void next_flock_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a1 & b1;
  const word e1 = e0 ^ a0;
  const word e2 = a1 | b1;
  const word e3 = LUT3(e1, b0, a0, 0xBC);
  const word e4 = a0 ^ b0;
  const word e5 = e4 ^ t0;
  const word e6 = LUT3(t0, e5, e3, 0xB6);
  const word e7 = LUT3(e6, e2, t1, 0x16);
  const word e8 = LUT3(e7, e5, ca, 0xE0);
  const word e9 = e4 ^ u0;
  const word e10 = LUT3(e3, e9, u0, 0xB6);
  const word e11 = LUT3(e10, e2, u1, 0x16);
  const word e12 = LUT3(e11, e9, cb, 0xE0);
  *next_a = e8;
  *next_b = e12;
}
#endif
// 26 operations for two rows
MOOREA_STEP void next_flock_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = a1 ^ b1;
  const word e3 = t1 & e2;
  const word e4 = a1 & b1;
  const word e5 = e3 ^ e4;
  const word e6 = ca | e1;
  const word e7 = e5 & e6;
  const word e8 = t1 ^ e2;
  const word e9 = b0 | e0;
  const word e10 = AND_NOT(e0, t0);
  const word e11 = AND_NOT(e9, e10);
  const word e12 = e8 ^ e11;
  const word e13 = AND_NOT(e12, e7);
  const word e14 = e6 & e13;
  const word e15 = u0 ^ e0;
  const word e16 = u1 & e2;
  const word e17 = e4 ^ e16;
  const word e18 = cb | e15;
  const word e19 = e17 & e18;
  const word e20 = u1 ^ e2;
  const word e21 = e0 & e15;
  const word e22 = AND_NOT(e9, e21);
  const word e23 = e20 ^ e22;
  const word e24 = AND_NOT(e23, e19);
  const word e25 = e18 & e24;
  *next_a = e14;
  *next_b = e25;
}

// Geology, B3578/S24678: 6 gates a word with the row's sum, 17 operations.
#ifdef LUT3
// 8 gates for two rows
MOOREA_STEP void next_geology_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = LUT3(b1, b0, a0, 0xD4);
  const word e1 = LUT3(e0, b0, a1, 0x8E);
  const word e2 = LUT3(b0, a0, t0, 0x96);
  const word e3 = LUT3(e1, b1, t1, 0xD4);
  const word e4 = LUT3(e3, e2, t1, 0xE8);
  const word e5 = LUT3(b0, a0, u0, 0x96);
  const word e6 = LUT3(e1, b1, u1, 0xD4);
  const word e7 = LUT3(e6, e5, u1, 0xE8);
  *next_a = e4;
  *next_b = e7;
}
// 6 gates and 3 operations for two rows, 1 copy
MOOREA_STEP void next_geology_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b1, b0, 0x8E);
  const word e2 = LUT3(e1, b0, a1, 0x8E);
  const word e3 = t0 ^ e0;
  const word e4 = LUT3(e2, b1, t1, 0xD4);  // a copy
  const word e5 = LUT3(e4, e3, t1, 0xE8);
  const word e6 = e0 ^ u0;
  const word e7 = LUT3(e2, b1, u1, 0xD4);
  const word e8 = LUT3(e7, e6, u1, 0xE8);
  *next_a = e5;
  *next_b = e8;
}
#endif
// 24 operations for two rows
MOOREA_STEP void next_geology_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = a0 ^ b1;
  const word e1 = a0 ^ b0;
  const word e2 = AND_NOT(e0, e1);
  const word e3 = b0 ^ e2;
  const word e4 = AND_NOT(e3, b0);
  const word e5 = AND_NOT(b0, e3);
  const word e6 = a1 | e5;
  const word e7 = AND_NOT(e6, e4);
  const word e8 = t0 ^ e1;
  const word e9 = b1 ^ e7;
  const word e10 = t1 & e9;
  const word e11 = e7 | e9;
  const word e12 = e10 ^ e11;
  const word e13 = e8 ^ e12;
  const word e14 = t1 & e13;
  const word e15 = AND_NOT(e12, e13);
  const word e16 = e14 ^ e15;
  const word e17 = u0 ^ e1;
  const word e18 = u1 & e9;
  const word e19 = e11 ^ e18;
  const word e20 = e17 ^ e19;
  const word e21 = u1 ^ e17;
  const word e22 = AND_NOT(e20, e21);
  const word e23 = e19 ^ e22;
  *next_a = e16;
  *next_b = e23;
}

// Gnarl, B1/S1: 6.5 gates a word with the row's sum, 14.5 operations.
#ifdef LUT3
// 9 gates for two rows
MOOREA_STEP void next_gnarl_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, b0, a1, 0x96);
  const word e1 = LUT3(e0, b0, a0, 0x90);
  const word e2 = LUT3(e1, b1, a1, 0x8E);
  const word e3 = LUT3(b0, a0, t0, 0x96);
  const word e4 = LUT3(e3, e1, ca, 0x1A);
  const word e5 = LUT3(e4, e2, t1, 0x10);
  const word e6 = LUT3(b0, a0, u0, 0x96);
  const word e7 = LUT3(e6, e1, cb, 0x1A);
  const word e8 = LUT3(e7, e2, u1, 0x10);
  *next_a = e5;
  *next_b = e8;
}
// 6 gates and 4 operations for two rows, 1 copy
MOOREA_STEP void next_gnarl_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, b0, a1, 0x96);  // a copy
  const word e1 = a0 ^ b0;
  const word e2 = AND_NOT(e0, e1);
  const word e3 = LUT3(a1, e2, b1, 0xB2);
  const word e4 = t0 ^ e1;
  const word e5 = LUT3(e4, e2, ca, 0x1A);
  const word e6 = LUT3(e5, e3, t1, 0x10);
  const word e7 = e1 ^ u0;
  const word e8 = LUT3(e7, e2, cb, 0x1A);
  const word e9 = LUT3(e8, e3, u1, 0x10);
  *next_a = e6;
  *next_b = e9;
}
#endif
// 19 operations for two rows
MOOREA_STEP void next_gnarl_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a1 ^ b1;
  const word e1 = b0 ^ e0;
  const word e2 = a0 ^ b0;
  const word e3 = AND_NOT(e1, e2);
  const word e4 = e0 & e3;
  const word e5 = a1 | b1;
  const word e6 = e4 ^ e5;
  const word e7 = t0 ^ e2;
  const word e8 = e3 & e7;
  const word e9 = ca | e8;
  const word e10 = e7 ^ e9;
  const word e11 = t1 | e6;
  const word e12 = AND_NOT(e10, e11);
  const word e13 = u0 ^ e2;
  const word e14 = AND_NOT(e3, cb);
  const word e15 = AND_NOT(e13, e14);
  const word e16 = cb ^ e15;
  const word e17 = u1 | e6;
  const word e18 = AND_NOT(e16, e17);
  *next_a = e12;
  *next_b = e18;
}

// H-trees, B1/S012345678: 6 gates a word with the row's sum, 12.5 operations.
#ifdef LUT3
// 8 gates for two rows
MOOREA_STEP void next_h_trees_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b0, a1, a0, 0xEC);
  const word e1 = LUT3(b1, b0, a1, 0x78);
  const word e2 = LUT3(b0, a0, t0, 0x96);
  const word e3 = LUT3(e2, e1, t1, 0x10);
  const word e4 = LUT3(e3, e0, ca, 0xBA);
  const word e5 = LUT3(b0, a0, u0, 0x96);
  const word e6 = LUT3(e5, e1, u1, 0x10);
  const word e7 = LUT3(e6, e0, cb, 0xBA);
  *next_a = e4;
  *next_b = e7;
}
// 5 gates and 5 operations for two rows, 0 copies
MOOREA_STEP void next_h_trees_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a1, 0xEA);
  const word e2 = LUT3(a1, b1, b0, 0x6C);
  const word e3 = t0 ^ e0;
  const word e4 = t1 | e2;
  const word e5 = AND_NOT(e3, e4);
  const word e6 = LUT3(e5, e1, ca, 0xBA);
  const word e7 = e0 ^ u0;
  const word e8 = LUT3(e7, e2, u1, 0x10);
  const word e9 = LUT3(e8, e1, cb, 0xBA);
  *next_a = e6;
  *next_b = e9;
}
#endif
// 15 operations for two rows
MOOREA_STEP void next_h_trees_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 & b0;
  const word e1 = a1 | e0;
  const word e2 = a1 & b0;
  const word e3 = b1 ^ e2;
  const word e4 = a0 ^ b0;
  const word e5 = t0 ^ e4;
  const word e6 = AND_NOT(e5, t1);
  const word e7 = AND_NOT(e6, e3);
  const word e8 = AND_NOT(e7, e1);
  const word e9 = ca | e8;
  const word e10 = u0 ^ e4;
  const word e11 = u1 | e3;
  const word e12 = AND_NOT(e10, e11);
  const word e13 = AND_NOT(e12, e1);
  const word e14 = cb | e13;
  *next_a = e9;
  *next_b = e14;
}

// Holstein, B35678/S4678: 9 gates a word with the row's sum, 21 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_holstein_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);
  const word e1 = LUT3(b1, a1, t1, 0xE8);
  const word e2 = LUT3(b0, t0, a0, 0x69);
  const word e3 = LUT3(a1, b1, t1, 0x81);
  const word e4 = LUT3(e3, e2, e1, 0xA3);
  const word e5 = LUT3(a0, e0, e1, 0x47);
  const word e6 = LUT3(e5, e4, ca, 0x4D);
  const word e7 = LUT3(u0, b0, a0, 0x7E);
  const word e8 = LUT3(a1, b1, u1, 0xE8);
  const word e9 = LUT3(a0, u0, b0, 0x69);
  const word e10 = LUT3(b1, a1, u1, 0x81);
  const word e11 = LUT3(e10, e9, e8, 0xA3);
  const word e12 = LUT3(b0, e7, e8, 0x47);
  const word e13 = LUT3(e12, e11, cb, 0x4D);
  *next_a = e6;
  *next_b = e13;
}
// 8 gates and 6 operations for two rows, 0 copies
MOOREA_STEP void next_holstein_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = LUT3(t0, a0, b0, 0xE8);
  const word e3 = a1 ^ b1;
  const word e4 = e3 ^ t1;
  const word e5 = LUT3(t1, a1, b1, 0xE8);
  const word e6 = LUT3(e2, e4, ca, 0xD4);
  const word e7 = LUT3(e1, e5, e6, 0xE8);
  const word e8 = e0 ^ u0;
  const word e9 = LUT3(a0, u0, b0, 0xE8);
  const word e10 = e3 ^ u1;
  const word e11 = LUT3(a1, u1, b1, 0xE8);
  const word e12 = LUT3(e9, e10, cb, 0xD4);
  const word e13 = LUT3(e8, e11, e12, 0xE8);
  *next_a = e7;
  *next_b = e13;
}
#endif
// 32 operations for two rows
MOOREA_STEP void next_holstein_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = t0 & e0;
  const word e3 = a0 & b0;
  const word e4 = e2 | e3;
  const word e5 = a1 ^ b1;
  const word e6 = t1 ^ e5;
  const word e7 = AND_NOT(a1, e5);
  const word e8 = t1 & e5;
  const word e9 = e7 ^ e8;
  const word e10 = e4 ^ e6;
  const word e11 = ca ^ e4;
  const word e12 = e10 | e11;
  const word e13 = ca ^ e12;
  const word e14 = e1 ^ e9;
  const word e15 = e9 | e14;
  const word e16 = AND_NOT(e14, e13);
  const word e17 = AND_NOT(e15, e16);
  const word e18 = u0 ^ e0;
  const word e19 = u0 & e0;
  const word e20 = e3 ^ e19;
  const word e21 = u1 ^ e5;
  const word e22 = AND_NOT(e5, e21);
  const word e23 = e7 ^ e22;
  const word e24 = e20 ^ e21;
  const word e25 = e21 | e24;
  const word e26 = cb & e24;
  const word e27 = e25 ^ e26;
  const word e28 = e18 ^ e27;
  const word e29 = AND_NOT(e18, e28);
  const word e30 = e23 & e28;
  const word e31 = e29 ^ e30;
  *next_a = e17;
  *next_b = e31;
}

// HoneyLife, B38/S238: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_honeylife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a0, 0x03);
  const word e2 = LUT3(a1, b1, e1, 0x96);
  const word e3 = LUT3(a1, b1, e1, 0x2B);
  const word e4 = LUT3(e0, ca, t0, 0xD4);
  const word e5 = LUT3(t1, e4, e2, 0xDA);
  const word e6 = LUT3(e3, t1, e4, 0x59);
  const word e7 = LUT3(e0, e3, t0, 0x18);
  const word e8 = LUT3(e6, e7, e5, 0x4A);
  const word e9 = LUT3(e0, cb, u0, 0xD4);
  const word e10 = LUT3(u1, e9, e2, 0xDA);
  const word e11 = LUT3(e3, u1, e9, 0x59);
  const word e12 = LUT3(e0, e3, u0, 0x18);
  const word e13 = LUT3(e11, e12, e10, 0x4A);
  *next_a = e8;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_honeylife_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = LUT3(ca, e0, t0, 0xD4);
  const word e6 = t1 & e4;
  const word e7 = LUT3(t1, e5, e3, 0x1A);
  const word e8 = e6 ^ e5;
  const word e9 = LUT3(t0, e0, e4, 0x18);
  const word e10 = LUT3(e8, e9, e7, 0x58);
  const word e11 = LUT3(cb, e0, u0, 0xD4);
  const word e12 = LUT3(e3, u1, e11, 0x34);
  const word e13 = u1 & e4;
  const word e14 = e13 ^ e11;
  const word e15 = LUT3(e0, e4, u0, 0x42);
  const word e16 = LUT3(e14, e15, e12, 0x58);
  *next_a = e10;
  *next_b = e16;
}
#endif
// 34 operations for two rows
MOOREA_STEP void next_honeylife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 | e2;
  const word e5 = AND_NOT(e3, e1);
  const word e6 = AND_NOT(e4, e5);
  const word e7 = t0 ^ e0;
  const word e8 = AND_NOT(e0, t0);
  const word e9 = AND_NOT(ca, e7);
  const word e10 = e8 | e9;
  const word e11 = AND_NOT(e10, e3);
  const word e12 = AND_NOT(t1, e11);
  const word e13 = e3 ^ e12;
  const word e14 = t1 & e6;
  const word e15 = e10 ^ e14;
  const word e16 = e0 ^ e6;
  const word e17 = AND_NOT(e7, e16);
  const word e18 = AND_NOT(e13, e17);
  const word e19 = e15 | e18;
  const word e20 = e13 ^ e19;
  const word e21 = u0 ^ e0;
  const word e22 = AND_NOT(u0, e0);
  const word e23 = cb | e21;
  const word e24 = e22 ^ e23;
  const word e25 = u1 & e24;
  const word e26 = u1 ^ e3;
  const word e27 = AND_NOT(e26, e25);
  const word e28 = u1 & e6;
  const word e29 = e24 ^ e28;
  const word e30 = AND_NOT(e21, e16);
  const word e31 = e27 ^ e29;
  const word e32 = e29 | e30;
  const word e33 = e31 & e32;
  *next_a = e20;
  *next_b = e33;
}

// Iceballs, B25678/S5678: 9 gates a word with the row's sum, 20.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_iceballs_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);
  const word e1 = LUT3(b1, a1, t1, 0x17);
  const word e2 = LUT3(b0, t0, a0, 0x17);
  const word e3 = LUT3(a1, b1, t1, 0x69);
  const word e4 = LUT3(e3, e2, e3, 0x3F);
  const word e5 = LUT3(ca, e0, e3, 0x09);
  const word e6 = LUT3(e5, e4, e1, 0xD4);
  const word e7 = LUT3(u0, b0, a0, 0x7E);
  const word e8 = LUT3(a1, b1, u1, 0x17);
  const word e9 = LUT3(a0, u0, b0, 0x17);
  const word e10 = LUT3(b1, a1, u1, 0x69);
  const word e11 = LUT3(e10, e9, e10, 0x3F);
  const word e12 = LUT3(cb, e7, e10, 0x09);
  const word e13 = LUT3(e12, e11, e8, 0xD4);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 7 operations for two rows, 2 copies
MOOREA_STEP void next_iceballs_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);  // a copy
  const word e1 = a1 ^ b1;
  const word e2 = e1 ^ t1;
  const word e3 = LUT3(t1, b1, a1, 0xE8);
  const word e4 = LUT3(t0, b0, a0, 0xE8);
  const word e5 = e4 | e2;
  const word e6 = e0 ^ e2;
  const word e7 = AND_NOT(e6, ca);
  const word e8 = LUT3(e7, e5, e3, 0xE8);
  const word e9 = LUT3(u0, b0, a0, 0x7E);  // a copy
  const word e10 = LUT3(a1, b1, u1, 0xE8);
  const word e11 = LUT3(a0, u0, b0, 0xE8);
  const word e12 = e1 ^ u1;
  const word e13 = e11 | e12;
  const word e14 = LUT3(cb, e9, e12, 0x06);
  const word e15 = LUT3(e14, e13, e10, 0xE8);
  *next_a = e8;
  *next_b = e15;
}
#endif
// 31 operations for two rows
MOOREA_STEP void next_iceballs_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = t0 ^ a0;
  const word e1 = a0 ^ b0;
  const word e2 = e0 | e1;
  const word e3 = a1 ^ b1;
  const word e4 = AND_NOT(e3, t1);
  const word e5 = a1 | b1;
  const word e6 = e4 ^ e5;
  const word e7 = b0 ^ e2;
  const word e8 = e0 ^ e7;
  const word e9 = t1 ^ e3;
  const word e10 = e8 | e9;
  const word e11 = e2 ^ e9;
  const word e12 = AND_NOT(e11, ca);
  const word e13 = e10 ^ e12;
  const word e14 = e12 | e13;
  const word e15 = AND_NOT(e13, e6);
  const word e16 = e14 ^ e15;
  const word e17 = a0 ^ u0;
  const word e18 = e1 | e17;
  const word e19 = AND_NOT(e3, u1);
  const word e20 = AND_NOT(e5, e19);
  const word e21 = AND_NOT(e18, e1);
  const word e22 = u0 ^ e21;
  const word e23 = u1 ^ e3;
  const word e24 = e22 | e23;
  const word e25 = e18 ^ e23;
  const word e26 = AND_NOT(e25, cb);
  const word e27 = e24 ^ e26;
  const word e28 = e24 | e26;
  const word e29 = AND_NOT(e27, e20);
  const word e30 = AND_NOT(e28, e29);
  *next_a = e16;
  *next_b = e30;
}

// InverseLife, B012345678/S34678: 7.5 gates a word with the row's sum, 19 operations.
#ifdef LUT3
// 11 gates for two rows
MOOREA_STEP void next_inverselife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b0, a1, a0, 0x6C);
  const word e1 = LUT3(e0, b1, a1, 0xF6);
  const word e2 = LUT3(e1, e0, b1, 0x64);
  const word e3 = LUT3(b0, a0, t0, 0x96);
  const word e4 = LUT3(e3, e1, t0, 0xE4);
  const word e5 = LUT3(e3, e2, t1, 0x46);
  const word e6 = LUT3(e5, e4, ca, 0x7D);
  const word e7 = LUT3(b0, a0, u0, 0x96);
  const word e8 = LUT3(e7, e1, u0, 0xE4);
  const word e9 = LUT3(e7, e2, u1, 0x46);
  const word e10 = LUT3(e9, e8, cb, 0x7D);
  *next_a = e6;
  *next_b = e10;
}
// 7 gates and 7 operations for two rows, 0 copies
MOOREA_STEP void next_inverselife_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 & b0;
  const word e1 = e0 ^ a1;
  const word e2 = a1 ^ b1;
  const word e3 = e2 | e1;
  const word e4 = LUT3(e1, e3, b1, 0x58);
  const word e5 = a0 ^ b0;
  const word e6 = e5 ^ t0;
  const word e7 = LUT3(t0, e6, e3, 0xCA);
  const word e8 = LUT3(e6, e4, t1, 0x46);
  const word e9 = LUT3(e8, e7, ca, 0x7D);
  const word e10 = e5 ^ u0;
  const word e11 = LUT3(e3, e10, u0, 0xD8);
  const word e12 = LUT3(e10, e4, u1, 0x46);
  const word e13 = LUT3(e12, e11, cb, 0x7D);
  *next_a = e9;
  *next_b = e13;
}
#endif
// 28 operations for two rows
MOOREA_STEP void next_inverselife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 & b0;
  const word e1 = a1 ^ e0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 | e2;
  const word e4 = e1 | e3;
  const word e5 = b1 & e4;
  const word e6 = e1 ^ e5;
  const word e7 = a0 ^ b0;
  const word e8 = t0 ^ e7;
  const word e9 = t0 & e8;
  const word e10 = AND_NOT(e3, t0);
  const word e11 = e9 ^ e10;
  const word e12 = t1 & e8;
  const word e13 = t1 ^ e6;
  const word e14 = AND_NOT(e13, e12);
  const word e15 = e11 ^ e14;
  const word e16 = AND_NOT(ca, e15);
  const word e17 = u0 ^ e7;
  const word e18 = e3 ^ e17;
  const word e19 = AND_NOT(e18, u0);
  const word e20 = e17 ^ e19;
  const word e21 = u1 & e17;
  const word e22 = e6 | e21;
  const word e23 = u1 ^ e22;
  const word e24 = e20 ^ e23;
  const word e25 = AND_NOT(cb, e24);
  const word e26 = ~e16;
  const word e27 = ~e25;
  *next_a = e26;
  *next_b = e27;
}

// Land Rush, B36/S234578: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_land_rush_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x96);
  const word e1 = LUT3(b1, a1, t1, 0x7E);
  const word e2 = LUT3(e0, b0, t0, 0x71);
  const word e3 = LUT3(e2, e1, e0, 0x69);
  const word e4 = LUT3(ca, e2, a1, 0x26);
  const word e5 = LUT3(e4, t1, b1, 0x96);
  const word e6 = LUT3(e5, e3, ca, 0xA3);
  const word e7 = LUT3(u0, b0, a0, 0x96);
  const word e8 = LUT3(a1, b1, u1, 0x7E);
  const word e9 = LUT3(e7, a0, u0, 0x71);
  const word e10 = LUT3(e9, e8, e7, 0x69);
  const word e11 = LUT3(cb, e9, b1, 0x26);
  const word e12 = LUT3(e11, u1, a1, 0x96);
  const word e13 = LUT3(e12, e10, cb, 0xA3);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 9 operations for two rows, 0 copies
MOOREA_STEP void next_land_rush_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = t1 ^ b1;
  const word e3 = LUT3(t1, b1, a1, 0x7E);
  const word e4 = LUT3(t0, e1, b0, 0xB2);
  const word e5 = e1 ^ e3;
  const word e6 = e5 ^ e4;
  const word e7 = LUT3(e4, ca, a1, 0x5E);
  const word e8 = e2 ^ e7;
  const word e9 = LUT3(e8, e6, ca, 0x3A);
  const word e10 = e0 ^ u0;
  const word e11 = a1 ^ u1;
  const word e12 = LUT3(a1, b1, u1, 0x7E);
  const word e13 = LUT3(a0, e10, u0, 0xB2);
  const word e14 = LUT3(e12, e13, e10, 0x96);
  const word e15 = LUT3(e13, cb, b1, 0x5E);
  const word e16 = e11 ^ e15;
  const word e17 = LUT3(e16, e14, cb, 0x3A);
  *next_a = e9;
  *next_b = e17;
}
#endif
// 34 operations for two rows
MOOREA_STEP void next_land_rush_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = a1 ^ b1;
  const word e3 = t1 ^ b1;
  const word e4 = e2 | e3;
  const word e5 = b0 ^ e1;
  const word e6 = b0 & e5;
  const word e7 = AND_NOT(t0, e5);
  const word e8 = e6 ^ e7;
  const word e9 = e1 ^ e8;
  const word e10 = e4 ^ e9;
  const word e11 = AND_NOT(ca, e8);
  const word e12 = a1 | e11;
  const word e13 = e8 ^ e12;
  const word e14 = e3 ^ e13;
  const word e15 = ca | e14;
  const word e16 = e10 & e14;
  const word e17 = AND_NOT(e15, e16);
  const word e18 = u0 ^ e0;
  const word e19 = a1 ^ u1;
  const word e20 = e2 | e19;
  const word e21 = u0 ^ e18;
  const word e22 = AND_NOT(e21, u0);
  const word e23 = a0 | e21;
  const word e24 = e22 ^ e23;
  const word e25 = e18 ^ e20;
  const word e26 = e24 ^ e25;
  const word e27 = AND_NOT(cb, b1);
  const word e28 = e24 | e27;
  const word e29 = b1 ^ e28;
  const word e30 = e19 ^ e29;
  const word e31 = e26 & e30;
  const word e32 = cb | e30;
  const word e33 = AND_NOT(e32, e31);
  *next_a = e17;
  *next_b = e33;
}

// Life without Death, B3/S012345678: 6.5 gates a word with the row's sum, 15.5 operations.
#ifdef LUT3
// 9 gates for two rows
MOOREA_STEP void next_life_without_death_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, b0, a1, 0xE6);
  const word e1 = LUT3(e0, b1, a1, 0xCE);
  const word e2 = LUT3(e0, a1, a0, 0xE8);
  const word e3 = LUT3(b0, a0, t0, 0x96);
  const word e4 = LUT3(e2, e1, t1, 0x16);
  const word e5 = LUT3(e4, e3, ca, 0xEA);
  const word e6 = LUT3(b0, a0, u0, 0x96);
  const word e7 = LUT3(e2, e1, u1, 0x16);
  const word e8 = LUT3(e7, e6, cb, 0xEA);
  *next_a = e5;
  *next_b = e8;
}
// 6 gates and 5 operations for two rows, 1 copy
MOOREA_STEP void next_life_without_death_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, b0, a1, 0xE6);  // a copy
  const word e1 = AND_NOT(a1, e0);
  const word e2 = e1 | b1;
  const word e3 = LUT3(e0, a1, a0, 0xE8);
  const word e4 = a0 ^ b0;
  const word e5 = t0 ^ e4;
  const word e6 = LUT3(t1, e3, e2, 0x16);
  const word e7 = LUT3(e6, e5, ca, 0xEA);
  const word e8 = e4 ^ u0;
  const word e9 = LUT3(e3, e2, u1, 0x16);
  const word e10 = LUT3(e9, e8, cb, 0xEA);
  *next_a = e7;
  *next_b = e10;
}
#endif
// 21 operations for two rows
MOOREA_STEP void next_life_without_death_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 & b0;
  const word e1 = a1 ^ e0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 | e2;
  const word e4 = b1 | e3;
  const word e5 = e1 & e4;
  const word e6 = b1 ^ e5;
  const word e7 = a0 ^ b0;
  const word e8 = t0 ^ e7;
  const word e9 = e3 ^ e6;
  const word e10 = AND_NOT(e8, e9);
  const word e11 = t1 ^ e6;
  const word e12 = AND_NOT(e8, e11);
  const word e13 = AND_NOT(e10, e12);
  const word e14 = ca | e13;
  const word e15 = u0 ^ e7;
  const word e16 = AND_NOT(e15, e9);
  const word e17 = u1 ^ e6;
  const word e18 = AND_NOT(e15, e17);
  const word e19 = AND_NOT(e16, e18);
  const word e20 = cb | e19;
  *next_a = e14;
  *next_b = e20;
}

// Live Free or Die, B2/S0: 7 gates a word with the row's sum, 16.5 operations.
#ifdef LUT3
// 10 gates for two rows
MOOREA_STEP void next_live_free_or_die_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, b0, a0, 0xE0);
  const word e1 = LUT3(b1, b0, a0, 0x5E);
  const word e2 = LUT3(b0, a0, t0, 0x96);
  const word e3 = LUT3(e1, a1, t1, 0x16);
  const word e4 = LUT3(e2, ca, t0, 0xBC);
  const word e5 = LUT3(e4, e3, e0, 0x04);
  const word e6 = LUT3(b0, a0, u0, 0x96);
  const word e7 = LUT3(e1, a1, u1, 0x16);
  const word e8 = LUT3(e6, cb, u0, 0xBC);
  const word e9 = LUT3(e8, e7, e0, 0x04);
  *next_a = e5;
  *next_b = e9;
}
// 7 gates and 5 operations for two rows, 0 copies
MOOREA_STEP void next_live_free_or_die_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 | b0;
  const word e1 = e0 & b1;
  const word e2 = a0 ^ b0;
  const word e3 = LUT3(a0, b1, b0, 0x3E);
  const word e4 = e2 ^ t0;
  const word e5 = LUT3(t1, e3, a1, 0x16);
  const word e6 = LUT3(e4, ca, t0, 0xBC);
  const word e7 = LUT3(e6, e5, e1, 0x04);
  const word e8 = e2 ^ u0;
  const word e9 = LUT3(e3, a1, u1, 0x16);
  const word e10 = LUT3(e8, cb, u0, 0xBC);
  const word e11 = LUT3(e10, e9, e1, 0x04);
  *next_a = e7;
  *next_b = e11;
}
#endif
// 23 operations for two rows
MOOREA_STEP void next_live_free_or_die_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 | b0;
  const word e1 = a1 ^ e0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 | e2;
  const word e4 = AND_NOT(e1, e3);
  const word e5 = AND_NOT(b1, e4);
  const word e6 = e1 ^ e5;
  const word e7 = a0 ^ b0;
  const word e8 = t0 ^ e7;
  const word e9 = t0 & ca;
  const word e10 = AND_NOT(e8, e9);
  const word e11 = t1 ^ e6;
  const word e12 = e3 ^ e6;
  const word e13 = AND_NOT(e11, e12);
  const word e14 = ca ^ e10;
  const word e15 = AND_NOT(e13, e14);
  const word e16 = u0 ^ e7;
  const word e17 = u0 & cb;
  const word e18 = AND_NOT(e16, e17);
  const word e19 = u1 ^ e3;
  const word e20 = AND_NOT(e19, e12);
  const word e21 = cb ^ e18;
  const word e22 = AND_NOT(e20, e21);
  *next_a = e15;
  *next_b = e22;
}

// Long Life, B345/S5: 9 gates a word with the row's sum, 19.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_long_life_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);
  const word e1 = LUT3(b1, a1, t1, 0xE8);
  const word e2 = LUT3(b0, t0, a0, 0x17);
  const word e3 = LUT3(a1, b1, t1, 0x69);
  const word e4 = LUT3(e3, e2, ca, 0x95);
  const word e5 = LUT3(e3, e0, t0, 0x2E);
  const word e6 = LUT3(e5, e4, e1, 0x42);
  const word e7 = LUT3(u0, b0, a0, 0x7E);
  const word e8 = LUT3(a1, b1, u1, 0xE8);
  const word e9 = LUT3(a0, u0, b0, 0x17);
  const word e10 = LUT3(b1, a1, u1, 0x69);
  const word e11 = LUT3(e10, e9, cb, 0x95);
  const word e12 = LUT3(e10, e7, u0, 0x2E);
  const word e13 = LUT3(e12, e11, e8, 0x42);
  *next_a = e6;
  *next_b = e13;
}
// 8 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_long_life_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = t1 ^ e3;
  const word e6 = LUT3(t0, e0, e5, 0x42);
  const word e7 = LUT3(e5, e6, e3, 0x3A);
  const word e8 = LUT3(e7, ca, e4, 0xDA);
  const word e9 = ca ^ e6;
  const word e10 = AND_NOT(e8, e9);
  const word e11 = u1 ^ e3;
  const word e12 = LUT3(e0, e11, u0, 0x24);
  const word e13 = LUT3(e11, e12, e3, 0x3A);
  const word e14 = LUT3(e13, cb, e4, 0xDA);
  const word e15 = LUT3(cb, e14, e12, 0x84);
  *next_a = e10;
  *next_b = e15;
}
#endif
// 29 operations for two rows
MOOREA_STEP void next_long_life_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = t1 ^ e3;
  const word e8 = t1 & e3;
  const word e9 = AND_NOT(e7, ca);
  const word e10 = e8 ^ e9;
  const word e11 = e6 ^ e10;
  const word e12 = e7 ^ e11;
  const word e13 = t0 ^ e0;
  const word e14 = e0 ^ e12;
  const word e15 = e13 | e14;
  const word e16 = ca ^ e15;
  const word e17 = e11 & e16;
  const word e18 = u1 ^ e3;
  const word e19 = cb & e18;
  const word e20 = u1 | e18;
  const word e21 = e19 ^ e20;
  const word e22 = e6 ^ e21;
  const word e23 = e18 ^ e22;
  const word e24 = e0 ^ e23;
  const word e25 = u0 ^ e0;
  const word e26 = e24 | e25;
  const word e27 = cb ^ e26;
  const word e28 = e22 & e27;
  *next_a = e17;
  *next_b = e28;
}

// LowDeath, B368/S238: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_lowdeath_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(e2, e3, t1, 0x92);
  const word e5 = LUT3(e0, e3, t1, 0x35);
  const word e6 = LUT3(e2, ca, e5, 0x96);
  const word e7 = LUT3(e0, ca, t0, 0xDA);
  const word e8 = LUT3(e6, e7, e4, 0x89);
  const word e9 = LUT3(e2, e3, u1, 0x92);
  const word e10 = LUT3(e0, e3, u1, 0x35);
  const word e11 = LUT3(e2, cb, e10, 0x96);
  const word e12 = LUT3(e0, cb, u0, 0xDA);
  const word e13 = LUT3(e11, e12, e9, 0x89);
  *next_a = e8;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 1 copy
MOOREA_STEP void next_lowdeath_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, b1, e1, 0xE8);
  const word e5 = LUT3(e3, e4, t1, 0x92);  // a copy
  const word e6 = LUT3(t1, e0, e4, 0xB8);
  const word e7 = ca ^ e3;
  const word e8 = e7 ^ e6;
  const word e9 = LUT3(ca, e0, t0, 0xE6);
  const word e10 = LUT3(e8, e9, e5, 0x98);
  const word e11 = cb ^ e3;
  const word e12 = LUT3(e3, e4, u1, 0x92);
  const word e13 = LUT3(e4, e0, u1, 0xE2);
  const word e14 = e11 ^ e13;
  const word e15 = LUT3(e0, cb, u0, 0xDA);
  const word e16 = LUT3(e14, e15, e12, 0x98);
  *next_a = e10;
  *next_b = e16;
}
#endif
// 34 operations for two rows
MOOREA_STEP void next_lowdeath_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = AND_NOT(e6, e3);
  const word e8 = e3 ^ e6;
  const word e9 = t1 ^ e8;
  const word e10 = AND_NOT(e9, e7);
  const word e11 = AND_NOT(e0, e6);
  const word e12 = t1 | e0;
  const word e13 = AND_NOT(e12, e11);
  const word e14 = ca ^ e13;
  const word e15 = e3 ^ e14;
  const word e16 = t0 & ca;
  const word e17 = AND_NOT(e0, e16);
  const word e18 = t0 ^ e17;
  const word e19 = e10 ^ e18;
  const word e20 = e10 | e15;
  const word e21 = AND_NOT(e20, e19);
  const word e22 = u1 ^ e8;
  const word e23 = AND_NOT(e22, e7);
  const word e24 = u1 | e0;
  const word e25 = AND_NOT(e24, e11);
  const word e26 = cb ^ e25;
  const word e27 = e3 ^ e26;
  const word e28 = u0 ^ e0;
  const word e29 = u0 & cb;
  const word e30 = e28 | e29;
  const word e31 = e23 | e27;
  const word e32 = AND_NOT(e31, e30);
  const word e33 = e23 ^ e32;
  *next_a = e21;
  *next_b = e33;
}

// LowLife, B3/S13: 9 gates a word with the row's sum, 18.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_lowlife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x96);
  const word e1 = LUT3(b1, a1, t1, 0x81);
  const word e2 = LUT3(a0, t0, e0, 0xD4);
  const word e3 = LUT3(a1, b1, t1, 0xE8);
  const word e4 = LUT3(e3, e2, e1, 0xE9);
  const word e5 = LUT3(e4, e0, ca, 0x92);
  const word e6 = LUT3(e5, e4, e3, 0x34);
  const word e7 = LUT3(u0, b0, a0, 0x96);
  const word e8 = LUT3(a1, b1, u1, 0x81);
  const word e9 = LUT3(b0, u0, e7, 0xD4);
  const word e10 = LUT3(b1, a1, u1, 0xE8);
  const word e11 = LUT3(e10, e9, e8, 0xE9);
  const word e12 = LUT3(e11, e7, cb, 0x92);
  const word e13 = LUT3(e12, e11, e10, 0x34);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_lowlife_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ t1;
  const word e4 = LUT3(t1, b1, a1, 0x7E);
  const word e5 = LUT3(t0, b0, a0, 0xE8);
  const word e6 = LUT3(e3, e5, ca, 0xB2);
  const word e7 = LUT3(e6, e5, e4, 0xA4);
  const word e8 = ca ^ e1;
  const word e9 = e8 & e7;
  const word e10 = e0 ^ u0;
  const word e11 = LUT3(a1, b1, u1, 0x7E);
  const word e12 = LUT3(a0, u0, b0, 0xE8);
  const word e13 = e2 ^ u1;
  const word e14 = LUT3(e13, e12, cb, 0xB2);
  const word e15 = LUT3(e14, e12, e11, 0xA4);
  const word e16 = LUT3(e15, e10, cb, 0x60);
  *next_a = e9;
  *next_b = e16;
}
#endif
// 27 operations for two rows
MOOREA_STEP void next_lowlife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = AND_NOT(e4, e2);
  const word e6 = e1 ^ e5;
  const word e7 = AND_NOT(e0, t0);
  const word e8 = t1 ^ e7;
  const word e9 = e3 ^ e8;
  const word e10 = ca | e9;
  const word e11 = ca ^ e0;
  const word e12 = t0 ^ e11;
  const word e13 = t1 | e3;
  const word e14 = e6 ^ e13;
  const word e15 = e12 & e14;
  const word e16 = e10 & e15;
  const word e17 = AND_NOT(e0, u0);
  const word e18 = u1 ^ e17;
  const word e19 = e3 ^ e18;
  const word e20 = cb | e19;
  const word e21 = cb ^ e0;
  const word e22 = u0 ^ e21;
  const word e23 = u1 | e3;
  const word e24 = e6 ^ e23;
  const word e25 = e20 & e24;
  const word e26 = e22 & e25;
  *next_a = e16;
  *next_b = e26;
}

// Pedestrian Life, B38/S23: 9 gates a word with the row's sum, 18.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_pedestrian_life_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x69);
  const word e1 = LUT3(t0, a0, b0, 0x7E);
  const word e2 = LUT3(t1, a1, b1, 0x69);
  const word e3 = LUT3(t1, a1, b1, 0x17);
  const word e4 = LUT3(e0, e1, e3, 0x45);
  const word e5 = LUT3(e0, ca, e4, 0x9A);
  const word e6 = LUT3(e1, e2, e5, 0x14);
  const word e7 = LUT3(u0, b0, a0, 0x69);
  const word e8 = LUT3(u0, b0, a0, 0x7E);
  const word e9 = LUT3(u1, b1, a1, 0x69);
  const word e10 = LUT3(u1, b1, a1, 0x17);
  const word e11 = LUT3(e7, e8, e10, 0x45);
  const word e12 = LUT3(e7, cb, e11, 0x9A);
  const word e13 = LUT3(e8, e9, e12, 0x14);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_pedestrian_life_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = LUT3(t0, a0, b0, 0x7E);
  const word e3 = a1 ^ b1;
  const word e4 = e3 ^ t1;
  const word e5 = LUT3(t1, a1, b1, 0xE8);
  const word e6 = LUT3(e5, e1, e2, 0xE0);
  const word e7 = ca | e1;
  const word e8 = e7 ^ e6;
  const word e9 = LUT3(e2, e4, e8, 0x82);
  const word e10 = e0 ^ u0;
  const word e11 = LUT3(a0, u0, b0, 0x7E);
  const word e12 = e3 ^ u1;
  const word e13 = LUT3(a1, u1, b1, 0xE8);
  const word e14 = LUT3(e13, e10, e11, 0xE0);
  const word e15 = LUT3(e10, cb, e14, 0x56);
  const word e16 = LUT3(e11, e12, e15, 0x82);
  *next_a = e9;
  *next_b = e16;
}
#endif
// 27 operations for two rows
MOOREA_STEP void next_pedestrian_life_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = t0 ^ a0;
  const word e3 = e0 | e2;
  const word e4 = a1 ^ b1;
  const word e5 = t1 ^ e4;
  const word e6 = b1 | e4;
  const word e7 = AND_NOT(e4, t1);
  const word e8 = AND_NOT(e6, e7);
  const word e9 = e1 | e3;
  const word e10 = e8 & e9;
  const word e11 = ca | e1;
  const word e12 = e10 ^ e11;
  const word e13 = e3 ^ e5;
  const word e14 = AND_NOT(e12, e13);
  const word e15 = u0 ^ e0;
  const word e16 = b0 ^ e15;
  const word e17 = e0 | e16;
  const word e18 = u1 ^ e4;
  const word e19 = e4 & e18;
  const word e20 = e6 ^ e19;
  const word e21 = e15 | e17;
  const word e22 = e20 & e21;
  const word e23 = cb | e15;
  const word e24 = e22 ^ e23;
  const word e25 = e17 ^ e18;
  const word e26 = AND_NOT(e24, e25);
  *next_a = e14;
  *next_b = e26;
}

// Plow World, B378/S012345678: 7 gates a word with the row's sum, 13.5 operations.
#ifdef LUT3
// 10 gates for two rows
MOOREA_STEP void next_plow_world_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = b1 & a1;
  const word e1 = LUT3(b1, b0, a0, 0x78);
  const word e2 = LUT3(b0, a0, t0, 0x96);
  const word e3 = LUT3(e1, a1, t1, 0x96);
  const word e4 = LUT3(e2, e0, t0, 0xF8);
  const word e5 = LUT3(e4, e3, ca, 0xEA);
  const word e6 = LUT3(b0, a0, u0, 0x96);
  const word e7 = LUT3(e1, a1, u1, 0x96);
  const word e8 = LUT3(e6, e0, u0, 0xF8);
  const word e9 = LUT3(e8, e7, cb, 0xEA);
  *next_a = e5;
  *next_b = e9;
}
// 6 gates and 6 operations for two rows, 0 copies
MOOREA_STEP void next_plow_world_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = b1 & a1;
  const word e1 = a0 ^ b0;
  const word e2 = LUT3(a0, b1, b0, 0x6C);
  const word e3 = e1 ^ t0;
  const word e4 = LUT3(t1, e2, a1, 0x96);
  const word e5 = t0 & e0;
  const word e6 = e5 | e3;
  const word e7 = LUT3(e6, e4, ca, 0xEA);
  const word e8 = e1 ^ u0;
  const word e9 = LUT3(e2, a1, u1, 0x96);
  const word e10 = LUT3(e8, e0, u0, 0xF8);
  const word e11 = LUT3(e10, e9, cb, 0xEA);
  *next_a = e7;
  *next_b = e11;
}
#endif
// 17 operations for two rows
MOOREA_STEP void next_plow_world_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a1 & b1;
  const word e1 = a0 & b0;
  const word e2 = b1 ^ e1;
  const word e3 = a0 ^ b0;
  const word e4 = t0 ^ e3;
  const word e5 = a1 ^ e2;
  const word e6 = t1 ^ e5;
  const word e7 = t0 & e0;
  const word e8 = e4 | e7;
  const word e9 = e6 & e8;
  const word e10 = ca | e9;
  const word e11 = u0 ^ e3;
  const word e12 = u1 ^ e5;
  const word e13 = u0 & e0;
  const word e14 = e11 | e13;
  const word e15 = e12 & e14;
  const word e16 = cb | e15;
  *next_a = e10;
  *next_b = e16;
}

// Pseudo Life, B357/S238: 9 gates a word with the row's sum, 25.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_pseudo_life_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x69);
  const word e1 = LUT3(ca, b1, t1, 0x9E);
  const word e2 = LUT3(e1, a0, a1, 0x79);
  const word e3 = LUT3(b1, t1, e2, 0x42);
  const word e4 = LUT3(t0, e0, b0, 0x4D);
  const word e5 = LUT3(e4, e2, e3, 0xE5);
  const word e6 = LUT3(e5, e0, ca, 0x1A);
  const word e7 = LUT3(u0, b0, a0, 0x69);
  const word e8 = LUT3(cb, a1, u1, 0x9E);
  const word e9 = LUT3(e8, b0, b1, 0x79);
  const word e10 = LUT3(a1, u1, e9, 0x42);
  const word e11 = LUT3(u0, e7, a0, 0x4D);
  const word e12 = LUT3(e11, e9, e10, 0xE5);
  const word e13 = LUT3(e12, e7, cb, 0x1A);
  *next_a = e6;
  *next_b = e13;
}
// 10 gates and 10 operations for two rows, 0 copies
MOOREA_STEP void next_pseudo_life_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = LUT3(t0, a0, b0, 0xE8);
  const word e3 = a1 ^ b1;
  const word e4 = e3 ^ t1;
  const word e5 = LUT3(t1, a1, b1, 0xE8);
  const word e6 = AND_NOT(ca, e5);
  const word e7 = LUT3(ca, e2, e4, 0x16);
  const word e8 = LUT3(e2, e4, e5, 0xC2);
  const word e9 = e6 ^ e7;
  const word e10 = LUT3(e1, e8, e9, 0x68);
  const word e11 = e0 ^ u0;
  const word e12 = LUT3(a0, u0, b0, 0xE8);
  const word e13 = e3 ^ u1;
  const word e14 = LUT3(a1, u1, b1, 0xE8);
  const word e15 = AND_NOT(cb, e14);
  const word e16 = LUT3(cb, e12, e13, 0x16);
  const word e17 = LUT3(e12, e13, e14, 0xC2);
  const word e18 = e15 ^ e16;
  const word e19 = LUT3(e11, e17, e18, 0x68);
  *next_a = e10;
  *next_b = e19;
}
#endif
// 41 operations for two rows
MOOREA_STEP void next_pseudo_life_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = t0 | a0;
  const word e3 = AND_NOT(e1, b0);
  const word e4 = e2 ^ e3;
  const word e5 = a1 ^ b1;
  const word e6 = t1 ^ e5;
  const word e7 = b1 | e5;
  const word e8 = e5 & e6;
  const word e9 = e7 ^ e8;
  const word e10 = ca & e6;
  const word e11 = e4 ^ e6;
  const word e12 = ca ^ e11;
  const word e13 = AND_NOT(e12, e10);
  const word e14 = e4 | e9;
  const word e15 = AND_NOT(e14, e11);
  const word e16 = AND_NOT(ca, e9);
  const word e17 = e13 ^ e16;
  const word e18 = e1 | e17;
  const word e19 = AND_NOT(e18, e15);
  const word e20 = e17 ^ e19;
  const word e21 = e1 ^ e20;
  const word e22 = u0 ^ e0;
  const word e23 = b0 ^ e22;
  const word e24 = AND_NOT(e23, e0);
  const word e25 = u0 ^ e24;
  const word e26 = u1 ^ e5;
  const word e27 = AND_NOT(e26, u1);
  const word e28 = AND_NOT(e7, e27);
  const word e29 = e25 ^ e26;
  const word e30 = AND_NOT(e25, e29);
  const word e31 = AND_NOT(cb, e30);
  const word e32 = e29 ^ e31;
  const word e33 = e26 | e28;
  const word e34 = AND_NOT(e33, e29);
  const word e35 = AND_NOT(cb, e28);
  const word e36 = e32 ^ e35;
  const word e37 = e22 ^ e36;
  const word e38 = e22 | e36;
  const word e39 = AND_NOT(e38, e34);
  const word e40 = e37 ^ e39;
  *next_a = e21;
  *next_b = e40;
}

// Serviettes, B234/S: 7.5 gates a word with the row's sum, 17.5 operations.
#ifdef LUT3
// 11 gates for two rows
MOOREA_STEP void next_serviettes_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, b0, a0, 0x78);
  const word e1 = e0 ^ a1;
  const word e2 = LUT3(e0, b1, a1, 0xF6);
  const word e3 = LUT3(b0, a0, t0, 0x96);
  const word e4 = LUT3(e3, e2, t0, 0xCA);
  const word e5 = LUT3(e4, e1, t1, 0xB2);
  const word e6 = LUT3(e5, e2, ca, 0x14);
  const word e7 = LUT3(b0, a0, u0, 0x96);
  const word e8 = LUT3(e7, e2, u0, 0xCA);
  const word e9 = LUT3(e8, e1, u1, 0xB2);
  const word e10 = LUT3(e9, e2, cb, 0x14);
  *next_a = e6;
  *next_b = e10;
}
// 7 gates and 6 operations for two rows, 0 copies
MOOREA_STEP void next_serviettes_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 & b0;
  const word e1 = e0 ^ b1;
  const word e2 = e1 ^ a1;
  const word e3 = LUT3(e1, b1, a1, 0xF6);
  const word e4 = a0 ^ b0;
  const word e5 = e4 ^ t0;
  const word e6 = LUT3(e5, e3, t0, 0xCA);
  const word e7 = LUT3(e6, e2, t1, 0xB2);
  const word e8 = LUT3(e7, e3, ca, 0x14);
  const word e9 = e4 ^ u0;
  const word e10 = LUT3(e9, e3, u0, 0xCA);
  const word e11 = LUT3(e10, e2, u1, 0xB2);
  const word e12 = LUT3(e11, e3, cb, 0x14);
  *next_a = e8;
  *next_b = e12;
}
#endif
// 25 operations for two rows
MOOREA_STEP void next_serviettes_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 & b0;
  const word e1 = b1 ^ e0;
  const word e2 = a1 ^ e1;
  const word e3 = a1 ^ b1;
  const word e4 = e1 | e3;
  const word e5 = b0 ^ e4;
  const word e6 = AND_NOT(e5, e0);
  const word e7 = a0 ^ e6;
  const word e8 = e4 | e7;
  const word e9 = AND_NOT(e7, t0);
  const word e10 = AND_NOT(e8, e9);
  const word e11 = t1 & e10;
  const word e12 = t1 | e10;
  const word e13 = AND_NOT(e2, e11);
  const word e14 = AND_NOT(e12, e13);
  const word e15 = e4 ^ e14;
  const word e16 = AND_NOT(e15, ca);
  const word e17 = AND_NOT(e7, u0);
  const word e18 = AND_NOT(e8, e17);
  const word e19 = e2 ^ e18;
  const word e20 = u1 ^ e18;
  const word e21 = e19 | e20;
  const word e22 = e2 ^ e21;
  const word e23 = e4 ^ e22;
  const word e24 = AND_NOT(e23, cb);
  *next_a = e16;
  *next_b = e24;
}

// SnowLife, B3/S1237: 9 gates a word with the row's sum, 20 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_snowlife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);
  const word e1 = LUT3(b1, a1, t1, 0x69);
  const word e2 = LUT3(b0, t0, a0, 0x69);
  const word e3 = LUT3(a1, b1, t1, 0x81);
  const word e4 = LUT3(e3, e2, e1, 0x16);
  const word e5 = LUT3(e4, e0, e3, 0x06);
  const word e6 = LUT3(e5, e2, ca, 0x38);
  const word e7 = LUT3(u0, b0, a0, 0x7E);
  const word e8 = LUT3(a1, b1, u1, 0x69);
  const word e9 = LUT3(a0, u0, b0, 0x69);
  const word e10 = LUT3(b1, a1, u1, 0x81);
  const word e11 = LUT3(e10, e9, e8, 0x16);
  const word e12 = LUT3(e11, e7, e10, 0x06);
  const word e13 = LUT3(e12, e9, cb, 0x38);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_snowlife_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = LUT3(t0, a0, b0, 0x7E);
  const word e3 = a1 ^ b1;
  const word e4 = e3 ^ t1;
  const word e5 = LUT3(t1, a1, b1, 0x7E);
  const word e6 = LUT3(e4, e5, e1, 0x68);
  const word e7 = e2 ^ e5;
  const word e8 = e7 | e6;
  const word e9 = LUT3(e8, e1, ca, 0x2C);
  const word e10 = LUT3(a0, u0, b0, 0x7E);
  const word e11 = e3 ^ u1;
  const word e12 = e0 ^ u0;
  const word e13 = LUT3(a1, b1, u1, 0x7E);
  const word e14 = LUT3(e11, e13, e12, 0x68);
  const word e15 = LUT3(e14, e10, e13, 0xF6);
  const word e16 = LUT3(e15, e12, cb, 0x2C);
  *next_a = e9;
  *next_b = e16;
}
#endif
// 30 operations for two rows
MOOREA_STEP void next_snowlife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = a1 & b1;
  const word e3 = a1 ^ b1;
  const word e4 = t1 & e3;
  const word e5 = e2 | e4;
  const word e6 = ca | e1;
  const word e7 = AND_NOT(e6, e5);
  const word e8 = e1 ^ e7;
  const word e9 = t1 ^ e3;
  const word e10 = b0 | e0;
  const word e11 = AND_NOT(e1, t0);
  const word e12 = e10 ^ e11;
  const word e13 = e9 ^ e12;
  const word e14 = AND_NOT(e13, e8);
  const word e15 = e1 ^ e14;
  const word e16 = AND_NOT(e6, e15);
  const word e17 = u0 ^ e0;
  const word e18 = u1 & e3;
  const word e19 = e2 | e18;
  const word e20 = cb | e17;
  const word e21 = AND_NOT(e20, e19);
  const word e22 = e17 ^ e21;
  const word e23 = u1 ^ e3;
  const word e24 = AND_NOT(e17, u0);
  const word e25 = AND_NOT(e10, e24);
  const word e26 = e23 ^ e25;
  const word e27 = AND_NOT(e26, e22);
  const word e28 = AND_NOT(e20, e27);
  const word e29 = e17 ^ e28;
  *next_a = e16;
  *next_b = e29;
}

// Stains, B3678/S235678: 9 gates a word with the row's sum, 21 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_stains_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x69);
  const word e1 = LUT3(b1, a1, t1, 0x17);
  const word e2 = LUT3(b0, t0, a0, 0x17);
  const word e3 = LUT3(a1, b1, t1, 0x69);
  const word e4 = LUT3(e3, e2, e1, 0x3D);
  const word e5 = LUT3(e4, ca, e1, 0x5C);
  const word e6 = LUT3(e5, e0, e4, 0xE2);
  const word e7 = LUT3(u0, b0, a0, 0x69);
  const word e8 = LUT3(a1, b1, u1, 0x17);
  const word e9 = LUT3(a0, u0, b0, 0x17);
  const word e10 = LUT3(b1, a1, u1, 0x69);
  const word e11 = LUT3(e10, e9, e8, 0x3D);
  const word e12 = LUT3(e11, cb, e8, 0x5C);
  const word e13 = LUT3(e12, e7, e11, 0xE2);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_stains_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 ^ t1;
  const word e4 = LUT3(t1, b1, a1, 0xE8);
  const word e5 = LUT3(t0, b0, a0, 0xE8);
  const word e6 = LUT3(e3, e5, e4, 0xBC);
  const word e7 = LUT3(ca, e6, e4, 0x74);
  const word e8 = AND_NOT(e7, e1);
  const word e9 = e8 ^ e6;
  const word e10 = e0 ^ u0;
  const word e11 = LUT3(a1, b1, u1, 0xE8);
  const word e12 = LUT3(a0, u0, b0, 0xE8);
  const word e13 = e2 ^ u1;
  const word e14 = LUT3(e13, e12, e11, 0xBC);
  const word e15 = LUT3(cb, e14, e11, 0x74);
  const word e16 = LUT3(e15, e10, e14, 0x9A);
  *next_a = e9;
  *next_b = e16;
}
#endif
// 32 operations for two rows
MOOREA_STEP void next_stains_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = a1 ^ b1;
  const word e3 = t1 & e2;
  const word e4 = a1 & b1;
  const word e5 = e3 ^ e4;
  const word e6 = AND_NOT(b0, e0);
  const word e7 = AND_NOT(t0, e1);
  const word e8 = e6 | e7;
  const word e9 = t1 ^ e2;
  const word e10 = e8 ^ e9;
  const word e11 = e5 & e8;
  const word e12 = e10 | e11;
  const word e13 = ca ^ e5;
  const word e14 = e12 | e13;
  const word e15 = e5 ^ e14;
  const word e16 = AND_NOT(e15, e1);
  const word e17 = e12 ^ e16;
  const word e18 = u0 ^ e0;
  const word e19 = u1 & e2;
  const word e20 = e4 ^ e19;
  const word e21 = u0 & e0;
  const word e22 = e6 | e21;
  const word e23 = u1 ^ e2;
  const word e24 = e20 & e23;
  const word e25 = AND_NOT(e22, e24);
  const word e26 = e23 ^ e25;
  const word e27 = e20 & e26;
  const word e28 = cb | e26;
  const word e29 = e27 ^ e28;
  const word e30 = AND_NOT(e29, e18);
  const word e31 = e26 ^ e30;
  *next_a = e17;
  *next_b = e31;
}

// Star Trek, B3/S0248: 7 gates a word with the row's sum, 14.5 operations.
#ifdef LUT3
// 10 gates for two rows
MOOREA_STEP void next_star_trek_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b0, a1, a0, 0x6C);
  const word e1 = LUT3(e0, b1, a1, 0xCA);
  const word e2 = LUT3(b0, a0, t0, 0x96);
  const word e3 = LUT3(e0, b1, t1, 0x96);
  const word e4 = LUT3(e3, e2, ca, 0xC8);
  const word e5 = LUT3(e4, e3, e1, 0x70);
  const word e6 = LUT3(b0, a0, u0, 0x96);
  const word e7 = LUT3(e0, b1, u1, 0x96);
  const word e8 = LUT3(e7, e6, cb, 0xC8);
  const word e9 = LUT3(e8, e7, e1, 0x70);
  *next_a = e5;
  *next_b = e9;
}
// 6 gates and 6 operations for two rows, 0 copies
MOOREA_STEP void next_star_trek_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a1, 0x6A);
  const word e2 = LUT3(a1, e1, b1, 0xB8);
  const word e3 = t0 ^ e0;
  const word e4 = e1 ^ b1;
  const word e5 = t1 ^ e4;
  const word e6 = LUT3(e3, e5, ca, 0xE0);
  const word e7 = LUT3(e6, e5, e2, 0x70);
  const word e8 = e0 ^ u0;
  const word e9 = e4 ^ u1;
  const word e10 = LUT3(e8, e9, cb, 0xE0);
  const word e11 = LUT3(e10, e9, e2, 0x70);
  *next_a = e7;
  *next_b = e11;
}
#endif
// 19 operations for two rows
MOOREA_STEP void next_star_trek_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 & b0;
  const word e1 = a1 ^ e0;
  const word e2 = AND_NOT(e1, b1);
  const word e3 = a1 | e1;
  const word e4 = AND_NOT(e3, e2);
  const word e5 = a0 ^ b0;
  const word e6 = t0 ^ e5;
  const word e7 = b1 ^ e1;
  const word e8 = t1 ^ e7;
  const word e9 = ca | e8;
  const word e10 = e6 & e9;
  const word e11 = e4 & e8;
  const word e12 = AND_NOT(e10, e11);
  const word e13 = u0 ^ e5;
  const word e14 = u1 ^ e7;
  const word e15 = cb | e14;
  const word e16 = e13 & e15;
  const word e17 = e4 & e14;
  const word e18 = AND_NOT(e16, e17);
  *next_a = e12;
  *next_b = e18;
}

// Virus, B36/S235: 9 gates a word with the row's sum, 20.5 operations.
#ifdef LUT3
// 14 gates for two rows
MOOREA_STEP void next_virus_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(t0, a0, b0, 0x96);
  const word e1 = LUT3(t0, a0, b0, 0xE8);
  const word e2 = LUT3(t1, a1, b1, 0x96);
  const word e3 = LUT3(t1, a1, b1, 0x7E);
  const word e4 = LUT3(e0, e3, ca, 0x34);
  const word e5 = LUT3(e1, e2, e4, 0x71);
  const word e6 = LUT3(e0, e3, e5, 0x69);
  const word e7 = LUT3(u0, b0, a0, 0x96);
  const word e8 = LUT3(u0, b0, a0, 0xE8);
  const word e9 = LUT3(u1, b1, a1, 0x96);
  const word e10 = LUT3(u1, b1, a1, 0x7E);
  const word e11 = LUT3(e7, e10, cb, 0x34);
  const word e12 = LUT3(e8, e9, e11, 0x71);
  const word e13 = LUT3(e7, e10, e12, 0x69);
  *next_a = e6;
  *next_b = e13;
}
// 9 gates and 8 operations for two rows, 0 copies
MOOREA_STEP void next_virus_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = e0 ^ t0;
  const word e2 = LUT3(t0, a0, b0, 0xE8);
  const word e3 = a1 ^ b1;
  const word e4 = e3 ^ t1;
  const word e5 = LUT3(t1, a1, b1, 0x7E);
  const word e6 = LUT3(ca, e1, e5, 0x46);
  const word e7 = LUT3(e2, e4, e6, 0x8E);
  const word e8 = e1 ^ e5;
  const word e9 = e8 ^ e7;
  const word e10 = e0 ^ u0;
  const word e11 = LUT3(a0, u0, b0, 0xE8);
  const word e12 = e3 ^ u1;
  const word e13 = LUT3(a1, u1, b1, 0x7E);
  const word e14 = LUT3(cb, e10, e13, 0x46);
  const word e15 = LUT3(e11, e12, e14, 0x8E);
  const word e16 = LUT3(e10, e13, e15, 0x96);
  *next_a = e9;
  *next_b = e16;
}
#endif
// 31 operations for two rows
MOOREA_STEP void next_virus_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = t0 & e0;
  const word e3 = a0 & b0;
  const word e4 = e2 | e3;
  const word e5 = a1 ^ b1;
  const word e6 = t1 ^ e5;
  const word e7 = b1 ^ e6;
  const word e8 = e5 | e7;
  const word e9 = e1 ^ e8;
  const word e10 = AND_NOT(ca, e1);
  const word e11 = AND_NOT(e9, e10);
  const word e12 = e4 ^ e6;
  const word e13 = AND_NOT(e11, e12);
  const word e14 = AND_NOT(e12, e4);
  const word e15 = e13 ^ e14;
  const word e16 = e9 ^ e15;
  const word e17 = u0 ^ e0;
  const word e18 = AND_NOT(u0, e17);
  const word e19 = e3 | e18;
  const word e20 = u1 ^ e5;
  const word e21 = b1 ^ u1;
  const word e22 = e5 | e21;
  const word e23 = e17 ^ e22;
  const word e24 = cb & e22;
  const word e25 = AND_NOT(e23, e24);
  const word e26 = e19 ^ e20;
  const word e27 = AND_NOT(e26, e20);
  const word e28 = e25 | e26;
  const word e29 = e27 ^ e28;
  const word e30 = e23 ^ e29;
  *next_a = e16;
  *next_b = e30;
}

// Walled Cities, B45678/S2345: 7.5 gates a word with the row's sum, 20.5 operations.
#ifdef LUT3
// 11 gates for two rows
MOOREA_STEP void next_walled_cities_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b0, a1, a0, 0x9C);
  const word e1 = LUT3(e0, b1, b0, 0x96);
  const word e2 = LUT3(e1, b1, a1, 0x8E);
  const word e3 = LUT3(b0, a0, t0, 0x96);
  const word e4 = LUT3(e3, ca, t0, 0xCA);
  const word e5 = LUT3(e4, e1, t1, 0xE8);
  const word e6 = LUT3(e5, e2, ca, 0x7C);
  const word e7 = LUT3(b0, a0, u0, 0x96);
  const word e8 = LUT3(e7, cb, u0, 0xCA);
  const word e9 = LUT3(e8, e1, u1, 0xE8);
  const word e10 = LUT3(e9, e2, cb, 0x7C);
  *next_a = e6;
  *next_b = e10;
}
// 7 gates and 7 operations for two rows, 0 copies
MOOREA_STEP void next_walled_cities_mixed(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = AND_NOT(b0, a0);
  const word e1 = e0 ^ a1;
  const word e2 = b0 ^ b1;
  const word e3 = e2 ^ e1;
  const word e4 = LUT3(a1, e3, b1, 0xB2);
  const word e5 = a0 ^ b0;
  const word e6 = e5 ^ t0;
  const word e7 = LUT3(e6, ca, t0, 0xCA);
  const word e8 = LUT3(e7, e3, t1, 0xE8);
  const word e9 = LUT3(e8, e4, ca, 0x7C);
  const word e10 = e5 ^ u0;
  const word e11 = LUT3(e10, cb, u0, 0xCA);
  const word e12 = LUT3(e11, e3, u1, 0xE8);
  const word e13 = LUT3(e12, e4, cb, 0x7C);
  *next_a = e9;
  *next_b = e13;
}
#endif
// 31 operations for two rows
MOOREA_STEP void next_walled_cities_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = AND_NOT(b0, a0);
  const word e1 = a1 ^ e0;
  const word e2 = b0 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = a1 ^ e3;
  const word e5 = AND_NOT(e4, e3);
  const word e6 = AND_NOT(b1, e4);
  const word e7 = e5 | e6;
  const word e8 = a0 ^ b0;
  const word e9 = t0 ^ e8;
  const word e10 = AND_NOT(e9, ca);
  const word e11 = t0 | e9;
  const word e12 = AND_NOT(e11, e10);
  const word e13 = e3 ^ e12;
  const word e14 = t1 & e13;
  const word e15 = e3 & e12;
  const word e16 = e14 | e15;
  const word e17 = AND_NOT(e16, ca);
  const word e18 = e7 ^ e16;
  const word e19 = e17 | e18;
  const word e20 = u0 ^ e8;
  const word e21 = cb & e20;
  const word e22 = AND_NOT(u0, e20);
  const word e23 = e21 ^ e22;
  const word e24 = u1 ^ e23;
  const word e25 = AND_NOT(e23, e24);
  const word e26 = e3 & e24;
  const word e27 = e25 | e26;
  const word e28 = e7 ^ e27;
  const word e29 = AND_NOT(e27, cb);
  const word e30 = e28 | e29;
  *next_a = e19;
  *next_b = e30;
}

#endif
