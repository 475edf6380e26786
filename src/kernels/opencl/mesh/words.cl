// SPDX-License-Identifier: MIT
// Words of 32 faces by their patterns of neighbours, see MeshWords. A work-item computes the regular faces of
// its word at once, and then the exceptions one by one.
// @summary mesh: 32 faces to a word, neighbours by the pattern of the word
// @layout face_bits
// @item 32x1
// @group 128x1
// @mesh words

#define HAS_EXCEPTIONS 0x80000000u
#define DISTANCES 16  // integers per pattern

// Numbers of live neighbours, by binary digit; 15 stands for 15 or more.
typedef struct {
  uint ones, twos, fours, eights;
} Digits;

void add(Digits* sum, uint cells) {
  const uint twos = sum->ones & cells, fours = sum->twos & twos;
  sum->ones ^= cells;
  sum->twos ^= twos;
  const uint eights = sum->fours & fours;
  sum->fours ^= fours;
  sum->eights |= eights;
}

uint next_cells(Digits sum, uint alive) {
  uint next = 0;
  for (int n = 0; n <= 8; ++n) {
    const uint equal = (n & 1 ? sum.ones : ~sum.ones) & (n & 2 ? sum.twos : ~sum.twos) &
                       (n & 4 ? sum.fours : ~sum.fours) & (n & 8 ? sum.eights : ~sum.eights);
    next |= equal & ((BIRTH >> n & 1 ? ~alive : 0) | (SURVIVAL >> n & 1 ? alive : 0));
  }
  return next;
}

// Cells at a distance from those of word `at`.
uint shifted(global const uint* cells, int at, int distance) {
  const int word = at + (distance >> 5), shift = distance & 31;
  return cells[word] >> shift | cells[word + 1] << 1 << (31 - shift);
}

uint bit_of(global const uint* cells, uint face) { return cells[face / 32] >> (face & 31) & 1; }

kernel void advance(WORLD, global const uchar* from, global uchar* to, WORD_TABLE) {
  const int at = get_global_id(0);
  if (at >= words) return;
  global const uint* const cells = (global const uint*)(from + first);
  const uint pattern = patterns[at];
  global const int* const distance = distances + (pattern & ~HAS_EXCEPTIONS) * DISTANCES;
  Digits sum = {0, 0, 0, 0};
  for (int k = 1; k <= distance[0]; ++k) add(&sum, shifted(cells, at, distance[k]));
  uint next = next_cells(sum, cells[at]);
  if (pattern & HAS_EXCEPTIONS) {
    next &= (uint)regular[at];
    for (uint e = first_exceptions[at]; e < first_exceptions[at + 1]; ++e) {
      uint alive = 0;
      for (int k = 0; k < most_neighbours; ++k)
        alive += bit_of(cells, exception_neighbours[(long)k * exceptions + e]);
      const uint face = exception_faces[e];
      next |= NEXT_FACE(bit_of(cells, face), alive) << (face & 31);
    }
  }
  ((global uint*)(to + first))[at] = next;
}
