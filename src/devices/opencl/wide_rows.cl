// SPDX-License-Identifier: MIT
// Conversion between packed rows and strided rows whose vectors have several words of 64 cells, as
// src/boards/strided_rows.cpp does it on the CPU: 64 lanes and up to 64 columns form a square of bits, which
// is transposed; of narrower squares several are adjacent. The arguments are those of the other conversions
// in cells.cl, whose functions are used here.

// Exchanges bit j of word i and bit i of word j of the adjacent squares of size x size bits (a power of two)
// in `size` words (Warren, "Hacker's Delight", 7-3).
void transpose(ulong* words, int size) {
  for (int quarter = size / 2; quarter > 0; quarter /= 2) {
    const ulong low = ~0ul / ((1ul << quarter) + 1);  // bits p with p & quarter 0
    for (int top = 0; top < size; top += 2 * quarter) {
      for (int i = top; i < top + quarter; ++i) {
        const ulong swapped = (words[i] >> quarter ^ words[i + quarter]) & low;
        words[i] ^= swapped << quarter;
        words[i + quarter] ^= swapped;
      }
    }
  }
}

int square_size(long columns) {
  int size = 1;
  while (size < columns && size < 64) size *= 2;
  return size;
}

ulong low_bits(long number) { return number >= 64 ? ~0ul : number <= 0 ? 0ul : (1ul << number) - 1; }

// Returns 64 cells from column x on; columns outside are dead.
ulong word_at(global const ulong* row, long words, long x) {
  const long at = x >> 6;
  const int shift = (int)(x & 63);
  const ulong low = at < words ? row[at] : 0, high = at + 1 < words ? row[at + 1] : 0;
  return shift == 0 ? low : low >> shift | high << (64 - shift);
}

// One work-item per row and word of a vector, or several of them.
kernel void wide_strided_from_packed(global uchar* cells, long first, long pitch, long width,
                                     global const uint* packed, long words, long y0, long rows, int lanes) {
  const long stride = (width + lanes - 1) / lanes, parts = lanes / 64;
  for (long item = get_global_id(0); item < rows * parts; item += get_global_size(0)) {
    const long y = item / parts, part = item % parts;
    global const ulong* from = (global const ulong*)(packed + y * words);
    global ulong* to = (global ulong*)(cells + first + (y0 + y) * pitch) + part;
    for (long column = 0; column < stride; column += 64) {
      const long columns = min(stride - column, 64l);
      const int size = square_size(columns);
      ulong square[64];
      for (int i = 0; i < size; ++i) square[i] = 0;
      for (int i = 0; i < 64; ++i) {
        const ulong lane = word_at(from, words / 2, (part * 64 + i) * stride + column) & low_bits(columns);
        square[i & (size - 1)] |= lane << (i & ~(size - 1));
      }
      transpose(square, size);
      for (long j = 0; j < columns; ++j) to[(column + j) * parts] = square[j];
    }
  }
}

// As many work-items. The 64 lanes of a vector's word have `stride` adjacent words of the packed row, which
// no other work-item writes.
kernel void packed_from_wide_strided(global const uchar* cells, long first, long pitch, long width,
                                     global uint* packed, long words, long y0, long rows, int lanes) {
  const long stride = (width + lanes - 1) / lanes, parts = lanes / 64;
  for (long item = get_global_id(0); item < rows * parts; item += get_global_size(0)) {
    const long y = item / parts, part = item % parts, begin = part * stride;
    const long end = min(begin + stride, words / 2);
    global const ulong* from = (global const ulong*)(cells + first + (y0 + y) * pitch) + part;
    global ulong* to = (global ulong*)(packed + y * words);
    for (long word = begin; word < end; ++word) to[word] = 0;
    for (long column = 0; column < stride; column += 64) {
      const long columns = min(stride - column, 64l);
      const int size = square_size(columns);
      ulong square[64];
      for (int j = 0; j < size; ++j) square[j] = j < columns ? from[(column + j) * parts] : 0;
      transpose(square, size);
      for (int i = 0; i < 64; ++i) {
        const long x = (part * 64 + i) * stride + column, word = x >> 6;
        const int shift = (int)(x & 63);
        const ulong lane = square[i & (size - 1)] >> (i & ~(size - 1)) & low_bits(min(columns, width - x));
        if (word < end) to[word] |= lane << shift;
        if (shift != 0 && word + 1 < end) to[word + 1] |= lane >> (64 - shift);
      }
    }
  }
}
