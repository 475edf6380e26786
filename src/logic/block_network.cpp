// SPDX-License-Identifier: MIT
#include "logic/block_network.h"

#include <fmt/core.h>

#include <optional>

namespace moorea {
namespace {

constexpr int first_gate = 4;  // input that is the result of the first gate

unsigned cell_of(int input, unsigned block) { return block >> input & 1; }

// All cells but one, the last one first.
constexpr std::array<int, 3> others_of(int cell) {
  return {cell < 3 ? 3 : 2, cell < 2 ? 2 : 1, cell == 0 ? 1 : 0};
}

// The function as a gate of some inputs, if it is one: value(i, n) is input i in block n.
template <class Value>
std::optional<BlockGate> as_gate(CellTable function, const std::array<int, 3>& inputs, const Value& value) {
  unsigned ones = 0, zeros = 0;
  for (unsigned n = 0; n < 16; ++n) {
    const unsigned at = value(inputs[0], n) << 2 | value(inputs[1], n) << 1 | value(inputs[2], n);
    ((function >> n & 1) != 0 ? ones : zeros) |= 1u << at;
  }
  if ((ones & zeros) != 0) return {};
  return BlockGate{inputs, ones};
}

std::vector<BlockGate> gates_of(CellTable function) {
  for (int cell = 0; cell < 4; ++cell) {
    if (const auto gate = as_gate(function, others_of(cell), cell_of)) return {*gate};
  }
  // A gate of three cells, and one of its result, the fourth cell and one of the three
  for (int cell = 0; cell < 4; ++cell) {
    const std::array<int, 3> three = others_of(cell);
    for (unsigned table = 1; table < 255; ++table) {
      const auto value = [&](int input, unsigned block) {
        if (input != first_gate) return cell_of(input, block);
        return table >> (cell_of(three[0], block) << 2 | cell_of(three[1], block) << 1 |
                         cell_of(three[2], block)) &
               1;
      };
      for (const int again : three) {
        if (const auto gate = as_gate(function, {first_gate, cell, again}, value))
          return {{three, table}, *gate};
      }
    }
  }
  // A choice by the fourth cell: the first input of the gate if the third is 1, else the second
  constexpr unsigned choice = 0xE4;
  const std::array<int, 3> three = others_of(3);
  return {{three, function & 0xFF}, {three, function >> 8}, {{first_gate + 1, first_gate, 3}, choice}};
}

}  // namespace

CellTable cell_table(const Rule::Blocks& blocks, std::size_t cell) {
  CellTable function = 0;
  for (unsigned block = 0; block < blocks.size(); ++block)
    function |= static_cast<CellTable>(blocks[block] >> cell & 1) << block;
  return function;
}

BlockNetwork block_network(const Rule::Blocks& blocks) {
  BlockNetwork network;
  for (std::size_t cell = 0; cell < network.size(); ++cell)
    network[cell] = gates_of(cell_table(blocks, cell));
  return network;
}

std::string c_text(const BlockNetwork& network, const std::string& name) {
  constexpr const char* cells[] = {"nw", "ne", "sw", "se"};
  std::string text =
      fmt::format("MOOREA_STEP void {}(word nw, word ne, word sw, word se, word* next) {{\n", name);
  for (std::size_t cell = 0; cell < network.size(); ++cell) {
    const auto input = [&](int number) {
      return number < first_gate ? std::string(cells[number])
                                 : fmt::format("gate_{}_{}", cell, number - first_gate);
    };
    const std::vector<BlockGate>& gates = network[cell];
    for (std::size_t i = 0; i < gates.size(); ++i) {
      const std::string result = i + 1 == gates.size() ? fmt::format("next[{}]", cell)
                                                       : fmt::format("const word gate_{}_{}", cell, i);
      text += fmt::format("  {} = LUT3({}, {}, {}, {:#04x});\n", result, input(gates[i].inputs[0]),
                          input(gates[i].inputs[1]), input(gates[i].inputs[2]), gates[i].table);
    }
  }
  return text + "}\n";
}

}  // namespace moorea
