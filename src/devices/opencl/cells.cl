// SPDX-License-Identifier: MIT
// Cells in an OpenCL device's memory: filling of halos, conversion from and to packed rows, and queries.
// `first` is the offset of the first cell of the first row in a buffer, `pitch` the distance between rows, in
// bytes. A packed row has `words` words of 32 cells, an even number; bit i of word j is column 32 * j + i,
// and bits after the width are 0.

long modulo(long a, long n) { return (a % n + n) % n; }

uint tail_mask(long width, long word) {
  const long left = width - 32 * word;
  return left >= 32 ? ~0u : left <= 0 ? 0u : (1u << left) - 1;
}

// Returns 32 cells from column x on, of a row of packed words; columns outside are dead.
uint cells_at(global const uint* row, long words, long x) {
  const long at = x >> 5;
  const uint low = at >= 0 && at < words ? row[at] : 0,
             high = at + 1 >= 0 && at + 1 < words ? row[at + 1] : 0;
  const int shift = (int)(x & 31);
  return shift == 0 ? low : low >> shift | high << (32 - shift);
}

// ---- halo

// Halo columns of bits: the cells in the word before a row's first and after its last cell. One work-item per
// row.
kernel void halo_columns_of_bits(global uchar* cells, long first, long pitch, long width, long height,
                                 int torus) {
  const long y = get_global_id(0);
  if (y >= height) return;
  global uint* row = (global uint*)(cells + first + y * pitch);
  const uint left = torus ? row[(width - 1) >> 5] >> ((width - 1) & 31) & 1 : 0,
             right = torus ? row[0] & 1 : 0;
  row[-1] = left << 31;
  const uint shift = width & 31;
  row[width >> 5] = (row[width >> 5] & ((1u << shift) - 1)) | right << shift;
}

kernel void halo_columns_of_bytes(global uchar* cells, long first, long pitch, long width, long height,
                                  int torus) {
  const long y = get_global_id(0);
  if (y >= height) return;
  global uchar* row = cells + first + y * pitch;
  row[-1] = torus ? row[width - 1] : 0;
  row[width] = torus ? row[0] : 0;
}

// Returns the cell of a strided row in a column of the world. The row's words of 32 cells are those of vector
// 0, of vector 1, ...
uint strided_cell(global const uint* row, long stride, int lanes, long column) {
  const long j = column % stride, i = column / stride;
  return row[j * (lanes / 32) + i / 32] >> (i % 32) & 1;
}

// Words of a row that are halo columns, `depth` vectors on either side, or hold bits that are not cells of
// the world.
typedef struct {
  long stride, first_ragged, ragged;  // vectors
  int depth, words;                   // words: per vector
} HaloColumns;

HaloColumns halo_columns_of(long width, int depth, int lanes) {
  HaloColumns halo;
  halo.stride = (width + lanes - 1) / lanes;
  halo.first_ragged = max(0L, width - halo.stride * (lanes - 1));
  halo.ragged = width < halo.stride * lanes ? halo.stride - halo.first_ragged : 0;
  halo.depth = depth;
  halo.words = lanes / 32;
  return halo;
}

int words_of(HaloColumns halo) { return (int)(halo.ragged + 2 * halo.depth) * halo.words; }

// Returns the position of halo word `which` in its row.
long place_of(HaloColumns halo, int which) {
  const long vector = which / halo.words;
  const long at = vector < halo.ragged                ? halo.first_ragged + vector
                  : vector < halo.ragged + halo.depth ? vector - halo.ragged - halo.depth
                                                      : halo.stride + vector - halo.ragged - halo.depth;
  return at * halo.words + which % halo.words;
}

// Returns the value of a halo word: existing cells are kept, and on a torus all other bits wrap around.
uint halo_word(global const uint* row, HaloColumns halo, int which, long width, int torus) {
  const int words = halo.words, k = which % words;
  const long at = (place_of(halo, which) - k) / words;
  if (torus && halo.ragged == 0 && halo.depth <= halo.stride) {
    // A vector from the row's opposite end, shifted by one cell
    global const uint* vector = row + (at < 0 ? at + halo.stride : at - halo.stride) * words;
    return at < 0 ? vector[k] << 1 | vector[k == 0 ? words - 1 : k - 1] >> 31
                  : vector[k] >> 1 | vector[k == words - 1 ? 0 : k + 1] << 31;
  }
  uint made = 0;
  for (int i = 0; i < 32; ++i) {
    const long column = at + halo.stride * (32 * k + i);
    const bool inside = column >= 0 && column < width;
    if (inside || torus)
      made |= strided_cell(row, halo.stride, 32 * words, inside ? column : modulo(column, width)) << i;
  }
  return made;
}

