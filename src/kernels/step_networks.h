// SPDX-License-Identifier: MIT
// Made by tools/make_networks_header.cpp from src/logic; do not edit. The networks of the rules with names,
// for C++, CUDA and OpenCL C. Include it after defining the type `word` and, for the functions that end in
// _lut3, the macro LUT3(a, b, c, table), one gate whose output is bit (a << 2 | b << 1 | c) of the table; for
// those that end in _plain `word` needs the operators & | ^ ~. For CUDA define MOOREA_STEP with __device__.
//
// t a b u are rows y - 1, y, y + 1, y + 2; of each the sum of the three cells around a column, ones and twos
// (t0 t1 and so on); ca and cb are the centre cells of rows y and y + 1, next_a and next_b their next states.
// The first operand of a LUT3 is not needed behind it, except where a copy is noted: vpternlog overwrites its
// first operand. What stays needed are the sums of the last two rows, which are the first two of the next.
#ifndef MOOREA_KERNELS_STEP_NETWORKS_H
#define MOOREA_KERNELS_STEP_NETWORKS_H
// clang-format off

#ifndef MOOREA_STEP
#define MOOREA_STEP static inline
#endif

// X(function, birth, survival, rows of the _lut3 form, rows of the _plain form) for each of them.
#define MOOREA_NAMED_NETWORKS(X) \
  X(next_life, 0x008, 0x00C, 2, 2) \
  X(next_highlife, 0x048, 0x00C, 2, 2) \
  X(next_day_night, 0x1C8, 0x1D8, 1, 1) \
  X(next_seeds, 0x004, 0x000, 2, 2) \
  X(next_diamoeba, 0x1E8, 0x1E0, 1, 1) \
  X(next_maze, 0x008, 0x03E, 2, 2) \
  X(next_mazectric, 0x008, 0x01E, 1, 2) \
  X(next_anneal, 0x1D0, 0x1E8, 2, 2) \
  X(next_majority, 0x1E0, 0x1F0, 2, 2) \
  X(next_replicator, 0x0AA, 0x0AA, 2, 2) \
  X(next_fredkin, 0x0AA, 0x155, 1, 2) \
  X(next_2x2, 0x048, 0x026, 1, 1) \
  X(next_morley, 0x148, 0x034, 1, 1) \
  X(next_34_life, 0x018, 0x018, 2, 2) \
  X(next_amoeba, 0x0A8, 0x12A, 1, 1) \
  X(next_antilife, 0x19F, 0x1DF, 2, 2) \
  X(next_assimilation, 0x038, 0x0F0, 2, 2) \
  X(next_bacteria, 0x018, 0x070, 2, 2) \
  X(next_coagulations, 0x188, 0x1EC, 2, 2) \
  X(next_coral, 0x008, 0x1F0, 1, 2) \
  X(next_corrosion_of_conformity, 0x008, 0x016, 2, 2) \
  X(next_dotlife, 0x008, 0x00D, 2, 2) \
  X(next_drylife, 0x088, 0x00C, 1, 1) \
  X(next_eightlife, 0x008, 0x10C, 2, 2) \
  X(next_flock, 0x008, 0x006, 2, 2) \
  X(next_geology, 0x1A8, 0x1D4, 2, 2) \
  X(next_gnarl, 0x002, 0x002, 2, 2) \
  X(next_h_trees, 0x002, 0x1FF, 2, 2) \
  X(next_holstein, 0x1E8, 0x1D0, 1, 1) \
  X(next_honeylife, 0x108, 0x10C, 2, 2) \
  X(next_iceballs, 0x1E4, 0x1E0, 1, 1) \
  X(next_inverselife, 0x1FF, 0x1D8, 2, 2) \
  X(next_land_rush, 0x048, 0x1BC, 1, 1) \
  X(next_life_without_death, 0x008, 0x1FF, 2, 2) \
  X(next_live_free_or_die, 0x004, 0x001, 2, 2) \
  X(next_long_life, 0x038, 0x020, 1, 2) \
  X(next_lowdeath, 0x148, 0x10C, 2, 2) \
  X(next_lowlife, 0x008, 0x00A, 1, 2) \
  X(next_pedestrian_life, 0x108, 0x00C, 1, 1) \
  X(next_plow_world, 0x188, 0x1FF, 2, 2) \
  X(next_pseudo_life, 0x0A8, 0x10C, 1, 1) \
  X(next_serviettes, 0x01C, 0x000, 2, 2) \
  X(next_snowlife, 0x008, 0x08E, 1, 1) \
  X(next_stains, 0x1C8, 0x1EC, 1, 2) \
  X(next_star_trek, 0x008, 0x115, 2, 2) \
  X(next_virus, 0x048, 0x02C, 1, 1) \
  X(next_walled_cities, 0x1F0, 0x03C, 2, 2)

// Life, B3/S23: 7.5 gates a word with the row's sum, 18.5 operations.
#ifdef LUT3
// 12 gates for 2 rows, 1 copy
MOOREA_STEP void next_life_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, a1, a0, 0xE8);  // a copy
  const word e1 = LUT3(a1, e0, b1, 0x92);
  const word e2 = a0 ^ b0;
  const word e3 = LUT3(a0, e1, b0, 0x24);
  const word e4 = e2 ^ t0;
  const word e5 = LUT3(t0, e3, e1, 0xE2);
  const word e6 = LUT3(e5, t1, e0, 0x16);
  const word e7 = LUT3(e6, e4, ca, 0xE0);
  const word e8 = LUT3(e3, u0, e1, 0xCA);
  const word e9 = LUT3(e8, u1, e0, 0x16);
  const word e10 = e2 ^ u0;
  const word e11 = LUT3(e9, e10, cb, 0xE0);
  *next_a = e7;
  *next_b = e11;
}
#endif
// 27 operations for 2 rows
MOOREA_STEP void next_life_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = t0 ^ e0;
  const word e8 = ca | e7;
  const word e9 = e7 & ~e0;
  const word e10 = e8 & ~e9;
  const word e11 = t1 ^ e10;
  const word e12 = e3 ^ e11;
  const word e13 = t1 | e3;
  const word e14 = e6 ^ e13;
  const word e15 = e8 & e14;
  const word e16 = e12 & e15;
  const word e17 = u0 ^ e0;
  const word e18 = cb | e17;
  const word e19 = u0 & ~e0;
  const word e20 = e18 & ~e19;
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
// 14 gates for 2 rows, 3 copies
MOOREA_STEP void next_highlife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a0, 0x03);
  const word e2 = LUT3(a1, b1, e1, 0x96);  // a copy
  const word e3 = LUT3(a1, b1, e1, 0x2B);
  const word e4 = LUT3(t1, e2, ca, 0xB2);  // a copy
  const word e5 = LUT3(ca, t0, e0, 0x4D);
  const word e6 = LUT3(e4, e0, t0, 0xF2);
  const word e7 = LUT3(e5, e2, t1, 0x69);
  const word e8 = LUT3(e7, e3, e6, 0x09);
  const word e9 = LUT3(u1, e2, cb, 0xB2);  // a copy
  const word e10 = LUT3(cb, u0, e0, 0x4D);
  const word e11 = LUT3(e0, e9, u0, 0xCE);
  const word e12 = LUT3(e2, e10, u1, 0x69);
  const word e13 = LUT3(e12, e3, e11, 0x09);
  *next_a = e8;
  *next_b = e13;
}
#endif
// 27 operations for 2 rows
MOOREA_STEP void next_highlife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = t0 ^ e0;
  const word e8 = ca | e7;
  const word e9 = e7 & ~e0;
  const word e10 = e8 & ~e9;
  const word e11 = t1 ^ e10;
  const word e12 = e3 ^ e11;
  const word e13 = t1 | e3;
  const word e14 = e6 ^ e13;
  const word e15 = e8 ^ e14;
  const word e16 = e12 & ~e15;
  const word e17 = u0 ^ e0;
  const word e18 = cb | e17;
  const word e19 = u0 & ~e0;
  const word e20 = e18 & ~e19;
  const word e21 = u1 ^ e20;
  const word e22 = e3 ^ e21;
  const word e23 = u1 | e3;
  const word e24 = e6 ^ e23;
  const word e25 = e18 ^ e24;
  const word e26 = e22 & ~e25;
  *next_a = e16;
  *next_b = e26;
}

// Day & Night, B3678/S34678: 9 gates a word with the row's sum, 24 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_day_night_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);  // a copy
  const word e1 = LUT3(b1, a1, t1, 0x17);  // a copy
  const word e2 = LUT3(t0, b0, a0, 0xE8);
  const word e3 = LUT3(t1, a1, b1, 0x96);
  const word e4 = LUT3(ca, e3, e2, 0x69);
  const word e5 = LUT3(e3, e0, e2, 0x1D);
  const word e6 = LUT3(e5, e4, e1, 0x17);
  *next_a = e6;
}
#endif
// 19 operations for 1 row
MOOREA_STEP void next_day_night_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ a0;
  const word e1 = a0 ^ b0;
  const word e2 = e0 | e1;
  const word e3 = a1 ^ b1;
  const word e4 = e3 & ~t1;
  const word e5 = a1 | b1;
  const word e6 = e4 ^ e5;
  const word e7 = b0 ^ e2;
  const word e8 = e0 ^ e7;
  const word e9 = t1 ^ e3;
  const word e10 = ca ^ e9;
  const word e11 = e8 ^ e10;
  const word e12 = e8 ^ e9;
  const word e13 = e12 & ~e2;
  const word e14 = e9 ^ e13;
  const word e15 = e11 ^ e14;
  const word e16 = e14 | e15;
  const word e17 = e15 & ~e6;
  const word e18 = e16 ^ e17;
  *next_a = e18;
}

