// SPDX-License-Identifier: MIT
// One line per gate; contains only what a gate computes, nothing of the kernel around it.
#include "logic/emit_c.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "logic/schedule.h"
#include "moorea/rule.h"

namespace moorea {
namespace {

// Names of a network's signals: its inputs, then e0, e1, ...
std::string signal(std::size_t number) {
  static constexpr const char* sums[] = {"t0", "t1", "a0", "a1", "b0", "b1", "u0", "u1"};
  static constexpr const char* centres[] = {"ca", "cb"};
  if (number < 8) return sums[number];
  if (number < network_inputs) return centres[number - 8];
  return fmt::format("e{}", number - network_inputs);
}

std::string opening(std::string_view name) {
  return fmt::format(
      "MOOREA_STEP void {}(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word "
      "ca,\n"
      "    word cb, word* next_a, word* next_b) {{\n",
      name);
}

// Statements that suppress compiler warnings about parameters that the rule does not need.
std::string unused(const std::vector<bool>& used) {
  std::string text;
  for (std::size_t i = 0; i < network_inputs; ++i) {
    if (!used[i]) text += fmt::format("{}(void){};", text.empty() ? "  " : " ", signal(i));
  }
  return text.empty() ? text : text + "\n";
}

std::string closing(const std::array<std::uint8_t, 2>& outputs) {
  std::string text = fmt::format("  *next_a = {};\n", signal(outputs[0]));
  text += fmt::format("  *next_b = {};\n", signal(outputs[1]));
  return text + "}\n";
}

// Converts "Day & Night" to day_night.
std::string identifier(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c != '\'' && !text.empty() && text.back() != '_') {
      text += '_';
    }
  }
  return text;
}

// Text of a network's gates.
std::string gates_text(const Network& network, const std::vector<bool>& copied, std::string_view name) {
  std::string body;
  std::vector<bool> used(network_inputs + network.gates.size());
  for (std::size_t g = 0; g < network.gates.size(); ++g) {
    const Gate& gate = network.gates[g];
    const TwoOperands two = two_operands(gate);
    const auto operand = [&](std::size_t number) {
      used[number] = true;
      return signal(number);
    };
    body += fmt::format("  const word e{} = ", g);
    if (two.what == 0) {
      body += fmt::format("LUT3({}, {}, {}, 0x{:02X});{}\n", operand(gate.a), operand(gate.b),
                          operand(gate.c), gate.table, copied[g] ? "  // a copy" : "");
    } else if (two.what == '-') {
      body += fmt::format("AND_NOT({}, {});\n", operand(two.a), operand(two.b));
    } else {
      body += fmt::format("{} {} {};\n", operand(two.a), two.what, operand(two.b));
    }
  }
  return opening(name) + unused(used) + body + closing(network.outputs);
}

std::string operation_text(Operator what, const std::string& a, const std::string& b) {
  switch (what) {
    case Operator::conjunction:
      return a + " & " + b;
    case Operator::disjunction:
      return a + " | " + b;
    case Operator::exclusive:
      return a + " ^ " + b;
    case Operator::and_not:
      return "AND_NOT(" + a + ", " + b + ")";
    case Operator::complement:
      break;
  }
  return "~" + a;
}

// Names of the signals of a network of nine cells: c0 to c8, then e0, e1, ...
std::string cell_signal(std::size_t number) {
  return number < CellNetwork::inputs ? fmt::format("c{}", number)
                                      : fmt::format("e{}", number - CellNetwork::inputs);
}

