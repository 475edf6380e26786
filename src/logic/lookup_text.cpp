// SPDX-License-Identifier: MIT
#include "logic/lookup_text.h"

#include <fmt/core.h>

#include <bit>
#include <cstddef>
#include <cstring>

#include "moorea/transitions.h"

namespace moorea {
namespace {

// Two thread blocks of a multiprocessor, one of them, and what tables in slower memory may have.
constexpr std::int64_t gpu_table_bytes[] = {112 << 10, 224 << 10, 64 << 20};

// 16 words are two squares of 16 x 16 bits, which are transposed (Warren, "Hacker's Delight", 7-3): words of
// digits become the codes of cells i and 16 + i in word i, and the reverse.
constexpr const char* transposition = R"(
MOOREA_STEP void swap_bits(word* low, word* high, int distance, word mask) {
  const word swapped = (*low >> distance ^ *high) & mask;
  *high ^= swapped;
  *low ^= swapped << distance;
}

MOOREA_STEP void transpose_codes(word* square) {
#pragma unroll
  for (int i = 0; i < 8; ++i) swap_bits(square + i, square + i + 8, 8, 0x00FF00FF);
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if ((i & 4) == 0) swap_bits(square + i, square + i + 4, 4, 0x0F0F0F0F);
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if ((i & 2) == 0) swap_bits(square + i, square + i + 2, 2, 0x33333333);
#pragma unroll
  for (int i = 0; i < 16; i += 2) swap_bits(square + i, square + i + 1, 1, 0x55555555);
}
)";

}  // namespace

std::shared_ptr<const StateLookups> gpu_lookups(const Rule& rule) {
  const int radix = static_cast<int>(std::bit_ceil(static_cast<unsigned>(rule.states())));
  for (const std::int64_t bytes : gpu_table_bytes)
    if (auto lookups = state_lookups(rule, radix, bytes)) return lookups;
  return nullptr;
}

std::vector<std::uint8_t> table_bytes(const StateLookups& lookups) {
  const std::size_t node_bytes = 2 * lookups.nodes.size();
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(lookups.bytes()));
  if (node_bytes > 0) std::memcpy(bytes.data(), lookups.nodes.data(), node_bytes);
  std::memcpy(bytes.data() + node_bytes, lookups.results.data(), lookups.results.size());
  return bytes;
}

std::string lookup_text(const StateLookups& lookups, bool corners, std::string_view memory) {
  const int digits = std::countr_zero(static_cast<unsigned>(lookups.radix));
  std::string text =
      fmt::format("#define LOOKUP_DIGITS {}\n#define LOOKUP_CORNERS {}\n#define LOOKUP_BYTES {}\n", digits,
                  corners ? 1 : 0, lookups.bytes());
  text += transposition;
  text += fmt::format(
      "MOOREA_STEP void next_by_lookups(const word* cells, const {} unsigned char* tables, word* next) {{\n"
      "  word codes[16];\n",
      memory);
  int asked = 0;
  for (std::size_t i = 0; i < lookups.cells.size(); ++i) {
    const bool is_first = i == 0, is_last = i + 1 == lookups.cells.size();
    const int code_digits = digits * lookups.cells[i];
    for (int k = 0; k < 16; ++k)
      text += k < code_digits ? fmt::format("  codes[{}] = cells[{}];\n", k, asked + k)
                              : fmt::format("  codes[{}] = 0;\n", k);
    asked += code_digits;
    text += "  transpose_codes(codes);\n";
    text += is_last ? fmt::format("  const {} unsigned char* const results = tables + {};\n", memory,
                                  2 * lookups.nodes.size())
                    : fmt::format(
                          "  const {0} unsigned short* const nodes_{1} = (const {0} unsigned short*)"
                          "(tables + {2});\n",
                          memory, i, 2 * lookups.begins[i]);
    const std::string table = is_last ? "results" : fmt::format("nodes_{}", i);
    const std::string low = is_first ? "" : fmt::format("(next[i] & 0xFFFF) << {} | ", code_digits),
                      high = is_first ? "" : fmt::format("next[i] >> 16 << {} | ", code_digits);
    text += fmt::format(
        "#pragma unroll\n"
        "  for (int i = 0; i < 16; ++i)\n"
        "    next[i] = (word){0}[{1}(codes[i] & 0xFFFF)] | (word){0}[{2}codes[i] >> 16] << 16;\n",
        table, low, high);
  }
  return text + "  transpose_codes(next);\n}\n";
}

}  // namespace moorea