// Seeds, B2/S: 7 gates a word with the row's sum, 15 operations.
#ifdef LUT3
// 10 gates for 2 rows, 1 copy
MOOREA_STEP void next_seeds_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b0, a1, a0, 0x36);  // a copy
  const word e1 = LUT3(a1, e0, b1, 0x47);
  const word e2 = LUT3(t0, b0, a0, 0x69);
  const word e3 = LUT3(t1, e0, b1, 0x96);
  const word e4 = LUT3(e2, e3, ca, 0x43);
  const word e5 = LUT3(e4, e3, e1, 0x80);
  const word e6 = LUT3(a0, b0, u0, 0x69);
  const word e7 = LUT3(e0, b1, u1, 0x96);
  const word e8 = LUT3(e6, e7, cb, 0x43);
  const word e9 = LUT3(e8, e7, e1, 0x80);
  *next_a = e5;
  *next_b = e9;
}
#endif
// 20 operations for 2 rows
MOOREA_STEP void next_seeds_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 | b0;
  const word e1 = b1 & e0;
  const word e2 = a0 ^ b1;
  const word e3 = e0 & ~e1;
  const word e4 = e2 | e3;
  const word e5 = a0 ^ b0;
  const word e6 = t0 ^ e5;
  const word e7 = a1 ^ e4;
  const word e8 = e4 & ~e7;
  const word e9 = t1 ^ e7;
  const word e10 = e9 & ~e8;
  const word e11 = ca | e6;
  const word e12 = e1 | e11;
  const word e13 = e10 & ~e12;
  const word e14 = u0 ^ e5;
  const word e15 = u1 & ~e8;
  const word e16 = e7 ^ e15;
  const word e17 = cb | e14;
  const word e18 = e1 | e17;
  const word e19 = e16 & ~e18;
  *next_a = e13;
  *next_b = e19;
}

// Diamoeba, B35678/S5678: 9 gates a word with the row's sum, 21 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_diamoeba_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x96);  // a copy
  const word e1 = LUT3(t0, a0, b0, 0xE8);
  const word e2 = LUT3(t1, a1, b1, 0x96);  // a copy
  const word e3 = LUT3(t1, a1, b1, 0xE8);
  const word e4 = LUT3(e1, e2, e3, 0x56);
  const word e5 = LUT3(e0, ca, e4, 0x21);
  const word e6 = LUT3(e3, e4, e5, 0xB8);
  *next_a = e6;
}
#endif
// 16 operations for 1 row
MOOREA_STEP void next_diamoeba_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ b0;
  const word e1 = a0 ^ e0;
  const word e2 = t0 ^ e1;
  const word e3 = e0 & ~e2;
  const word e4 = t0 ^ e3;
  const word e5 = t1 ^ e4;
  const word e6 = a1 ^ e5;
  const word e7 = e4 ^ e6;
  const word e8 = e5 | e7;
  const word e9 = b1 | e8;
  const word e10 = e1 & e9;
  const word e11 = e9 & ~b1;
  const word e12 = e6 | e11;
  const word e13 = e8 ^ e12;
  const word e14 = e10 & ~ca;
  const word e15 = e13 | e14;
  *next_a = e15;
}

// Maze, B3/S12345: 9 gates a word with the row's sum, 24.5 operations.
#ifdef LUT3
// 14 gates for 2 rows, 2 copies
MOOREA_STEP void next_maze_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);  // a copy
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(ca, t1, e3, 0x64);  // a copy
  const word e5 = LUT3(e4, t1, e2, 0x2D);
  const word e6 = LUT3(t0, e0, e3, 0x16);
  const word e7 = LUT3(t1, e6, e2, 0xB6);
  const word e8 = LUT3(e7, e5, ca, 0x2B);
  const word e9 = LUT3(e0, u0, e3, 0x16);
  const word e10 = LUT3(e3, cb, u1, 0x4A);
  const word e11 = LUT3(e10, u1, e2, 0x2D);
  const word e12 = LUT3(e9, u1, e2, 0x9E);
  const word e13 = LUT3(e12, e11, cb, 0x2B);
  *next_a = e8;
  *next_b = e13;
}
#endif
// 39 operations for 2 rows
MOOREA_STEP void next_maze_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = b1 ^ e1;
  const word e3 = a1 ^ e2;
  const word e4 = e1 | e2;
  const word e5 = e2 & ~a1;
  const word e6 = e4 & ~e5;
  const word e7 = t1 | ca;
  const word e8 = e6 & e7;
  const word e9 = t1 ^ e8;
  const word e10 = e3 & ~t1;
  const word e11 = e9 ^ e10;
  const word e12 = e0 & e6;
  const word e13 = e0 ^ e6;
  const word e14 = t0 ^ e13;
  const word e15 = e14 & ~e12;
  const word e16 = t1 ^ e15;
  const word e17 = e16 & ~e15;
  const word e18 = e3 & ~e17;
  const word e19 = e16 ^ e18;
  const word e20 = e11 ^ e19;
  const word e21 = e19 & e20;
  const word e22 = ca | e20;
  const word e23 = e22 & ~e21;
  const word e24 = u1 ^ e6;
  const word e25 = e6 & ~cb;
  const word e26 = e24 & ~e25;
  const word e27 = e3 & ~u1;
  const word e28 = e26 ^ e27;
  const word e29 = u0 ^ e13;
  const word e30 = e29 & ~e12;
  const word e31 = u1 ^ e30;
  const word e32 = e3 & ~e27;
  const word e33 = e31 & ~e32;
  const word e34 = e3 ^ e33;
  const word e35 = e28 ^ e34;
  const word e36 = e35 & ~e34;
  const word e37 = cb & ~e35;
  const word e38 = e36 ^ e37;
  *next_a = e23;
  *next_b = e38;
}

// Mazectric, B3/S1234: 9 gates a word with the row's sum, 19 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_mazectric_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);  // a copy
  const word e1 = LUT3(b1, a1, t1, 0xE8);  // a copy
  const word e2 = LUT3(t0, b0, a0, 0xE8);
  const word e3 = LUT3(t1, a1, b1, 0x96);
  const word e4 = LUT3(e1, e3, e2, 0x1E);
  const word e5 = LUT3(e2, e0, e3, 0xE7);
  const word e6 = LUT3(e5, e4, ca, 0x8C);
  *next_a = e6;
}
#endif
// 28 operations for 2 rows
MOOREA_STEP void next_mazectric_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = e3 & e6;
  const word e8 = t1 & ~e7;
  const word e9 = e3 ^ e8;
  const word e10 = t0 ^ e0;
  const word e11 = e9 & e10;
  const word e12 = t0 & ~e10;
  const word e13 = e3 ^ e12;
  const word e14 = e9 | e13;
  const word e15 = e6 ^ e14;
  const word e16 = ca | e11;
  const word e17 = e15 & e16;
  const word e18 = u1 & ~e7;
  const word e19 = e3 ^ e18;
  const word e20 = u0 ^ e0;
  const word e21 = e19 & e20;
  const word e22 = u0 & ~e20;
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
// 9 gates for 2 rows, 1 copy
MOOREA_STEP void next_anneal_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = LUT3(b0, a1, a0, 0xD4);  // a copy
  const word e1 = LUT3(e0, b1, b0, 0x96);
  const word e2 = LUT3(a1, e1, b1, 0xB2);
  const word e3 = LUT3(t1, t0, e1, 0xE8);
  const word e4 = LUT3(t0, b0, a0, 0x96);
  const word e5 = LUT3(e4, e3, e2, 0x8E);
  const word e6 = LUT3(a0, u0, b0, 0x96);
  const word e7 = LUT3(e1, u1, u0, 0xE8);
  const word e8 = LUT3(e6, e7, e2, 0x8E);
  *next_a = e5;
  *next_b = e8;
}
#endif
// 28 operations for 2 rows
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
  const word e9 = e8 & ~e7;
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
  const word e22 = e20 & ~e5;
  const word e23 = e21 & ~e22;
  const word e24 = e19 ^ e23;
  const word e25 = e9 ^ e19;
  const word e26 = e24 & ~e25;
  const word e27 = e9 ^ e26;
  *next_a = e18;
  *next_b = e27;
}

// Majority, B5678/S45678: 6.5 gates a word with the row's sum, 15 operations.
#ifdef LUT3
// 9 gates for 2 rows, 2 copies
MOOREA_STEP void next_majority_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = LUT3(b1, a1, a0, 0x96);  // a copy
  const word e1 = LUT3(a1, b1, a0, 0xD4);
  const word e2 = LUT3(e1, b0, a0, 0xE8);  // a copy
  const word e3 = LUT3(t0, e2, e1, 0xE8);
  const word e4 = LUT3(t1, a0, e1, 0xE8);
  const word e5 = LUT3(e3, e4, e0, 0xD4);
  const word e6 = LUT3(e2, u0, e1, 0xE8);
  const word e7 = LUT3(a0, u1, e1, 0xE8);
  const word e8 = LUT3(e6, e7, e0, 0xD4);
  *next_a = e5;
  *next_b = e8;
}
#endif
// 20 operations for 2 rows
MOOREA_STEP void next_majority_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = e3 ^ e6;
  const word e8 = t1 ^ e3;
  const word e9 = e7 & ~e8;
  const word e10 = t0 | e0;
  const word e11 = e3 ^ e10;
  const word e12 = e9 & ~e11;
  const word e13 = e6 ^ e12;
  const word e14 = u1 ^ e3;
  const word e15 = e7 & ~e14;
  const word e16 = u0 | e0;
  const word e17 = e3 ^ e16;
  const word e18 = e15 & ~e17;
  const word e19 = e6 ^ e18;
  *next_a = e13;
  *next_b = e19;
}

// Replicator, B1357/S1357: 3.5 gates a word with the row's sum, 7.5 operations.
#ifdef LUT3
// 3 gates for 2 rows, 0 copies
MOOREA_STEP void next_replicator_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)t1; (void)a1; (void)b1; (void)u1;
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(ca, e0, t0, 0x96);
  const word e2 = LUT3(e0, cb, u0, 0x96);
  *next_a = e1;
  *next_b = e2;
}
#endif
// 5 operations for 2 rows
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
// 1 gate for 1 row, 0 copies
MOOREA_STEP void next_fredkin_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  (void)t1; (void)a1; (void)b1; (void)ca;
  const word e0 = LUT3(t0, b0, a0, 0x96);
  *next_a = e0;
}
#endif
// 3 operations for 2 rows
MOOREA_STEP void next_fredkin_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)t1; (void)a1; (void)b1; (void)u1; (void)ca; (void)cb;
  const word e0 = a0 ^ b0;
  const word e1 = t0 ^ e0;
  const word e2 = u0 ^ e0;
  *next_a = e1;
  *next_b = e2;
}