// Statements for a gate, by operations whose intermediate results are e3_0, e3_1, ... for gate 3.
std::string plain_gate(const CellNetwork::Gate& gate, std::size_t number) {
  const std::string a = cell_signal(gate.a);
  const std::string result = fmt::format("  const word e{} = ", number);
  const unsigned looks_at = operands_of(gate.table);
  if (looks_at == 0) return result + (gate.table == 0 ? "" : "~") + fmt::format("({} ^ {});\n", a, a);
  if (looks_at == 4) return result + "~" + a + ";\n";
  std::vector<std::string> names = {a, cell_signal(gate.b), cell_signal(gate.c)};
  std::string text;
  const std::vector<Operation> operations = operations_of(gate.table);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    const std::string value = operation_text(operation.what, names[operation.a], names[operation.b]);
    const bool last = i + 1 == operations.size();
    names.push_back(fmt::format("e{}_{}", number, i));
    text += last ? result + value + ";\n" : fmt::format("  const word {} = {};\n", names.back(), value);
  }
  return text;
}

std::string cell_function(const CellNetwork& network, const std::string& body, std::string_view name) {
  std::string parameters, unused;
  std::vector<bool> used(CellNetwork::inputs + network.gates.size());
  used[network.output] = true;
  for (const CellNetwork::Gate& gate : network.gates) used[gate.a] = used[gate.b] = used[gate.c] = true;
  for (std::size_t i = 0; i < CellNetwork::inputs; ++i) {
    parameters += fmt::format("{}word {}", i == 0 ? "" : ", ", cell_signal(i));
    if (!used[i]) unused += fmt::format("{}(void){};", unused.empty() ? "  " : " ", cell_signal(i));
  }
  return fmt::format("MOOREA_STEP word {}({}) {{\n", name, parameters) +
         (unused.empty() ? unused : unused + "\n") + body +
         fmt::format("  return {};\n}}\n", cell_signal(network.output));
}

}  // namespace

std::string c_text(const Network& network, std::string_view name) {
  return fmt::format("// {} gates for two rows\n", network.gates.size()) +
         gates_text(network, std::vector<bool>(network.gates.size()), name);
}

std::string c_text(const Schedule& schedule, std::string_view name) {
  const auto two = std::count_if(schedule.network.gates.begin(), schedule.network.gates.end(),
                                 [](const Gate& gate) { return two_operands(gate).what != 0; });
  return fmt::format("// {} gates and {} operations for two rows, {} cop{}\n",
                     std::ssize(schedule.network.gates) - two, two, schedule.copies,
                     schedule.copies == 1 ? "y" : "ies") +
         gates_text(schedule.network, schedule.copied, name);
}

std::string c_text(const Circuit& circuit, std::string_view name) {
  const std::size_t count = circuit.operations.size();
  std::string body;
  std::vector<bool> used(network_inputs + count);
  for (std::size_t i = 0; i < count; ++i) {
    const Operation& operation = circuit.operations[i];
    used[operation.a] = used[operation.b] = true;
    const std::string a = signal(operation.a), b = signal(operation.b);
    body += fmt::format("  const word e{} = {};\n", i, operation_text(operation.what, a, b));
  }
  const std::string comment = fmt::format("// {} operation{} for two rows\n", count, count == 1 ? "" : "s");
  return comment + opening(name) + unused(used) + body + closing(circuit.outputs);
}

std::string c_text(const CellNetwork& network, std::string_view name) {
  std::string body;
  for (std::size_t g = 0; g < network.gates.size(); ++g) {
    const CellNetwork::Gate& gate = network.gates[g];
    body += fmt::format("  const word e{} = LUT3({}, {}, {}, 0x{:02X});\n", g, cell_signal(gate.a),
                        cell_signal(gate.b), cell_signal(gate.c), gate.table);
  }
  return fmt::format("// {} gates\n", network.gates.size()) + cell_function(network, body, name);
}

std::string plain_c_text(const CellNetwork& network, std::string_view name) {
  std::string body;
  for (std::size_t g = 0; g < network.gates.size(); ++g) body += plain_gate(network.gates[g], g);
  return fmt::format("// {} operations\n", operations_of(network)) + cell_function(network, body, name);
}

