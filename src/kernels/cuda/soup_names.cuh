// SPDX-License-Identifier: MIT
// Soups made from their names, one by each thread: census/soup.h says how. They begin on the smallest
// squares. Text for NVRTC, hence no includes; requires MOOREA_SOUP_SIZE, `word` and the text of
// devices/soups_call.h.

#if MOOREA_SOUP_SIZE == 128

// The message of a name as the 16 words of a block of SHA-256.
static __device__ __forceinline__ void block_of_name(const SoupNames& names, unsigned long long number,
                                                     word (&block)[16]) {
  unsigned char digits[max_digits];
  int count = 0;
  do {
    digits[count++] = static_cast<unsigned char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  const int length = names.root_length + count;
  for (word& each : block) each = 0;
  for (int i = 0; i <= length; ++i) {
    const word byte = i == length             ? 0x80  // ends the message
                      : i < names.root_length ? names.root[i]
                                              : digits[length - 1 - i];
    block[i / 4] |= byte << (24 - i % 4 * 8);
  }
  block[15] = static_cast<word>(8 * length);
}

static __device__ __forceinline__ word rotated(word value, int by) {
  return __funnelshift_r(value, value, by);
}

// The digest of a message of one block.
static __device__ __forceinline__ void digest_of(const SoupNames& names, word (&block)[16],
                                                 word (&digest)[8]) {
  word s[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) s[i] = names.start[i];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    if (i >= 16) {
      const word a = block[(i + 1) % 16], b = block[(i + 14) % 16];
      block[i % 16] += (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + block[(i + 9) % 16] +
                       (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
    }
    const word e = s[4], a = s[0];
    const word one = s[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & s[5]) ^ (~e & s[6])) +
                     names.rounds[i] + block[i % 16];
    const word two =
        (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
#pragma unroll
    for (int k = 7; k > 0; --k) s[k] = s[k - 1];
    s[4] += one;
    s[0] = one + two;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) digest[i] = names.start[i] + s[i];
}

// The rows of each soup: soup_side of two words. All are empty before.
extern "C" __global__ void __launch_bounds__(32)
    make_soups(SoupNames names, const unsigned long long* numbers, int count, word* soups) {
  const int number = static_cast<int>(blockIdx.x) * 32 + static_cast<int>(threadIdx.x);
  if (number >= count) return;
  word block[16], digest[8];
  block_of_name(names, numbers[number], block);
  digest_of(names, block, digest);
  constexpr int side = 16, first = (soup_side - side) / 2;
  word* const rows = soups + static_cast<long long>(number) * (soup_side * 2) + first * 2;
#pragma unroll
  for (int y = 0; y < side; ++y) {
    // The highest bit of a byte is the first column
    const word row = __brev(digest[y / 2]) >> y % 2 * 16 & 0xFFFF;
    rows[2 * y] = row << first;
    rows[2 * y + 1] = row >> (32 - first);
  }
}

#endif