// 2x2, B36/S125: 9 gates a word with the row's sum, 20 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_2x2_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x69);  // a copy
  const word e1 = LUT3(t0, a0, b0, 0x17);
  const word e2 = LUT3(t1, a1, b1, 0x69);  // a copy
  const word e3 = LUT3(t1, a1, b1, 0x17);
  const word e4 = LUT3(e0, e1, e2, 0x17);
  const word e5 = LUT3(e3, ca, e4, 0x1A);
  const word e6 = LUT3(e1, e2, e5, 0x14);
  *next_a = e6;
}
#endif
// 15 operations for 1 row
MOOREA_STEP void next_2x2_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ b0;
  const word e1 = a0 ^ e0;
  const word e2 = a1 ^ b1;
  const word e3 = e2 & ~t1;
  const word e4 = a1 | b1;
  const word e5 = e3 ^ e4;
  const word e6 = e1 ^ e5;
  const word e7 = ca & ~e5;
  const word e8 = e6 | e7;
  const word e9 = t1 ^ e2;
  const word e10 = t0 & ~e0;
  const word e11 = a0 & ~e1;
  const word e12 = e10 ^ e11;
  const word e13 = e9 ^ e12;
  const word e14 = e8 & e13;
  *next_a = e14;
}

// Morley, B368/S245: 10 gates a word with the row's sum, 24 operations.
#ifdef LUT3
// 8 gates for 1 row, 2 copies
MOOREA_STEP void next_morley_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x96);  // a copy
  const word e1 = LUT3(t0, a0, b0, 0xE8);
  const word e2 = LUT3(e1, a1, t1, 0x69);
  const word e3 = LUT3(e2, t1, a1, 0xE8);  // a copy
  const word e4 = LUT3(t1, e0, e2, 0xC5);
  const word e5 = LUT3(ca, e4, e2, 0xB6);
  const word e6 = LUT3(e2, b1, e5, 0x28);
  const word e7 = LUT3(e0, e6, e3, 0x92);
  *next_a = e7;
}
#endif
// 19 operations for 1 row
MOOREA_STEP void next_morley_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ b0;
  const word e1 = a0 ^ e0;
  const word e2 = t0 ^ e1;
  const word e3 = e0 & ~e2;
  const word e4 = t0 ^ e3;
  const word e5 = t1 ^ a1;
  const word e6 = b1 ^ e5;
  const word e7 = a1 ^ e6;
  const word e8 = e7 & ~e5;
  const word e9 = b1 ^ e8;
  const word e10 = e4 ^ e6;
  const word e11 = e4 | e10;
  const word e12 = e9 ^ e11;
  const word e13 = e6 | e9;
  const word e14 = e1 ^ e13;
  const word e15 = ca ^ e14;
  const word e16 = e10 | e15;
  const word e17 = e1 ^ e12;
  const word e18 = e16 & ~e17;
  *next_a = e18;
}

// 34 Life, B34/S34: 7.5 gates a word with the row's sum, 17.5 operations.
#ifdef LUT3
// 12 gates for 2 rows, 0 copies
MOOREA_STEP void next_34_life_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a1, 0x6A);
  const word e2 = LUT3(a1, e1, b1, 0xDE);
  const word e3 = LUT3(e1, e2, b1, 0xB4);
  const word e4 = e0 ^ t0;
  const word e5 = LUT3(e4, ca, t0, 0x3A);
  const word e6 = LUT3(t1, e5, e3, 0xDA);
  const word e7 = LUT3(e6, e5, e2, 0x68);
  const word e8 = e0 ^ u0;
  const word e9 = LUT3(e8, cb, u0, 0x3A);
  const word e10 = LUT3(e3, e9, u1, 0xDA);
  const word e11 = LUT3(e10, e9, e2, 0x68);
  *next_a = e7;
  *next_b = e11;
}
#endif
// 25 operations for 2 rows
MOOREA_STEP void next_34_life_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = t0 ^ ca;
  const word e8 = ca ^ e0;
  const word e9 = e8 & ~e7;
  const word e10 = t0 ^ e9;
  const word e11 = t1 ^ e10;
  const word e12 = e3 ^ e11;
  const word e13 = t1 | e3;
  const word e14 = e6 ^ e13;
  const word e15 = e14 & ~e12;
  const word e16 = u0 & e0;
  const word e17 = u0 ^ e0;
  const word e18 = e17 & ~cb;
  const word e19 = e16 ^ e18;
  const word e20 = u1 ^ e19;
  const word e21 = e3 ^ e20;
  const word e22 = u1 | e3;
  const word e23 = e6 ^ e22;
  const word e24 = e23 & ~e21;
  *next_a = e15;
  *next_b = e24;
}

// Amoeba, B357/S1358: 9 gates a word with the row's sum, 23 operations.
#ifdef LUT3
// 7 gates for 1 row, 3 copies
MOOREA_STEP void next_amoeba_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x96);  // a copy
  const word e1 = LUT3(t0, a0, ca, 0xE8);
  const word e2 = LUT3(e0, t1, b0, 0xE0);  // a copy
  const word e3 = LUT3(e1, e2, b0, 0xB2);
  const word e4 = LUT3(e3, b1, a1, 0x81);  // a copy
  const word e5 = LUT3(e4, t1, e3, 0x6F);
  const word e6 = LUT3(e5, e0, ca, 0x68);
  *next_a = e6;
}
#endif
// 18 operations for 1 row
MOOREA_STEP void next_amoeba_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ b0;
  const word e1 = a0 ^ e0;
  const word e2 = ca ^ e1;
  const word e3 = b1 | e2;
  const word e4 = b0 ^ e3;
  const word e5 = e4 & ~t0;
  const word e6 = a0 ^ e5;
  const word e7 = e6 & ~a0;
  const word e8 = e1 & ~e6;
  const word e9 = e7 | e8;
  const word e10 = t1 ^ e9;
  const word e11 = t1 ^ a1;
  const word e12 = e10 & ~e11;
  const word e13 = t1 ^ b1;
  const word e14 = e12 & ~e13;
  const word e15 = e1 | e2;
  const word e16 = e2 ^ e14;
  const word e17 = e15 & e16;
  *next_a = e17;
}

// AntiLife, B0123478/S01234678: 7.5 gates a word with the row's sum, 19.5 operations.
#ifdef LUT3
// 11 gates for 2 rows, 3 copies
MOOREA_STEP void next_antilife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, a1, a0, 0x17);  // a copy
  const word e1 = LUT3(a1, e0, b1, 0x16);
  const word e2 = LUT3(e1, b0, a0, 0x81);  // a copy
  const word e3 = LUT3(t0, e2, e1, 0x2E);  // a copy
  const word e4 = LUT3(e3, t1, e0, 0x49);
  const word e5 = LUT3(t0, b0, a0, 0x69);
  const word e6 = LUT3(e4, e5, ca, 0x2F);
  const word e7 = LUT3(e2, u0, e1, 0x3A);
  const word e8 = LUT3(e7, u1, e0, 0x49);
  const word e9 = LUT3(a0, u0, b0, 0x69);
  const word e10 = LUT3(e8, e9, cb, 0x2F);
  *next_a = e6;
  *next_b = e10;
}
#endif
// 29 operations for 2 rows
MOOREA_STEP void next_antilife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = t0 ^ e0;
  const word e8 = ca & e7;
  const word e9 = e0 | e7;
  const word e10 = e9 & ~e8;
  const word e11 = t1 ^ e10;
  const word e12 = e3 ^ e11;
  const word e13 = t1 & e3;
  const word e14 = e6 ^ e13;
  const word e15 = e14 & ~e8;
  const word e16 = e12 & e15;
  const word e17 = u0 ^ e0;
  const word e18 = cb & e17;
  const word e19 = u0 | e0;
  const word e20 = e19 & ~e18;
  const word e21 = u1 ^ e20;
  const word e22 = e3 ^ e21;
  const word e23 = u1 & e3;
  const word e24 = e6 ^ e23;
  const word e25 = e22 & e24;
  const word e26 = e25 & ~e18;
  const word e27 = ~e16;
  const word e28 = ~e26;
  *next_a = e27;
  *next_b = e28;
}

// Assimilation, B345/S4567: 9 gates a word with the row's sum, 21.5 operations.
#ifdef LUT3
// 14 gates for 2 rows, 1 copy
MOOREA_STEP void next_assimilation_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);  // a copy
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(ca, e2, t1, 0x69);
  const word e5 = LUT3(t0, e4, e0, 0x7E);
  const word e6 = e4 ^ e5;
  const word e7 = LUT3(t1, e2, e6, 0x17);
  const word e8 = LUT3(e5, e3, e7, 0x94);
  const word e9 = LUT3(cb, e2, u1, 0x69);
  const word e10 = LUT3(e0, e9, u0, 0x7E);
  const word e11 = e9 ^ e10;
  const word e12 = LUT3(e2, u1, e11, 0x17);
  const word e13 = LUT3(e3, e10, e12, 0x94);
  *next_a = e8;
  *next_b = e13;
}
#endif
// 33 operations for 2 rows
MOOREA_STEP void next_assimilation_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & ~e0;
  const word e2 = b1 ^ e1;
  const word e3 = a1 ^ e2;
  const word e4 = e1 | e2;
  const word e5 = e2 & e3;
  const word e6 = e4 ^ e5;
  const word e7 = t1 ^ e3;
  const word e8 = ca ^ e7;
  const word e9 = t0 ^ e0;
  const word e10 = e0 ^ e8;
  const word e11 = e10 & ~e9;
  const word e12 = e8 ^ e11;
  const word e13 = t1 & ~e7;
  const word e14 = e7 & e12;
  const word e15 = e13 | e14;
  const word e16 = e6 ^ e15;
  const word e17 = e11 & ~e15;
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
  const word e29 = e24 & ~e6;
  const word e30 = e28 | e29;
  const word e31 = e6 ^ e30;
  const word e32 = e24 ^ e31;
  *next_a = e19;
  *next_b = e32;
}

