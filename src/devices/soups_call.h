// SPDX-License-Identifier: MIT
// Arguments and results of the kernel for soups (cuda/soups.cuh), for host and device code; also text for
// NVRTC, hence no includes; requires `word` (32 bits).
#ifndef MOOREA_DEVICES_SOUPS_CALL_H
#define MOOREA_DEVICES_SOUPS_CALL_H

constexpr int soup_side = 64;     // columns and rows of a soup when it begins
constexpr int cluster_side = 16;  // largest columns and rows of a cluster in the table
constexpr int ship_side = 7;      // the same of a ship
constexpr int soup_ring = 16;     // fewest outermost columns and rows of a square, around the inner part
constexpr int soup_interval = 8;  // generations between two examinations of the ring
constexpr int max_soup_clusters = 256, max_soup_ships = 64;

// Of soups that are cut off beyond the middle `reach` columns and rows, 0 if there is no such limit: whether
// a square is large enough for that, and its outermost columns and rows.
constexpr bool soup_is_cut_off(int size, int reach) { return reach > 0 && reach <= size - 2 * soup_ring; }
constexpr int soup_ring_of(int size, int reach) {
  return soup_is_cut_off(size, reach) ? (size - reach) / 2 : soup_ring;
}

// A periodic cluster, alone on the plane. Word i has row 2 * i in its low half and the following one in its
// high half; the first row and the first column are not empty.
struct SoupCluster {
  word cells[cluster_side / 2];
  word id;
  unsigned char kind;   // a SoupClusterKind
  unsigned char parts;  // clusters into which a steady one falls in its next generation
  // Columns and rows by which a ship moves in four generations, and the box that has it in all of them,
  // from its first column and row, in a system of coordinates that moves with it
  signed char dx, dy;
  signed char left, top, right, bottom;
};

// no_cluster in an unused place; steady: of a period of one or two generations; ship: a glider, or another
// one of a period of four that moves by a column and a row or by two of either in it, where it flies to at
// most as far ahead in each generation, and never backwards, and elsewhere by two at most to and fro.
enum SoupClusterKind { no_cluster, steady, ship };

#ifdef __CUDACC_RTC__
#define MOOREA_SOUPS_FUNCTION static __device__
#else
#define MOOREA_SOUPS_FUNCTION inline
#endif

// First place at which a cluster may be in a table of so many places, a power of two; if others are there and
// at the following ones, at the next one, the first one after the last.
MOOREA_SOUPS_FUNCTION unsigned soup_cluster_place(const word* cells, unsigned places) {
  word hash = 0;
  for (int i = 0; i < cluster_side / 2; ++i) {
    hash = (hash ^ cells[i]) * 0x9E3779B1u;
    hash ^= hash >> 15;
  }
  return hash & (places - 1);
}

// A ship that has been taken from the square: where its first column and row were at the generation.
struct SoupShip {
  word id;
  short x, y;  // from the first cell of the square when the soup began
  unsigned short generation;
  signed char dx, dy;  // as SoupCluster has them
  unsigned char side;  // columns or rows, whichever are more
  // Ships on the square that flew beside it then, as it does, and are so near that they might influence it
  unsigned char beside;
};

// Columns or rows from the inner part to a ship that nothing can reach until the next examination, when it
// has flown on: three more than influences reach.
MOOREA_SOUPS_FUNCTION int out_of_reach(int dx, int dy) {
  const int straight = dx == 0 || dy == 0 ? 2 : 1;
  return soup_interval + 3 - straight * (soup_interval / 4);
}

// Result of a soup. settled: steady clusters that do not influence each other, and ships; cut_off: something
// that is no ship is beyond the reach; crowded: the square does not suffice; doubtful: something was beyond
// the reach that may have been a ship. The others are for the host to decide: the soup has a cluster that is
// not in the table, or too many, or steady ones that may influence each other, or it has not settled in time.
enum SoupStatus {
  settled,
  crowded,
  unknown_cluster,
  many_clusters,
  near_clusters,
  unsettled,
  cut_off,
  doubtful
};

struct SoupResult {
  word first_cluster, first_ship;  // in the lists of all soups
  unsigned short cluster_count, ship_count;
  unsigned short status, generation;
  unsigned short
      board;   // one more than the number of its cells, if it has not settled; 0: they are not stored
  short x, y;  // columns and rows by which its cells have been moved
};

// Clusters, by their ids, and ships of the soup that a thread block has.
struct SoupLists {
  word clusters[max_soup_clusters];
  SoupShip ships[max_soup_ships];
};