std::string c_text(const PairNetwork& network, std::string_view name) {
  std::string text = fmt::format("// {} gates for two rows, {} for each row\n", network.gates.size(),
                                 network.row_gates.size());
  if (!network.row_gates.empty())
    text += fmt::format("MOOREA_STEP void {}_row(word west, word at, word east, word* gates) {{\n", name);
  for (std::size_t k = 0; k < network.row_gates.size(); ++k)
    text += fmt::format("  gates[{}] = LUT3(west, at, east, 0x{:02X});\n", k, network.row_gates[k]);
  if (!network.row_gates.empty()) text += "}\n";
  const auto operand = [&](std::size_t number) {
    if (number >= network.inputs()) return fmt::format("e{}", number - network.inputs());
    return fmt::format("{}[{}]", "tabu"[number / network.signals_of_row()],
                       number % network.signals_of_row());
  };
  text += fmt::format(
      "MOOREA_STEP void {}(const word* t, const word* a, const word* b, const word* u, word* next_a,\n"
      "    word* next_b) {{\n",
      name);
  for (std::size_t g = 0; g < network.gates.size(); ++g) {
    const CellNetwork::Gate& gate = network.gates[g];
    text += fmt::format("  const word e{} = LUT3({}, {}, {}, 0x{:02X});\n", g, operand(gate.a),
                        operand(gate.b), operand(gate.c), gate.table);
  }
  return text + fmt::format("  *next_a = {};\n  *next_b = {};\n}}\n", operand(network.outputs[0]),
                            operand(network.outputs[1]));
}

std::string networks_header() {
  std::string text = R"(// SPDX-License-Identifier: MIT
// Generated by tools/make_networks_header.cpp from src/logic; do not edit. Networks of the named rules, for
// C++, CUDA and OpenCL C. Include after defining the type `word`; for CUDA define MOOREA_STEP with
// __device__. The functions of a rule end in
//   _plain   operations of two inputs: the operators & | ^ ~ of `word`
//   _lut3    gates of three inputs, if the macro LUT3(a, b, c, table) is defined, one gate whose output
//            is bit (a << 2 | b << 1 | c) of the table
//   _mixed   gates of three and operations of two inputs, for AVX-512: the first operand of a LUT3 is dead
//            afterwards, except where a copy is noted, because vpternlog overwrites it. The sums of the
//            last two rows, which are the first two of the next pair, are preserved.
// AND_NOT(a, b) may be defined too, for compilers that emit more than one instruction for a & ~b.
//
// t a b u are rows y - 1, y, y + 1, y + 2; of each the sum of the three cells around a column, ones and twos
// (t0 t1 and so on); ca and cb are the centre cells of rows y and y + 1, next_a and next_b their next states.
#ifndef MOOREA_KERNELS_STEP_NETWORKS_H
#define MOOREA_KERNELS_STEP_NETWORKS_H
// clang-format off

#ifndef MOOREA_STEP
#define MOOREA_STEP static inline
#endif
#ifndef AND_NOT
#define AND_NOT(a, b) ((a) & ~(b))
#endif

)";
  std::string list =
      "// X(function, birth, survival) for each named rule.\n"
      "#define MOOREA_NAMED_NETWORKS(X)";
  std::string functions;
  for (const NamedRule& named : named_rules()) {
    // Skips further names of the same rule
    if (named.rule.name() != named.name || !named.rule.is_life_like()) continue;
    const std::string name = "next_" + identifier(named.name);
    const Network network = network_for(named.rule);
    const Circuit circuit = circuit_for(named.rule);
    list += fmt::format(" \\\n  X({}, 0x{:03X}, 0x{:03X})", name, named.rule.birth(), named.rule.survival());
    functions +=
        fmt::format("\n// {}, {}: {} gates per word with the row's sum, {} operations.\n", named.name,
                    named.rule.str(), network.gates_per_word(), circuit.operations_per_word());
    functions += "#ifdef LUT3\n" + c_text(network, name + "_lut3") +
                 c_text(schedule_for(named.rule), name + "_mixed") + "#endif\n";
    functions += c_text(circuit, name + "_plain");
  }
  return text + list + "\n" + functions + "\n#endif\n";
}

}  // namespace moorea