// Bacteria, B34/S456: 9 gates a word with the row's sum, 22.5 operations.
#ifdef LUT3
// 14 gates for 2 rows, 0 copies
MOOREA_STEP void next_bacteria_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a0, 0x03);
  const word e2 = LUT3(a1, b1, e1, 0x96);
  const word e3 = LUT3(e1, e2, b1, 0x8E);
  const word e4 = t1 ^ e2;
  const word e5 = LUT3(t1, e2, e3, 0xA6);
  const word e6 = LUT3(t0, e0, e5, 0x4D);
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
#endif
// 35 operations for 2 rows
MOOREA_STEP void next_bacteria_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = b1 ^ e1;
  const word e3 = a1 ^ e2;
  const word e4 = e2 & e3;
  const word e5 = b1 | e1;
  const word e6 = e5 & ~e4;
  const word e7 = t1 ^ e3;
  const word e8 = e3 | e7;
  const word e9 = e6 ^ e8;
  const word e10 = e0 ^ e9;
  const word e11 = e10 & ~t0;
  const word e12 = e0 & e9;
  const word e13 = e11 ^ e12;
  const word e14 = ca & e13;
  const word e15 = e7 ^ e13;
  const word e16 = e14 | e15;
  const word e17 = ca | e16;
  const word e18 = ca ^ e16;
  const word e19 = e17 & ~e9;
  const word e20 = e18 ^ e19;
  const word e21 = u1 ^ e3;
  const word e22 = u1 | e21;
  const word e23 = e6 ^ e22;
  const word e24 = e0 ^ e23;
  const word e25 = u0 & e24;
  const word e26 = e0 | e24;
  const word e27 = e26 & ~e25;
  const word e28 = cb & e27;
  const word e29 = e21 & ~e28;
  const word e30 = e27 ^ e29;
  const word e31 = cb ^ e30;
  const word e32 = e23 ^ e31;
  const word e33 = cb | e31;
  const word e34 = e33 & ~e32;
  *next_a = e20;
  *next_b = e34;
}

// Coagulations, B378/S235678: 9 gates a word with the row's sum, 24 operations.
#ifdef LUT3
// 14 gates for 2 rows, 3 copies
MOOREA_STEP void next_coagulations_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);  // a copy
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(e2, t0, t1, 0xE8);  // a copy
  const word e5 = LUT3(t1, e3, e2, 0x25);
  const word e6 = LUT3(e4, e3, ca, 0x17);
  const word e7 = LUT3(t0, e0, e6, 0x69);
  const word e8 = LUT3(e7, e5, e6, 0x71);
  const word e9 = LUT3(e2, u0, u1, 0xE8);  // a copy
  const word e10 = LUT3(e2, e3, u1, 0x25);
  const word e11 = LUT3(e9, e3, cb, 0x17);
  const word e12 = LUT3(e0, u0, e11, 0x69);
  const word e13 = LUT3(e12, e10, e11, 0x71);
  *next_a = e8;
  *next_b = e13;
}
#endif
// 38 operations for 2 rows
MOOREA_STEP void next_coagulations_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = b0 & ~e0;
  const word e2 = a1 ^ e1;
  const word e3 = b1 ^ e2;
  const word e4 = a1 ^ e3;
  const word e5 = e2 & ~e4;
  const word e6 = a1 ^ e5;
  const word e7 = t1 ^ e3;
  const word e8 = e3 & ~e7;
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
  const word e24 = e3 & ~e23;
  const word e25 = u0 & e23;
  const word e26 = e24 ^ e25;
  const word e27 = e11 | e23;
  const word e28 = e6 ^ e26;
  const word e29 = e6 | e28;
  const word e30 = e28 & ~cb;
  const word e31 = e29 & ~e30;
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
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_coral_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x69);  // a copy
  const word e1 = LUT3(b1, a1, t1, 0x17);  // a copy
  const word e2 = LUT3(t0, e0, a0, 0x24);
  const word e3 = LUT3(t1, a1, b1, 0x7E);
  const word e4 = LUT3(e3, e2, ca, 0xC1);
  const word e5 = LUT3(e4, e0, e1, 0x06);
  const word e6 = LUT3(e5, e0, ca, 0x92);
  *next_a = e6;
}
#endif
// 30 operations for 2 rows
MOOREA_STEP void next_coral_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = e3 & e6;
  const word e8 = t1 & ~e7;
  const word e9 = e3 ^ e8;
  const word e10 = t0 ^ e0;
  const word e11 = e9 & e10;
  const word e12 = t0 | e10;
  const word e13 = e3 ^ e12;
  const word e14 = e9 | e13;
  const word e15 = e6 ^ e14;
  const word e16 = ca ^ e15;
  const word e17 = e15 & ~e11;
  const word e18 = e16 & ~e17;
  const word e19 = u1 & ~e7;
  const word e20 = e3 ^ e19;
  const word e21 = u0 ^ e0;
  const word e22 = e20 & e21;
  const word e23 = u0 | e21;
  const word e24 = e3 ^ e23;
  const word e25 = e20 | e24;
  const word e26 = e6 ^ e25;
  const word e27 = e26 & ~e22;
  const word e28 = cb | e27;
  const word e29 = e26 ^ e28;
  *next_a = e18;
  *next_b = e29;
}

// Corrosion of Conformity, B3/S124: 9 gates a word with the row's sum, 23.5 operations.
#ifdef LUT3
// 14 gates for 2 rows, 3 copies
MOOREA_STEP void next_corrosion_of_conformity_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);  // a copy
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(t0, ca, e0, 0x69);  // a copy
  const word e5 = LUT3(t0, e0, e4, 0x17);
  const word e6 = LUT3(e5, e2, t1, 0x61);
  const word e7 = LUT3(e6, e4, e3, 0x94);
  const word e8 = LUT3(e7, ca, e4, 0xD0);
  const word e9 = LUT3(u0, cb, e0, 0x69);  // a copy
  const word e10 = LUT3(e0, e9, u0, 0x17);
  const word e11 = LUT3(e10, e2, u1, 0x61);
  const word e12 = LUT3(e11, e9, e3, 0x94);
  const word e13 = LUT3(e12, cb, e9, 0xD0);
  *next_a = e8;
  *next_b = e13;
}
#endif
// 37 operations for 2 rows
MOOREA_STEP void next_corrosion_of_conformity_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = b1 ^ e1;
  const word e3 = a1 ^ e2;
  const word e4 = b1 & ~e3;
  const word e5 = a1 & e1;
  const word e6 = e4 ^ e5;
  const word e7 = t0 ^ e0;
  const word e8 = ca ^ e7;
  const word e9 = e0 & ~e7;
  const word e10 = e7 & ~e8;
  const word e11 = e9 | e10;
  const word e12 = t1 ^ e11;
  const word e13 = t1 & e3;
  const word e14 = e12 | e13;
  const word e15 = e3 ^ e14;
  const word e16 = e8 ^ e15;
  const word e17 = e6 ^ e16;
  const word e18 = e16 & ~e15;
  const word e19 = e17 | e18;
  const word e20 = ca | e8;
  const word e21 = e20 & ~e19;
  const word e22 = u0 ^ e0;
  const word e23 = cb ^ e22;
  const word e24 = u0 & e0;
  const word e25 = e22 & ~e23;
  const word e26 = e24 | e25;
  const word e27 = e3 | e26;
  const word e28 = u1 ^ e27;
  const word e29 = e3 & e26;
  const word e30 = e28 & ~e29;
  const word e31 = e23 ^ e30;
  const word e32 = e6 & e23;
  const word e33 = e6 ^ e31;
  const word e34 = e32 | e33;
  const word e35 = cb | e23;
  const word e36 = e35 & ~e34;
  *next_a = e21;
  *next_b = e36;
}

// DotLife, B3/S023: 9 gates a word with the row's sum, 20.5 operations.
#ifdef LUT3
// 14 gates for 2 rows, 3 copies
MOOREA_STEP void next_dotlife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);  // a copy
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(e3, e2, t1, 0x1E);  // a copy
  const word e5 = LUT3(e4, e0, t0, 0x60);
  const word e6 = LUT3(t0, e2, e0, 0x6C);
  const word e7 = LUT3(t1, e3, e6, 0xDA);
  const word e8 = LUT3(e5, e7, ca, 0xC2);
  const word e9 = LUT3(e3, e2, u1, 0x1E);  // a copy
  const word e10 = LUT3(e9, e0, u0, 0x60);
  const word e11 = LUT3(e2, e0, u0, 0x78);
  const word e12 = LUT3(e3, u1, e11, 0xE6);
  const word e13 = LUT3(e10, e12, cb, 0xC2);
  *next_a = e8;
  *next_b = e13;
}
#endif
// 31 operations for 2 rows
MOOREA_STEP void next_dotlife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = t1 | e3;
  const word e8 = e6 ^ e7;
  const word e9 = t0 ^ e0;
  const word e10 = e8 & e9;
  const word e11 = t0 & ~e9;
  const word e12 = e3 ^ e11;
  const word e13 = e6 & e12;
  const word e14 = t1 & ~e13;
  const word e15 = e12 ^ e14;
  const word e16 = ca | e15;
  const word e17 = e16 & ~e10;
  const word e18 = e15 ^ e17;
  const word e19 = u1 | e3;
  const word e20 = e6 ^ e19;
  const word e21 = u0 ^ e0;
  const word e22 = e20 & e21;
  const word e23 = u0 & ~e21;
  const word e24 = e3 ^ e23;
  const word e25 = u1 ^ e24;
  const word e26 = e6 & e24;
  const word e27 = e25 | e26;
  const word e28 = cb | e22;
  const word e29 = e28 & ~e27;
  const word e30 = e22 ^ e29;
  *next_a = e18;
  *next_b = e30;
}

