// SPDX-License-Identifier: MIT
#include "logic/block_network.h"

#include <fmt/core.h>

namespace moorea {

FourTable cell_table(const Rule::Blocks& blocks, std::size_t cell) {
  FourTable function = 0;
  for (unsigned block = 0; block < blocks.size(); ++block)
    function |= static_cast<FourTable>(blocks[block] >> cell & 1) << block;
  return function;
}

BlockNetwork block_network(const Rule::Blocks& blocks) {
  BlockNetwork network;
  for (std::size_t cell = 0; cell < network.size(); ++cell)
    network[cell] = gates_of({cell_table(blocks, cell)});
  return network;
}

std::string c_text(const BlockNetwork& network, const std::string& name) {
  constexpr const char* cells[] = {"nw", "ne", "sw", "se"};
  std::string text =
      fmt::format("MOOREA_STEP void {}(word nw, word ne, word sw, word se, word* next) {{\n", name);
  for (std::size_t cell = 0; cell < network.size(); ++cell) {
    const auto input = [&](int number) {
      return number < four_inputs_signal ? std::string(cells[number])
                                         : fmt::format("gate_{}_{}", cell, number - four_inputs_first_gate);
    };
    const std::vector<FourGate>& gates = network[cell];
    for (std::size_t i = 0; i < gates.size(); ++i) {
      const std::string result = i + 1 == gates.size() ? fmt::format("next[{}]", cell)
                                                       : fmt::format("const word gate_{}_{}", cell, i);
      text += fmt::format("  {} = LUT3({}, {}, {}, 0x{:02X});\n", result, input(gates[i].inputs[0]),
                          input(gates[i].inputs[1]), input(gates[i].inputs[2]), gates[i].table);
    }
  }
  return text + "}\n";
}

}  // namespace moorea