// One work-group per row. Words that are read and written at the same time keep the bits that are read.
kernel void halo_columns_of_strided(global uchar* cells, long first, long pitch, long width, long height,
                                    int torus, int depth, int lanes) {
  const long y = get_group_id(0);
  const int item = get_local_id(0), items = get_local_size(0);
  const HaloColumns halo = halo_columns_of(width, depth, lanes);
  global uint* row = (global uint*)(cells + first + min(y, height - 1) * pitch);
  for (int begin = 0; begin < words_of(halo); begin += items) {
    const int which = begin + item;
    const bool works = y < height && which < words_of(halo);
    const uint made = works ? halo_word(row, halo, which, width, torus) : 0;
    barrier(CLK_GLOBAL_MEM_FENCE);  // all work-items have read words that others write
    if (works) row[place_of(halo, which)] = made;
  }
}

// One work-item per row.
kernel void halo_columns_of_wide_strided(global uchar* cells, long first, long pitch, long width, long height,
                                         int torus, int depth, int lanes) {
  const long y = get_global_id(0);
  if (y >= height) return;
  const HaloColumns halo = halo_columns_of(width, depth, lanes);
  global uint* row = (global uint*)(cells + first + y * pitch);
  for (int which = 0; which < words_of(halo); ++which)
    row[place_of(halo, which)] = halo_word(row, halo, which, width, torus);
}

// Rows beyond the upper and lower edge: `bytes`, starting four bytes before a row's first cell.
kernel void rows_beyond(global uchar* cells, long first, long pitch, long height, int torus, long bytes) {
  const long item = get_global_id(0), per_row = bytes / 4, k = item / per_row, at = item % per_row;
  if (k >= 2) return;
  const long y = k == 0 ? -1 : height, opposite = k == 0 ? height - 1 : 0;
  global uint* to = (global uint*)(cells + first + y * pitch - 4);
  global const uint* from = (global const uint*)(cells + first + opposite * pitch - 4);
  to[at] = torus ? from[at] : 0;
}

// ---- conversion to and from packed rows; one work-item per word

// Faces of a mesh, a byte or a bit each; `numbers` are those of the world's cells. One work-item per word.
kernel void faces_from_packed(global uchar* cells, long first, long pitch, long width,
                              global const uint* packed, long words, long y0, long rows, int lanes,
                              global const uint* numbers) {
  const long item = get_global_id(0), y = item / words, x = item % words * 32;
  if (y >= rows) return;
  for (long i = 0; i < min(32L, width - x); ++i)
    cells[first + numbers[(y0 + y) * width + x + i]] = packed[item] >> i & 1;
}

kernel void packed_from_faces(global const uchar* cells, long first, long pitch, long width,
                              global uint* packed, long words, long y0, long rows, int lanes,
                              global const uint* numbers) {
  const long item = get_global_id(0), y = item / words, x = item % words * 32;
  if (y >= rows) return;
  uint made = 0;
  for (long i = 0; i < min(32L, width - x); ++i)
    made |= (uint)cells[first + numbers[(y0 + y) * width + x + i]] << i;
  packed[item] = made;
}

kernel void face_bits_from_packed(global uchar* cells, long first, long pitch, long width,
                                  global const uint* packed, long words, long y0, long rows, int lanes,
                                  global const uint* numbers) {
  const long item = get_global_id(0), y = item / words, x = item % words * 32;
  if (y >= rows) return;
  global uint* to = (global uint*)(cells + first);
  for (long i = 0; i < min(32L, width - x); ++i) {
    const uint at = numbers[(y0 + y) * width + x + i], bit = 1u << (at & 31);
    if (packed[item] >> i & 1) {
      atomic_or(to + at / 32, bit);
    } else {
      atomic_and(to + at / 32, ~bit);
    }
  }
}

kernel void packed_from_face_bits(global const uchar* cells, long first, long pitch, long width,
                                  global uint* packed, long words, long y0, long rows, int lanes,
                                  global const uint* numbers) {
  const long item = get_global_id(0), y = item / words, x = item % words * 32;
  if (y >= rows) return;
  global const uint* from = (global const uint*)(cells + first);
  uint made = 0;
  for (long i = 0; i < min(32L, width - x); ++i) {
    const uint at = numbers[(y0 + y) * width + x + i];
    made |= (from[at / 32] >> (at & 31) & 1) << i;
  }
  packed[item] = made;
}