// DryLife, B37/S23: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_drylife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x96);  // a copy
  const word e1 = LUT3(t0, a0, b0, 0xE8);
  const word e2 = LUT3(e1, t1, a1, 0xE8);  // a copy
  const word e3 = LUT3(e1, t1, a1, 0x7E);
  const word e4 = LUT3(e3, e0, b1, 0x6B);
  const word e5 = LUT3(e0, ca, e4, 0x16);
  const word e6 = LUT3(e2, e4, e5, 0x24);
  *next_a = e6;
}
#endif
// 17 operations for 1 row
MOOREA_STEP void next_drylife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ b0;
  const word e1 = a0 ^ e0;
  const word e2 = t0 ^ e1;
  const word e3 = e0 & ~e2;
  const word e4 = t0 ^ e3;
  const word e5 = t1 ^ a1;
  const word e6 = b1 ^ e5;
  const word e7 = a1 ^ e6;
  const word e8 = e7 & ~e5;
  const word e9 = b1 ^ e8;
  const word e10 = e4 & e6;
  const word e11 = e9 ^ e10;
  const word e12 = e1 ^ e6;
  const word e13 = e4 ^ e12;
  const word e14 = ca & e11;
  const word e15 = e1 ^ e14;
  const word e16 = e15 & ~e13;
  *next_a = e16;
}

// EightLife, B3/S238: 8.5 gates a word with the row's sum, 20.5 operations.
#ifdef LUT3
// 13 gates for 2 rows, 3 copies
MOOREA_STEP void next_eightlife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = b0 | a0;
  const word e1 = LUT3(e0, b1, a1, 0x7E);  // a copy
  const word e2 = LUT3(e0, b1, a1, 0x16);
  const word e3 = LUT3(b0, a0, t0, 0x96);  // a copy
  const word e4 = LUT3(ca, e3, e1, 0xA8);
  const word e5 = LUT3(t0, e4, e3, 0x6C);
  const word e6 = LUT3(e4, e3, t1, 0x58);
  const word e7 = LUT3(e6, e5, e2, 0x68);
  const word e8 = LUT3(a0, b0, u0, 0x96);
  const word e9 = LUT3(e1, e8, cb, 0xE0);
  const word e10 = LUT3(e9, e8, u0, 0x78);  // a copy
  const word e11 = LUT3(e9, e8, u1, 0x58);
  const word e12 = LUT3(e11, e10, e2, 0x68);
  *next_a = e7;
  *next_b = e12;
}
#endif
// 31 operations for 2 rows
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
  const word e17 = e15 & ~e16;
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

// Flock, B3/S12: 7.5 gates a word with the row's sum, 19.5 operations.
#ifdef LUT3
// 11 gates for 2 rows, 1 copy
MOOREA_STEP void next_flock_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = b1 | a1;
  const word e1 = LUT3(a1, b1, a0, 0x6A);
  const word e2 = LUT3(e1, b0, a0, 0xBC);
  const word e3 = LUT3(b0, a0, t0, 0x96);  // a copy
  const word e4 = LUT3(t0, e3, e2, 0xB6);
  const word e5 = LUT3(e4, e0, t1, 0x16);
  const word e6 = LUT3(e5, e3, ca, 0xE0);
  const word e7 = LUT3(a0, b0, u0, 0x96);
  const word e8 = LUT3(e2, e7, u0, 0xB6);
  const word e9 = LUT3(e8, e0, u1, 0x16);
  const word e10 = LUT3(e9, e7, cb, 0xE0);
  *next_a = e6;
  *next_b = e10;
}
#endif
// 29 operations for 2 rows
MOOREA_STEP void next_flock_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a1 & b1;
  const word e1 = a0 ^ e0;
  const word e2 = a1 | b1;
  const word e3 = b0 ^ e1;
  const word e4 = a0 & b0;
  const word e5 = e3 | e4;
  const word e6 = a0 ^ b0;
  const word e7 = t0 ^ e6;
  const word e8 = t0 & e5;
  const word e9 = e7 | e8;
  const word e10 = e5 ^ e9;
  const word e11 = t0 ^ e10;
  const word e12 = e2 ^ e11;
  const word e13 = t1 ^ e12;
  const word e14 = t1 & e2;
  const word e15 = e13 & ~e14;
  const word e16 = ca | e7;
  const word e17 = e15 & e16;
  const word e18 = u0 ^ e6;
  const word e19 = u0 | e5;
  const word e20 = u0 & e5;
  const word e21 = e18 ^ e19;
  const word e22 = e20 | e21;
  const word e23 = u1 ^ e22;
  const word e24 = u1 & ~e23;
  const word e25 = e2 & ~e24;
  const word e26 = e23 ^ e25;
  const word e27 = cb | e18;
  const word e28 = e26 & e27;
  *next_a = e17;
  *next_b = e28;
}

// Geology, B3578/S24678: 6 gates a word with the row's sum, 17 operations.
#ifdef LUT3
// 8 gates for 2 rows, 2 copies
MOOREA_STEP void next_geology_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = LUT3(b1, b0, a0, 0xD4);  // a copy
  const word e1 = LUT3(e0, b0, a1, 0x8E);
  const word e2 = LUT3(t0, b0, a0, 0x96);
  const word e3 = LUT3(e1, b1, t1, 0xD4);  // a copy
  const word e4 = LUT3(e3, e2, t1, 0xE8);
  const word e5 = LUT3(a0, b0, u0, 0x96);
  const word e6 = LUT3(e1, b1, u1, 0xD4);
  const word e7 = LUT3(e6, e5, u1, 0xE8);
  *next_a = e4;
  *next_b = e7;
}
#endif
// 24 operations for 2 rows
MOOREA_STEP void next_geology_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  (void)ca; (void)cb;
  const word e0 = a0 ^ b1;
  const word e1 = a0 ^ b0;
  const word e2 = e0 & ~e1;
  const word e3 = b0 ^ e2;
  const word e4 = e3 & ~b0;
  const word e5 = b0 & ~e3;
  const word e6 = a1 | e5;
  const word e7 = e6 & ~e4;
  const word e8 = t0 ^ e1;
  const word e9 = b1 ^ e7;
  const word e10 = t1 & e9;
  const word e11 = e7 | e9;
  const word e12 = e10 ^ e11;
  const word e13 = e8 ^ e12;
  const word e14 = t1 & e13;
  const word e15 = e12 & ~e13;
  const word e16 = e14 ^ e15;
  const word e17 = u0 ^ e1;
  const word e18 = u1 & e9;
  const word e19 = e11 ^ e18;
  const word e20 = e17 ^ e19;
  const word e21 = u1 ^ e17;
  const word e22 = e20 & ~e21;
  const word e23 = e19 ^ e22;
  *next_a = e16;
  *next_b = e23;
}

// Gnarl, B1/S1: 6.5 gates a word with the row's sum, 14.5 operations.
#ifdef LUT3
// 9 gates for 2 rows, 1 copy
MOOREA_STEP void next_gnarl_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, b0, a1, 0x96);  // a copy
  const word e1 = LUT3(e0, b0, a0, 0x90);
  const word e2 = LUT3(a1, e1, b1, 0xB2);
  const word e3 = LUT3(t0, b0, a0, 0x96);
  const word e4 = LUT3(e3, e1, ca, 0x1A);
  const word e5 = LUT3(e4, e2, t1, 0x10);
  const word e6 = LUT3(a0, b0, u0, 0x96);
  const word e7 = LUT3(e6, e1, cb, 0x1A);
  const word e8 = LUT3(e7, e2, u1, 0x10);
  *next_a = e5;
  *next_b = e8;
}
#endif
// 19 operations for 2 rows
MOOREA_STEP void next_gnarl_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a1 ^ b1;
  const word e1 = b0 ^ e0;
  const word e2 = a0 ^ b0;
  const word e3 = e1 & ~e2;
  const word e4 = e0 & e3;
  const word e5 = a1 | b1;
  const word e6 = e4 ^ e5;
  const word e7 = t0 ^ e2;
  const word e8 = e3 & e7;
  const word e9 = ca | e8;
  const word e10 = e7 ^ e9;
  const word e11 = t1 | e6;
  const word e12 = e10 & ~e11;
  const word e13 = u0 ^ e2;
  const word e14 = e3 & ~cb;
  const word e15 = e13 & ~e14;
  const word e16 = cb ^ e15;
  const word e17 = u1 | e6;
  const word e18 = e16 & ~e17;
  *next_a = e12;
  *next_b = e18;
}

// H-trees, B1/S012345678: 6 gates a word with the row's sum, 12.5 operations.
#ifdef LUT3
// 8 gates for 2 rows, 1 copy
MOOREA_STEP void next_h_trees_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b0, a1, a0, 0xEC);  // a copy
  const word e1 = LUT3(a1, b1, b0, 0x6C);
  const word e2 = LUT3(t0, b0, a0, 0x96);
  const word e3 = LUT3(e2, e1, t1, 0x10);
  const word e4 = LUT3(e3, e0, ca, 0xBA);
  const word e5 = LUT3(a0, b0, u0, 0x96);
  const word e6 = LUT3(e5, e1, u1, 0x10);
  const word e7 = LUT3(e6, e0, cb, 0xBA);
  *next_a = e4;
  *next_b = e7;
}
#endif
// 15 operations for 2 rows
MOOREA_STEP void next_h_trees_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 & b0;
  const word e1 = a1 | e0;
  const word e2 = a1 & b0;
  const word e3 = b1 ^ e2;
  const word e4 = a0 ^ b0;
  const word e5 = t0 ^ e4;
  const word e6 = e5 & ~t1;
  const word e7 = e6 & ~e3;
  const word e8 = e7 & ~e1;
  const word e9 = ca | e8;
  const word e10 = u0 ^ e4;
  const word e11 = u1 | e3;
  const word e12 = e10 & ~e11;
  const word e13 = e12 & ~e1;
  const word e14 = cb | e13;
  *next_a = e9;
  *next_b = e14;
}