// Columns or rows from the inner part of a square to a box, on a side to which it flies.
MOOREA_SOUPS_FUNCTION int beyond_inner_part(int left, int top, int right, int bottom, int dx, int dy,
                                            int size, int ring) {
  int beyond = -size;
  if (dx != 0) beyond = dx > 0 ? left - (size - ring) : ring - right;
  if (dy == 0) return beyond;
  const int below = dy > 0 ? top - (size - ring) : ring - bottom;
  return below > beyond ? below : beyond;
}

// Whether a ship whose cells are in a box now remains on the square until the next examination.
MOOREA_SOUPS_FUNCTION bool ship_remains(int left, int top, int right, int bottom, int dx, int dy, int size) {
  const int x = dx * (soup_interval / 4), y = dy * (soup_interval / 4);
  const int to_left = dx == 0 ? 2
                      : x < 0 ? -x
                              : 0,
            to_right = dx == 0 ? 2
                       : x > 0 ? x
                               : 0,
            up = dy == 0 ? 2
                 : y < 0 ? -y
                         : 0,
            down = dy == 0 ? 2
                   : y > 0 ? y
                           : 0;
  return left - to_left >= 1 && top - up >= 1 && right + to_right <= size - 1 && bottom + down <= size - 1;
}

// Whether nothing can reach a ship that has left until the next examination, if the cells have been moved by
// `x` columns and `y` rows.
MOOREA_SOUPS_FUNCTION bool is_away(const SoupShip& away, int generation, int x, int y, int size, int ring) {
  const int flown = (generation - away.generation) / 4;
  const int left = away.x + x + away.dx * flown, top = away.y + y + away.dy * flown;
  return beyond_inner_part(left, top, left + away.side, top + away.side, away.dx, away.dy, size, ring) >=
         out_of_reach(away.dx, away.dy);
}

// A ship that is put back: bit i of a row is the cell in column x + i of the square.
struct ReturnedShip {
  short x, y;
  unsigned char rows[ship_side];
};

// What a soup that goes on in a larger square has besides the cells in the middle.
struct SoupStart {
  unsigned short generation, ship_count, returned_count;
  short x, y;                      // as in SoupResult
  SoupShip ships[max_soup_ships];  // that remain away
  ReturnedShip returned[max_soup_ships];
};

/// Bytes of shared memory of a soup on a square of so many columns: the square with a word before each row
/// and 16 rows before and after it, a word for each of 32 rows of units, places of clusters with their
/// number, and first cells of clusters.
constexpr int soup_shared_bytes(int size) {
  return 4 * ((16 + size + 16) * (size / 32 + 1) + 1 + 32 + max_soup_clusters + 64 + 1 + max_soup_clusters);
}

/// Windows whose results wait until all have been advanced, besides the last one. A soup with more is
/// crowded.
constexpr int max_waiting_windows(int size) { return size / 8; }
/// Words of the memory in which they wait: 64 rows of two words for each. It has space for the square, too.
constexpr int soup_work_words(int size) { return max_waiting_windows(size) * 128; }

// How soups are made from their numbers: the text of each, the root followed by the number in decimal digits,
// is a message of one block of SHA-256.
constexpr int max_root = 35, max_digits = 20;  // characters
static_assert(max_root + max_digits + 9 <= 64, "a block has the end of the message, and its length");
struct SoupNames {
  word rounds[64], start[8];  // constants of SHA-256
  unsigned char root[max_root];
  unsigned char root_length;
};

// Numbers that thread blocks draw; 0 before the call.
struct SoupCounters {
  int soups;                    // that have begun
  int clusters, ships, boards;  // places that have been asked for
};

struct SoupsCall {
  // Cells of the middle of squares, of half as many columns and rows: packed rows, one soup after the other
  const word* soups;
  const SoupStart* starts;  // of these; null if all are at generation 0
  SoupResult* results;
  SoupCounters* counters;
  int count;
  int max_generations;  // at most 65535
  const SoupCluster* clusters;
  unsigned places;   // a power of two, of which some are unused
  SoupLists* lists;  // of each thread block
  word* work;        // soup_work_words() of each thread block
  // Clusters of soups that have settled, ships of all. A soup for which there is no space is unsettled, and
  // has none.
  word* clusters_of_all;
  SoupShip* ships_of_all;
  int max_clusters, max_ships;
  // Cells of squares for soups that have not settled: words of packed rows, bit i of word j is column 32 * j
  // + i.
  word* boards;
  int max_boards;
};

#endif