kernel void bits_from_packed(global uchar* cells, long first, long pitch, long width,
                             global const uint* packed, long words, long y0, long rows, int lanes) {
  const long item = get_global_id(0), y = item / words, j = item % words;
  if (y >= rows) return;
  ((global uint*)(cells + first + (y0 + y) * pitch))[j] = packed[item];
}

kernel void packed_from_bits(global const uchar* cells, long first, long pitch, long width,
                             global uint* packed, long words, long y0, long rows, int lanes) {
  const long item = get_global_id(0), y = item / words, j = item % words;
  if (y >= rows) return;
  const uint mask = tail_mask(width, j);
  packed[item] = mask == 0 ? 0 : ((global const uint*)(cells + first + (y0 + y) * pitch))[j] & mask;
}

kernel void bytes_from_packed(global uchar* cells, long first, long pitch, long width,
                              global const uint* packed, long words, long y0, long rows, int lanes) {
  const long item = get_global_id(0), y = item / words, j = item % words;
  if (y >= rows) return;
  global uchar* row = cells + first + (y0 + y) * pitch;
  const uint word = packed[item];
  for (int i = 0; i < 32 && 32 * j + i < width; ++i) row[32 * j + i] = word >> i & 1;
}

kernel void packed_from_bytes(global const uchar* cells, long first, long pitch, long width,
                              global uint* packed, long words, long y0, long rows, int lanes) {
  const long item = get_global_id(0), y = item / words, j = item % words;
  if (y >= rows) return;
  global const uchar* row = cells + first + (y0 + y) * pitch;
  uint word = 0;
  for (int i = 0; i < 32 && 32 * j + i < width; ++i) word |= (uint)(row[32 * j + i] != 0) << i;
  packed[item] = word;
}

kernel void strided_from_packed(global uchar* cells, long first, long pitch, long width,
                                global const uint* packed, long words, long y0, long rows, int lanes) {
  const long stride = (width + lanes - 1) / lanes, per_row = stride * (lanes / 32);
  for (long item = get_global_id(0); item < rows * per_row; item += get_global_size(0)) {
    const long y = item / per_row, at = item % per_row, j = at / (lanes / 32), k = at % (lanes / 32);
    uint made = 0;
    for (int i = 0; i < 32; ++i) {
      const long column = j + stride * (32 * k + i);
      if (column < width) made |= (packed[y * words + (column >> 5)] >> (column & 31) & 1) << i;
    }
    ((global uint*)(cells + first + (y0 + y) * pitch))[at] = made;
  }
}

// Adjacent work-items compute words that are bits of the same vectors.
kernel void packed_from_strided(global const uchar* cells, long first, long pitch, long width,
                                global uint* packed, long words, long y0, long rows, int lanes) {
  const long stride = (width + lanes - 1) / lanes, apart = (words + 31) / 32;
  for (long item = get_global_id(0); item < rows * apart * 32; item += get_global_size(0)) {
    const long y = item / (apart * 32), word = item % 32 * apart + item / 32 % apart;
    if (word >= words) continue;
    global const uint* row = (global const uint*)(cells + first + (y0 + y) * pitch);
    uint made = 0;
    long j = 32 * word % stride, i = 32 * word / stride;
    for (int bit = 0; bit < 32 && 32 * word + bit < width; ++bit) {
      made |= (row[j * (lanes / 32) + i / 32] >> (i % 32) & 1) << bit;
      if (++j == stride) j = 0, ++i;
    }
    packed[y * words + word] = made;
  }
}

// Replaces packed rows by the cells that differ from those of others.
kernel void keep_unlike(global uint* packed, global const uint* other, long all) {
  const long item = get_global_id(0);
  if (item < all) packed[item] ^= other[item];
}

// Combines packed rows with others of `count` words, whose word 0 is word `first` of the rows, in the columns
// left to right - 1. Modes as PasteMode: replace, or, xor, and-not.
kernel void paste(global uint* packed, long words, global const uint* pasted, long count, long rows,
                  long left, long right, long first, int mode) {
  const long item = get_global_id(0), y = item / count, j = first + item % count;
  if (y >= rows || j >= words) return;
  const uint mask = tail_mask(right, j) & ~tail_mask(left, j), added = pasted[item] & mask;
  const uint cells = packed[y * words + j];
  packed[y * words + j] = mode == 0   ? (cells & ~mask) | added
                          : mode == 1 ? cells | added
                          : mode == 2 ? cells ^ added
                                      : cells & ~added;
}

// ---- queries; each work-group adds to its own result, because 64-bit atomic additions are optional

#define GROUP 64
#define QUERY kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void