// Holstein, B35678/S4678: 9 gates a word with the row's sum, 23 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_holstein_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);  // a copy
  const word e1 = LUT3(b1, a1, t1, 0xE8);  // a copy
  const word e2 = LUT3(t0, b0, a0, 0x69);
  const word e3 = LUT3(t1, a1, b1, 0x81);
  const word e4 = LUT3(e3, e2, e1, 0xA3);
  const word e5 = LUT3(e0, a0, e1, 0x53);
  const word e6 = LUT3(e5, e4, ca, 0x4D);
  *next_a = e6;
}
#endif
// 18 operations for 1 row
MOOREA_STEP void next_holstein_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ b0;
  const word e1 = a0 ^ e0;
  const word e2 = t0 ^ e1;
  const word e3 = e0 & ~e2;
  const word e4 = t0 ^ e3;
  const word e5 = t1 ^ a1;
  const word e6 = b1 ^ e5;
  const word e7 = a1 ^ e6;
  const word e8 = e7 & ~e5;
  const word e9 = b1 ^ e8;
  const word e10 = ca ^ e4;
  const word e11 = ca ^ e6;
  const word e12 = e11 & ~e10;
  const word e13 = e4 ^ e12;
  const word e14 = e1 ^ e9;
  const word e15 = e14 & ~e13;
  const word e16 = e1 | e9;
  const word e17 = e16 & ~e15;
  *next_a = e17;
}

// HoneyLife, B38/S238: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 14 gates for 2 rows, 2 copies
MOOREA_STEP void next_honeylife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a0, 0x03);
  const word e2 = LUT3(a1, b1, e1, 0x96);  // a copy
  const word e3 = LUT3(a1, b1, e1, 0x2B);
  const word e4 = LUT3(ca, e0, t0, 0xD4);
  const word e5 = LUT3(t1, e4, e2, 0xDA);  // a copy
  const word e6 = LUT3(t1, e3, e4, 0x65);
  const word e7 = LUT3(t0, e0, e3, 0x24);
  const word e8 = LUT3(e6, e7, e5, 0x4A);
  const word e9 = LUT3(cb, e0, u0, 0xD4);
  const word e10 = LUT3(e2, u1, e9, 0xBC);
  const word e11 = LUT3(e9, e3, u1, 0x2D);
  const word e12 = LUT3(e0, e3, u0, 0x18);
  const word e13 = LUT3(e11, e12, e10, 0x4A);
  *next_a = e8;
  *next_b = e13;
}
#endif
// 34 operations for 2 rows
MOOREA_STEP void next_honeylife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 | e2;
  const word e5 = e3 & ~e1;
  const word e6 = e4 & ~e5;
  const word e7 = t0 ^ e0;
  const word e8 = e0 & ~t0;
  const word e9 = ca & ~e7;
  const word e10 = e8 | e9;
  const word e11 = e10 & ~e3;
  const word e12 = t1 & ~e11;
  const word e13 = e3 ^ e12;
  const word e14 = t1 & e6;
  const word e15 = e10 ^ e14;
  const word e16 = e0 ^ e6;
  const word e17 = e7 & ~e16;
  const word e18 = e13 & ~e17;
  const word e19 = e15 | e18;
  const word e20 = e13 ^ e19;
  const word e21 = u0 ^ e0;
  const word e22 = u0 & ~e0;
  const word e23 = cb | e21;
  const word e24 = e22 ^ e23;
  const word e25 = u1 & e24;
  const word e26 = u1 ^ e3;
  const word e27 = e26 & ~e25;
  const word e28 = u1 & e6;
  const word e29 = e24 ^ e28;
  const word e30 = e21 & ~e16;
  const word e31 = e27 ^ e29;
  const word e32 = e29 | e30;
  const word e33 = e31 & e32;
  *next_a = e20;
  *next_b = e33;
}

// Iceballs, B25678/S5678: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_iceballs_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);  // a copy
  const word e1 = LUT3(b1, a1, t1, 0x17);  // a copy
  const word e2 = LUT3(t0, b0, a0, 0x17);
  const word e3 = LUT3(t1, a1, b1, 0x69);
  const word e4 = LUT3(e2, e3, e3, 0x3F);
  const word e5 = LUT3(ca, e0, e3, 0x09);
  const word e6 = LUT3(e5, e4, e1, 0xD4);
  *next_a = e6;
}
#endif
// 17 operations for 1 row
MOOREA_STEP void next_iceballs_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ a0;
  const word e1 = a0 ^ b0;
  const word e2 = e0 | e1;
  const word e3 = a1 ^ b1;
  const word e4 = e3 & ~t1;
  const word e5 = a1 | b1;
  const word e6 = e4 ^ e5;
  const word e7 = b0 ^ e2;
  const word e8 = e0 ^ e7;
  const word e9 = t1 ^ e3;
  const word e10 = e8 | e9;
  const word e11 = e2 ^ e9;
  const word e12 = e11 & ~ca;
  const word e13 = e10 ^ e12;
  const word e14 = e12 | e13;
  const word e15 = e13 & ~e6;
  const word e16 = e14 ^ e15;
  *next_a = e16;
}

// InverseLife, B012345678/S34678: 7.5 gates a word with the row's sum, 19 operations.
#ifdef LUT3
// 12 gates for 2 rows, 0 copies
MOOREA_STEP void next_inverselife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a1, 0x6A);
  const word e2 = LUT3(a1, e1, b1, 0xDE);
  const word e3 = LUT3(e1, e2, b1, 0x58);
  const word e4 = e0 ^ t0;
  const word e5 = LUT3(t0, e4, e2, 0xCA);
  const word e6 = LUT3(e4, e3, t1, 0x46);
  const word e7 = LUT3(e6, e5, ca, 0x7D);
  const word e8 = e0 ^ u0;
  const word e9 = LUT3(e2, e8, u0, 0xD8);
  const word e10 = LUT3(e8, e3, u1, 0x46);
  const word e11 = LUT3(e10, e9, cb, 0x7D);
  *next_a = e7;
  *next_b = e11;
}
#endif
// 28 operations for 2 rows
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
  const word e10 = e3 & ~t0;
  const word e11 = e9 ^ e10;
  const word e12 = t1 & e8;
  const word e13 = t1 ^ e6;
  const word e14 = e13 & ~e12;
  const word e15 = e11 ^ e14;
  const word e16 = ca & ~e15;
  const word e17 = u0 ^ e7;
  const word e18 = e3 ^ e17;
  const word e19 = e18 & ~u0;
  const word e20 = e17 ^ e19;
  const word e21 = u1 & e17;
  const word e22 = e6 | e21;
  const word e23 = u1 ^ e22;
  const word e24 = e20 ^ e23;
  const word e25 = cb & ~e24;
  const word e26 = ~e16;
  const word e27 = ~e25;
  *next_a = e26;
  *next_b = e27;
}

// Land Rush, B36/S234578: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_land_rush_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x96);  // a copy
  const word e1 = LUT3(b1, a1, t1, 0x7E);  // a copy
  const word e2 = LUT3(t0, e0, b0, 0x4D);
  const word e3 = LUT3(e1, e2, e0, 0x69);
  const word e4 = LUT3(e2, ca, a1, 0x1A);
  const word e5 = LUT3(e4, t1, b1, 0x96);
  const word e6 = LUT3(e5, e3, ca, 0xA3);
  *next_a = e6;
}
#endif
// 17 operations for 1 row
MOOREA_STEP void next_land_rush_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ b0;
  const word e1 = a0 ^ e0;
  const word e2 = a1 ^ b1;
  const word e3 = t1 ^ b1;
  const word e4 = e2 | e3;
  const word e5 = e0 & e1;
  const word e6 = t0 | b0;
  const word e7 = e5 ^ e6;
  const word e8 = e1 ^ e7;
  const word e9 = e4 ^ e8;
  const word e10 = ca & ~e7;
  const word e11 = a1 | e10;
  const word e12 = e7 ^ e11;
  const word e13 = e3 ^ e12;
  const word e14 = e9 & e13;
  const word e15 = ca | e13;
  const word e16 = e15 & ~e14;
  *next_a = e16;
}

// Life without Death, B3/S012345678: 6.5 gates a word with the row's sum, 15.5 operations.
#ifdef LUT3
// 9 gates for 2 rows, 2 copies
MOOREA_STEP void next_life_without_death_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, b0, a1, 0xE6);  // a copy
  const word e1 = LUT3(e0, b1, a1, 0xCE);  // a copy
  const word e2 = LUT3(e0, a1, a0, 0xE8);
  const word e3 = LUT3(t0, b0, a0, 0x96);
  const word e4 = LUT3(t1, e2, e1, 0x16);
  const word e5 = LUT3(e4, e3, ca, 0xEA);
  const word e6 = LUT3(a0, b0, u0, 0x96);
  const word e7 = LUT3(e2, e1, u1, 0x16);
  const word e8 = LUT3(e7, e6, cb, 0xEA);
  *next_a = e5;
  *next_b = e8;
}
#endif
// 21 operations for 2 rows
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
  const word e10 = e8 & ~e9;
  const word e11 = t1 ^ e6;
  const word e12 = e8 & ~e11;
  const word e13 = e10 & ~e12;
  const word e14 = ca | e13;
  const word e15 = u0 ^ e7;
  const word e16 = e15 & ~e9;
  const word e17 = u1 ^ e6;
  const word e18 = e15 & ~e17;
  const word e19 = e16 & ~e18;
  const word e20 = cb | e19;
  *next_a = e14;
  *next_b = e20;
}

