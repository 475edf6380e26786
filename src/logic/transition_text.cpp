// SPDX-License-Identifier: MIT
#include "logic/transition_text.h"

#include <fmt/core.h>

#include <bit>
#include <cstddef>
#include <cstring>

#include "logic/state_logic.h"
#include "moorea/transitions.h"

namespace moorea {
namespace {

// Two thread blocks of a multiprocessor, one of them, and what tables in slower memory may have.
constexpr std::int64_t gpu_table_bytes[] = {112 << 10, 224 << 10, 64 << 20};

// Gates that take about as long as a look-up, with the transposition that it needs.
constexpr std::size_t max_gates_a_lookup = 250;

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

std::shared_ptr<const StateLookups> gpu_lookups(const Rule& rule) {
  const int radix = static_cast<int>(std::bit_ceil(static_cast<unsigned>(rule.states())));
  for (const std::int64_t bytes : gpu_table_bytes)
    if (auto lookups = state_lookups(rule, radix, bytes)) return lookups;
  return nullptr;
}

std::string gates_text(const StateNetwork& network, bool corners) {
  // Numbers of the nine cells among those that are asked for
  int asked[9] = {};
  if (corners)
    for (std::size_t i = 0; i < 9; ++i)
      asked[static_cast<std::size_t>(Transitions::order_with_corners[i])] = static_cast<int>(i);
  else
    for (std::size_t i = 0; i < 5; ++i)
      asked[static_cast<std::size_t>(Transitions::order_without[i])] = static_cast<int>(i);
  const std::size_t inputs = network.inputs();
  const auto name = [&](std::uint16_t signal) {
    if (signal >= inputs) return fmt::format("gate_{}", signal - inputs);
    const int cell = asked[signal / network.digits];
    return fmt::format("cells[{}]", cell * network.digits + signal % network.digits);
  };
  std::string text;
  for (std::size_t i = 0; i < network.gates.size(); ++i) {
    const auto& [a, b, c, table] = network.gates[i];
    text += fmt::format("  const word gate_{} = LUT3({}, {}, {}, 0x{:02X});\n", i, name(a), name(b), name(c),
                        table);
  }
  for (std::size_t k = 0; k < network.outputs.size(); ++k)
    text +=
        fmt::format("  next[{}] = {}{};\n", k, network.complemented[k] ? "~" : "", name(network.outputs[k]));
  return text;
}

std::string lookups_text(const StateLookups& lookups, std::string_view memory) {
  const int digits = std::countr_zero(static_cast<unsigned>(lookups.radix));
  std::string text = "  word codes[16];\n";
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
  return text + "  transpose_codes(next);\n";
}

}  // namespace

GpuTransitions gpu_transitions(const Rule& rule) {
  GpuTransitions result = {state_network(rule), gpu_lookups(rule)};
  const std::size_t lookups = result.lookups == nullptr ? 9 : result.lookups->cells.size();
  const bool has_few_gates =
      result.network != nullptr && result.network->gates.size() <= max_gates_a_lookup * lookups;
  has_few_gates ? result.lookups.reset() : result.network.reset();
  return result;
}

std::vector<std::uint8_t> table_bytes(const GpuTransitions& transitions) {
  if (transitions.lookups == nullptr) return {};
  const StateLookups& lookups = *transitions.lookups;
  const std::size_t node_bytes = 2 * lookups.nodes.size();
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(lookups.bytes()));
  if (node_bytes > 0) std::memcpy(bytes.data(), lookups.nodes.data(), node_bytes);
  std::memcpy(bytes.data() + node_bytes, lookups.results.data(), lookups.results.size());
  return bytes;
}

std::set<unsigned> gate_tables(const GpuTransitions& transitions) {
  std::set<unsigned> tables;
  if (transitions.network != nullptr)
    for (const CellNetwork::Gate& gate : transitions.network->gates) tables.insert(gate.table);
  return tables;
}

std::string transition_text(const Rule& rule, std::string_view memory) {
  const GpuTransitions transitions = gpu_transitions(rule);
  const bool corners = rule.transitions()->has_corners();
  return fmt::format("#define CELL_DIGITS {}\n#define CELL_CORNERS {}\n#define TABLE_BYTES {}\n",
                     state_digits(rule), corners ? 1 : 0, table_bytes(transitions).size()) +
         (transitions.network != nullptr ? "" : transposition) +
         fmt::format(
             "MOOREA_STEP void next_of_cells(const word* cells, const {} unsigned char* tables, word* next) "
             "{{\n",
             memory) +
         (transitions.network != nullptr ? gates_text(*transitions.network, corners)
                                         : lookups_text(*transitions.lookups, memory)) +
         "}\n";
}

}  // namespace moorea