QUERY count(global const uint* packed, long all, global ulong* sums) {
  local ulong parts[GROUP];
  const int in_group = get_local_id(0);
  ulong sum = 0;
  for (long i = get_global_id(0); i < all; i += get_global_size(0)) sum += popcount(packed[i]);
  parts[in_group] = sum;
  for (int apart = GROUP / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);  // the parts of twice as many work-items are complete
    if (in_group < apart) parts[in_group] += parts[in_group + apart];
  }
  if (in_group == 0) sums[get_group_id(0)] += parts[0];
}

long4 around(long4 a, long4 b) { return (long4)(min(a.x, b.x), max(a.y, b.y), min(a.z, b.z), max(a.w, b.w)); }

// Extends the first and last column and row by those of the live cells.
QUERY extend(global const uint* packed, long words, long y0, long all, global long4* bounds) {
  local long4 parts[GROUP];
  const int in_group = get_local_id(0);
  long4 box = bounds[get_group_id(0)];
  for (long i = get_global_id(0); i < all; i += get_global_size(0)) {
    const uint cells = packed[i];
    if (cells == 0) continue;
    const long y = y0 + i / words, x = i % words * 32;
    box = around(box, (long4)(x + 31 - clz(cells & -cells), x + 31 - clz(cells), y, y));
  }
  parts[in_group] = box;
  for (int apart = GROUP / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);  // the parts of twice as many work-items are complete
    if (in_group < apart) parts[in_group] = around(parts[in_group], parts[in_group + apart]);
  }
  if (in_group == 0) bounds[get_group_id(0)] = parts[0];
}

// Adds the live cells of these rows to each square of a raster, in its rows from `top` on; one work-item per
// square.
kernel void add_density(global const uint* packed, long words, long y0, long rows, long width, long raster_x,
                        long raster_y, long columns, long scale, long top, long all, global uint* squares) {
  const long square = get_global_id(0);
  if (square >= all) return;
  const long i = square % columns, j = top + square / columns;
  const long from_y = raster_y + j * scale, from_x = raster_x + i * scale;
  const long left = max(from_x, 0l), right = min(from_x + scale, width);
  uint sum = 0;
  for (long y = max(from_y, y0); y < min(from_y + scale, y0 + rows); ++y) {
    for (long at = left / 32; at * 32 < right; ++at) {
      uint cells = packed[(y - y0) * words + at];
      if (at * 32 < left) cells &= ~0u << (left - at * 32);
      if (right - at * 32 < 32) cells &= (1u << (right - at * 32)) - 1;
      sum += popcount(cells);
    }
  }
  squares[j * columns + i] += sum;
}

// Computes the level of each number: how many of the ascending limits it reaches; one work-item per number.
kernel void levels_of(global const uint* numbers, long number, global const uint* limits, int limit_count,
                      global uchar* levels) {
  const long i = get_global_id(0);
  if (i >= number) return;
  int level = 0,
      beyond = limit_count;  // limits before `level` are reached, those from `beyond` on are not
  while (level < beyond) {
    const int middle = (level + beyond) / 2;
    if (limits[middle] <= numbers[i]) {
      level = middle + 1;
    } else {
      beyond = middle;
    }
  }
  levels[i] = (uchar)level;
}

// Modulo 2^61 - 1; see src/model/hash.h.
constant ulong prime = (1ul << 61) - 1;

ulong modular(ulong a) {
  a = (a & prime) + (a >> 61);
  return a >= prime ? a - prime : a;
}

ulong times(ulong a, ulong b) {
  const ulong low = a * b, high = mul_hi(a, b);
  return modular((low & prime) + (low >> 61 | high << 3));
}

QUERY hash(global const uint* packed, long words, long y0, long rows, int shift, global const ulong* weights,
           global const ulong* row_weights, global ulong* sums) {
  local ulong parts[GROUP];
  const int in_group = get_local_id(0);
  const long across = words + 2;
  ulong all = 0;
  for (long i = get_global_id(0); i < rows * across; i += get_global_size(0)) {
    const long y = i / across, j = i % across;
    const uint cells = cells_at(packed + y * words, words, 32 * j - shift);
    if (cells != 0) all = modular(all + times(times(weights[j], cells), row_weights[y0 + y]));
  }
  parts[in_group] = all;
  for (int apart = GROUP / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);  // the parts of twice as many work-items are complete
    if (in_group < apart) parts[in_group] = modular(parts[in_group] + parts[in_group + apart]);
  }
  if (in_group == 0) sums[get_group_id(0)] = modular(sums[get_group_id(0)] + parts[0]);
}