// Live Free or Die, B2/S0: 7 gates a word with the row's sum, 16.5 operations.
#ifdef LUT3
// 11 gates for 2 rows, 1 copy
MOOREA_STEP void next_live_free_or_die_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b1, b0, a0, 0xE0);  // a copy
  const word e1 = a0 ^ b0;
  const word e2 = LUT3(a0, b1, b0, 0x3E);
  const word e3 = e1 ^ t0;
  const word e4 = LUT3(t1, e2, a1, 0x16);
  const word e5 = LUT3(e3, ca, t0, 0xBC);
  const word e6 = LUT3(e5, e4, e0, 0x04);
  const word e7 = e1 ^ u0;
  const word e8 = LUT3(e2, a1, u1, 0x16);
  const word e9 = LUT3(e7, cb, u0, 0xBC);
  const word e10 = LUT3(e9, e8, e0, 0x04);
  *next_a = e6;
  *next_b = e10;
}
#endif
// 23 operations for 2 rows
MOOREA_STEP void next_live_free_or_die_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 | b0;
  const word e1 = a1 ^ e0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 | e2;
  const word e4 = e1 & ~e3;
  const word e5 = b1 & ~e4;
  const word e6 = e1 ^ e5;
  const word e7 = a0 ^ b0;
  const word e8 = t0 ^ e7;
  const word e9 = t0 & ca;
  const word e10 = e8 & ~e9;
  const word e11 = t1 ^ e6;
  const word e12 = e3 ^ e6;
  const word e13 = e11 & ~e12;
  const word e14 = ca ^ e10;
  const word e15 = e13 & ~e14;
  const word e16 = u0 ^ e7;
  const word e17 = u0 & cb;
  const word e18 = e16 & ~e17;
  const word e19 = u1 ^ e3;
  const word e20 = e19 & ~e12;
  const word e21 = cb ^ e18;
  const word e22 = e20 & ~e21;
  *next_a = e15;
  *next_b = e22;
}

// Long Life, B345/S5: 9 gates a word with the row's sum, 19.5 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_long_life_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);  // a copy
  const word e1 = LUT3(b1, a1, t1, 0xE8);  // a copy
  const word e2 = LUT3(t1, a1, b1, 0x69);
  const word e3 = LUT3(e0, e2, t0, 0x3A);
  const word e4 = LUT3(t0, b0, a0, 0x17);
  const word e5 = LUT3(e2, e4, ca, 0x95);
  const word e6 = LUT3(e3, e5, e1, 0x42);
  *next_a = e6;
}
#endif
// 29 operations for 2 rows
MOOREA_STEP void next_long_life_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = t1 ^ e3;
  const word e8 = t1 & e3;
  const word e9 = e7 & ~ca;
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
// 14 gates for 2 rows, 2 copies
MOOREA_STEP void next_lowdeath_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = LUT3(a1, b1, e1, 0x96);  // a copy
  const word e3 = LUT3(a1, b1, e1, 0xE8);
  const word e4 = LUT3(t0, e0, ca, 0xBC);
  const word e5 = LUT3(e0, e3, u1, 0x35);  // a copy
  const word e6 = LUT3(e5, e2, cb, 0x96);
  const word e7 = LUT3(cb, e0, u0, 0xE6);
  const word e8 = LUT3(e0, e3, t1, 0x35);
  const word e9 = LUT3(t1, e2, e3, 0x94);
  const word e10 = LUT3(ca, e2, e8, 0x96);
  const word e11 = LUT3(e10, e4, e9, 0x89);
  const word e12 = LUT3(e2, e3, u1, 0x92);
  const word e13 = LUT3(e6, e7, e12, 0x89);
  *next_a = e11;
  *next_b = e13;
}
#endif
// 34 operations for 2 rows
MOOREA_STEP void next_lowdeath_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 & b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = e6 & ~e3;
  const word e8 = e3 ^ e6;
  const word e9 = t1 ^ e8;
  const word e10 = e9 & ~e7;
  const word e11 = e0 & ~e6;
  const word e12 = t1 | e0;
  const word e13 = e12 & ~e11;
  const word e14 = ca ^ e13;
  const word e15 = e3 ^ e14;
  const word e16 = t0 & ca;
  const word e17 = e0 & ~e16;
  const word e18 = t0 ^ e17;
  const word e19 = e10 ^ e18;
  const word e20 = e10 | e15;
  const word e21 = e20 & ~e19;
  const word e22 = u1 ^ e8;
  const word e23 = e22 & ~e7;
  const word e24 = u1 | e0;
  const word e25 = e24 & ~e11;
  const word e26 = cb ^ e25;
  const word e27 = e3 ^ e26;
  const word e28 = u0 ^ e0;
  const word e29 = u0 & cb;
  const word e30 = e28 | e29;
  const word e31 = e23 | e27;
  const word e32 = e31 & ~e30;
  const word e33 = e23 ^ e32;
  *next_a = e21;
  *next_b = e33;
}

// LowLife, B3/S13: 9 gates a word with the row's sum, 18.5 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_lowlife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x96);  // a copy
  const word e1 = LUT3(b1, a1, t1, 0x81);  // a copy
  const word e2 = LUT3(t0, a0, e0, 0xD4);
  const word e3 = LUT3(t1, a1, b1, 0xE8);
  const word e4 = LUT3(e2, e3, e1, 0xE9);
  const word e5 = LUT3(e0, e4, ca, 0x86);
  const word e6 = LUT3(e5, e4, e3, 0x34);
  *next_a = e6;
}
#endif
// 27 operations for 2 rows
MOOREA_STEP void next_lowlife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = a0 | b0;
  const word e2 = a1 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = b1 ^ e3;
  const word e5 = e4 & ~e2;
  const word e6 = e1 ^ e5;
  const word e7 = e0 & ~t0;
  const word e8 = t1 ^ e7;
  const word e9 = e3 ^ e8;
  const word e10 = ca | e9;
  const word e11 = ca ^ e0;
  const word e12 = t0 ^ e11;
  const word e13 = t1 | e3;
  const word e14 = e6 ^ e13;
  const word e15 = e12 & e14;
  const word e16 = e10 & e15;
  const word e17 = e0 & ~u0;
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

// Pedestrian Life, B38/S23: 9 gates a word with the row's sum, 20 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_pedestrian_life_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x69);  // a copy
  const word e1 = LUT3(t0, a0, b0, 0x7E);
  const word e2 = LUT3(t1, a1, b1, 0x69);  // a copy
  const word e3 = LUT3(t1, a1, b1, 0x17);
  const word e4 = LUT3(e3, e0, e1, 0x0B);
  const word e5 = LUT3(e0, ca, e4, 0x9A);
  const word e6 = LUT3(e1, e2, e5, 0x14);
  *next_a = e6;
}
#endif
// 15 operations for 1 row
MOOREA_STEP void next_pedestrian_life_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ b0;
  const word e1 = a0 ^ e0;
  const word e2 = a0 ^ b0;
  const word e3 = e0 | e2;
  const word e4 = t1 ^ a1;
  const word e5 = b1 ^ e4;
  const word e6 = a1 ^ e5;
  const word e7 = e6 & ~e4;
  const word e8 = b1 ^ e7;
  const word e9 = e1 | e3;
  const word e10 = e8 & e9;
  const word e11 = ca | e1;
  const word e12 = e10 ^ e11;
  const word e13 = e3 ^ e5;
  const word e14 = e12 & ~e13;
  *next_a = e14;
}

// Plow World, B378/S012345678: 7 gates a word with the row's sum, 13.5 operations.
#ifdef LUT3
// 11 gates for 2 rows, 0 copies
MOOREA_STEP void next_plow_world_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = b1 & a1;
  const word e1 = a0 ^ b0;
  const word e2 = LUT3(a0, b1, b0, 0x6C);
  const word e3 = e1 ^ t0;
  const word e4 = LUT3(t1, e2, a1, 0x96);
  const word e5 = LUT3(e3, e0, t0, 0xF8);
  const word e6 = LUT3(e5, e4, ca, 0xEA);
  const word e7 = e1 ^ u0;
  const word e8 = LUT3(e2, a1, u1, 0x96);
  const word e9 = LUT3(e7, e0, u0, 0xF8);
  const word e10 = LUT3(e9, e8, cb, 0xEA);
  *next_a = e6;
  *next_b = e10;
}
#endif
// 17 operations for 2 rows
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

// Pseudo Life, B357/S238: 9 gates a word with the row's sum, 26 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_pseudo_life_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x69);  // a copy
  const word e1 = LUT3(ca, b1, t1, 0x9E);  // a copy
  const word e2 = LUT3(e1, a0, a1, 0x79);
  const word e3 = LUT3(t1, b1, e2, 0x42);
  const word e4 = LUT3(t0, e0, b0, 0x4D);
  const word e5 = LUT3(e4, e2, e3, 0xE5);
  const word e6 = LUT3(e5, e0, ca, 0x1A);
  *next_a = e6;
}
#endif
// 21 operations for 1 row
MOOREA_STEP void next_pseudo_life_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ b0;
  const word e1 = a0 ^ e0;
  const word e2 = t1 & b1;
  const word e3 = t1 ^ b1;
  const word e4 = ca ^ e3;
  const word e5 = e2 | e4;
  const word e6 = e5 & ~a0;
  const word e7 = a0 ^ a1;
  const word e8 = e5 ^ e7;
  const word e9 = e8 & ~e6;
  const word e10 = b1 ^ e9;
  const word e11 = e3 | e10;
  const word e12 = e0 & e1;
  const word e13 = b0 & ~e0;
  const word e14 = e12 ^ e13;
  const word e15 = e11 ^ e14;
  const word e16 = e11 & ~e9;
  const word e17 = e15 & ~e16;
  const word e18 = ca | e1;
  const word e19 = e18 & ~e17;
  const word e20 = ca ^ e19;
  *next_a = e20;
}

// Serviettes, B234/S: 7.5 gates a word with the row's sum, 17.5 operations.
#ifdef LUT3
// 12 gates for 2 rows, 0 copies
MOOREA_STEP void next_serviettes_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b1, b0, 0x6C);
  const word e2 = e1 ^ a1;
  const word e3 = LUT3(e1, b1, a1, 0xF6);
  const word e4 = e0 ^ t0;
  const word e5 = LUT3(e4, e3, t0, 0xCA);
  const word e6 = LUT3(e5, e2, t1, 0xB2);
  const word e7 = LUT3(e6, e3, ca, 0x14);
  const word e8 = e0 ^ u0;
  const word e9 = LUT3(e8, e3, u0, 0xCA);
  const word e10 = LUT3(e9, e2, u1, 0xB2);
  const word e11 = LUT3(e10, e3, cb, 0x14);
  *next_a = e7;
  *next_b = e11;
}
#endif
// 25 operations for 2 rows
MOOREA_STEP void next_serviettes_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 & b0;
  const word e1 = b1 ^ e0;
  const word e2 = a1 ^ e1;
  const word e3 = a1 ^ b1;
  const word e4 = e1 | e3;
  const word e5 = b0 ^ e4;
  const word e6 = e5 & ~e0;
  const word e7 = a0 ^ e6;
  const word e8 = e4 | e7;
  const word e9 = e7 & ~t0;
  const word e10 = e8 & ~e9;
  const word e11 = t1 & e10;
  const word e12 = t1 | e10;
  const word e13 = e2 & ~e11;
  const word e14 = e12 & ~e13;
  const word e15 = e4 ^ e14;
  const word e16 = e15 & ~ca;
  const word e17 = e7 & ~u0;
  const word e18 = e8 & ~e17;
  const word e19 = e2 ^ e18;
  const word e20 = u1 ^ e18;
  const word e21 = e19 | e20;
  const word e22 = e2 ^ e21;
  const word e23 = e4 ^ e22;
  const word e24 = e23 & ~cb;
  *next_a = e16;
  *next_b = e24;
}

// SnowLife, B3/S1237: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_snowlife_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x7E);  // a copy
  const word e1 = LUT3(b1, a1, t1, 0x69);  // a copy
  const word e2 = LUT3(t0, b0, a0, 0x69);
  const word e3 = LUT3(t1, a1, b1, 0x81);
  const word e4 = LUT3(e1, e3, e2, 0x16);
  const word e5 = LUT3(e4, e0, e3, 0x06);
  const word e6 = LUT3(e5, e2, ca, 0x38);
  *next_a = e6;
}
#endif
// 17 operations for 1 row
MOOREA_STEP void next_snowlife_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ a0;
  const word e1 = a0 ^ b0;
  const word e2 = e0 | e1;
  const word e3 = a1 ^ b1;
  const word e4 = t1 ^ e3;
  const word e5 = b0 ^ e0;
  const word e6 = a1 ^ e4;
  const word e7 = e3 | e6;
  const word e8 = e4 ^ e7;
  const word e9 = e7 | e8;
  const word e10 = e5 ^ e8;
  const word e11 = e9 & ~e10;
  const word e12 = e2 ^ e7;
  const word e13 = e11 | e12;
  const word e14 = ca | e5;
  const word e15 = e13 & e14;
  const word e16 = e5 ^ e15;
  *next_a = e16;
}

// Stains, B3678/S235678: 9 gates a word with the row's sum, 21.5 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_stains_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x69);  // a copy
  const word e1 = LUT3(b1, a1, t1, 0x17);  // a copy
  const word e2 = LUT3(t0, b0, a0, 0x17);
  const word e3 = LUT3(t1, a1, b1, 0x69);
  const word e4 = LUT3(e3, e2, e1, 0x3D);
  const word e5 = LUT3(ca, e4, e1, 0x74);
  const word e6 = LUT3(e5, e0, e4, 0xE2);
  *next_a = e6;
}
#endif
// 33 operations for 2 rows
MOOREA_STEP void next_stains_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = b0 | e0;
  const word e2 = b1 ^ e1;
  const word e3 = a1 ^ e2;
  const word e4 = a1 & e2;
  const word e5 = b1 & e1;
  const word e6 = e4 ^ e5;
  const word e7 = ca ^ e0;
  const word e8 = t0 ^ e0;
  const word e9 = e8 & ~e7;
  const word e10 = ca ^ e9;
  const word e11 = e3 ^ e10;
  const word e12 = t1 ^ e3;
  const word e13 = e11 | e12;
  const word e14 = e8 ^ e13;
  const word e15 = t1 ^ e13;
  const word e16 = e11 ^ e15;
  const word e17 = e6 ^ e16;
  const word e18 = e17 & ~e14;
  const word e19 = e6 ^ e18;
  const word e20 = u0 ^ cb;
  const word e21 = u0 ^ e0;
  const word e22 = e20 & ~e21;
  const word e23 = u0 ^ e22;
  const word e24 = u1 ^ e23;
  const word e25 = e3 ^ e23;
  const word e26 = e24 | e25;
  const word e27 = e21 ^ e26;
  const word e28 = e26 & ~e25;
  const word e29 = u1 ^ e28;
  const word e30 = e29 & ~e27;
  const word e31 = e6 & e27;
  const word e32 = e30 ^ e31;
  *next_a = e19;
  *next_b = e32;
}

// Star Trek, B3/S0248: 7 gates a word with the row's sum, 14.5 operations.
#ifdef LUT3
// 10 gates for 2 rows, 1 copy
MOOREA_STEP void next_star_trek_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = LUT3(b0, a1, a0, 0x6C);  // a copy
  const word e1 = LUT3(a1, e0, b1, 0xB8);
  const word e2 = LUT3(t0, b0, a0, 0x96);
  const word e3 = LUT3(t1, e0, b1, 0x96);
  const word e4 = LUT3(e2, e3, ca, 0xE0);
  const word e5 = LUT3(e4, e3, e1, 0x70);
  const word e6 = LUT3(a0, b0, u0, 0x96);
  const word e7 = LUT3(e0, b1, u1, 0x96);
  const word e8 = LUT3(e6, e7, cb, 0xE0);
  const word e9 = LUT3(e8, e7, e1, 0x70);
  *next_a = e5;
  *next_b = e9;
}
#endif
// 19 operations for 2 rows
MOOREA_STEP void next_star_trek_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 & b0;
  const word e1 = a1 ^ e0;
  const word e2 = e1 & ~b1;
  const word e3 = a1 | e1;
  const word e4 = e3 & ~e2;
  const word e5 = a0 ^ b0;
  const word e6 = t0 ^ e5;
  const word e7 = b1 ^ e1;
  const word e8 = t1 ^ e7;
  const word e9 = ca | e8;
  const word e10 = e6 & e9;
  const word e11 = e4 & e8;
  const word e12 = e10 & ~e11;
  const word e13 = u0 ^ e5;
  const word e14 = u1 ^ e7;
  const word e15 = cb | e14;
  const word e16 = e13 & e15;
  const word e17 = e4 & e14;
  const word e18 = e16 & ~e17;
  *next_a = e12;
  *next_b = e18;
}

// Virus, B36/S235: 9 gates a word with the row's sum, 22 operations.
#ifdef LUT3
// 7 gates for 1 row, 2 copies
MOOREA_STEP void next_virus_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = LUT3(t0, a0, b0, 0x96);  // a copy
  const word e1 = LUT3(t0, a0, b0, 0xE8);
  const word e2 = LUT3(t1, a1, b1, 0x96);  // a copy
  const word e3 = LUT3(t1, a1, b1, 0x7E);
  const word e4 = LUT3(ca, e0, e3, 0x46);
  const word e5 = LUT3(e1, e2, e4, 0x71);
  const word e6 = LUT3(e0, e3, e5, 0x69);
  *next_a = e6;
}
#endif
// 17 operations for 1 row
MOOREA_STEP void next_virus_plain(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) {
  const word e0 = t0 ^ b0;
  const word e1 = a0 ^ e0;
  const word e2 = t0 ^ e1;
  const word e3 = e0 & ~e2;
  const word e4 = t0 ^ e3;
  const word e5 = t1 ^ a1;
  const word e6 = b1 ^ e5;
  const word e7 = t1 ^ e6;
  const word e8 = e5 | e7;
  const word e9 = e1 ^ e8;
  const word e10 = ca & ~e1;
  const word e11 = e9 & ~e10;
  const word e12 = e4 ^ e11;
  const word e13 = e4 ^ e6;
  const word e14 = e12 | e13;
  const word e15 = e4 ^ e14;
  const word e16 = e9 ^ e15;
  *next_a = e16;
}

// Walled Cities, B45678/S2345: 7.5 gates a word with the row's sum, 20.5 operations.
#ifdef LUT3
// 12 gates for 2 rows, 0 copies
MOOREA_STEP void next_walled_cities_lut3(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = a0 ^ b0;
  const word e1 = LUT3(a0, b0, a1, 0xA6);
  const word e2 = LUT3(e1, b1, b0, 0x96);
  const word e3 = LUT3(a1, e2, b1, 0xB2);
  const word e4 = e0 ^ t0;
  const word e5 = LUT3(e4, ca, t0, 0xCA);
  const word e6 = LUT3(e5, e2, t1, 0xE8);
  const word e7 = LUT3(e6, e3, ca, 0x7C);
  const word e8 = e0 ^ u0;
  const word e9 = LUT3(e8, cb, u0, 0xCA);
  const word e10 = LUT3(e9, e2, u1, 0xE8);
  const word e11 = LUT3(e10, e3, cb, 0x7C);
  *next_a = e7;
  *next_b = e11;
}
#endif
// 31 operations for 2 rows
MOOREA_STEP void next_walled_cities_plain(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word ca,
    word cb, word* next_a, word* next_b) {
  const word e0 = b0 & ~a0;
  const word e1 = a1 ^ e0;
  const word e2 = b0 ^ b1;
  const word e3 = e1 ^ e2;
  const word e4 = a1 ^ e3;
  const word e5 = e4 & ~e3;
  const word e6 = b1 & ~e4;
  const word e7 = e5 | e6;
  const word e8 = a0 ^ b0;
  const word e9 = t0 ^ e8;
  const word e10 = e9 & ~ca;
  const word e11 = t0 | e9;
  const word e12 = e11 & ~e10;
  const word e13 = e3 ^ e12;
  const word e14 = t1 & e13;
  const word e15 = e3 & e12;
  const word e16 = e14 | e15;
  const word e17 = e16 & ~ca;
  const word e18 = e7 ^ e16;
  const word e19 = e17 | e18;
  const word e20 = u0 ^ e8;
  const word e21 = cb & e20;
  const word e22 = u0 & ~e20;
  const word e23 = e21 ^ e22;
  const word e24 = u1 ^ e23;
  const word e25 = e23 & ~e24;
  const word e26 = e3 & e24;
  const word e27 = e25 | e26;
  const word e28 = e7 ^ e27;
  const word e29 = e27 & ~cb;
  const word e30 = e28 | e29;
  *next_a = e19;
  *next_b = e30;
}

#endif
