// SPDX-License-Identifier: MIT
// One line a gate: what it computes, never what a kernel does around it.
#include "logic/emit_c.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "logic/schedule.h"
#include "moorea/rule.h"

namespace moorea {
namespace {

// The names of a network's signals: its inputs, then e0, e1, ...
std::string signal(int rows, std::size_t number) {
  static constexpr const char* sums[] = {"t0", "t1", "a0", "a1", "b0", "b1", "u0", "u1"};
  static constexpr const char* centres[] = {"ca", "cb"};
  const auto sum_count = static_cast<std::size_t>(2 * (rows + 2));
  if (number < sum_count) return sums[number];
  number -= sum_count;
  if (number < static_cast<std::size_t>(rows)) return centres[number];
  return fmt::format("e{}", number - static_cast<std::size_t>(rows));
}

std::string opening(int rows, std::string_view name) {
  if (rows == 1)
    return fmt::format(
        "MOOREA_STEP void {}(word t0, word t1, word a0, word a1, word b0, word b1, word ca, word* next_a) "
        "{{\n",
        name);
  return fmt::format(
      "MOOREA_STEP void {}(word t0, word t1, word a0, word a1, word b0, word b1, word u0, word u1, word "
      "ca,\n"
      "    word cb, word* next_a, word* next_b) {{\n",
      name);
}

// Parameters that the rule does not need: a compiler is not to warn of them.
std::string unused(int rows, std::size_t inputs, const std::vector<bool>& used) {
  std::string text;
  for (std::size_t i = 0; i < inputs; ++i) {
    if (!used[i]) text += fmt::format("{}(void){};", text.empty() ? "  " : " ", signal(rows, i));
  }
  return text.empty() ? text : text + "\n";
}

std::string closing(int rows, const std::array<std::uint8_t, 2>& outputs) {
  std::string text = fmt::format("  *next_a = {};\n", signal(rows, outputs[0]));
  if (rows == 2) text += fmt::format("  *next_b = {};\n", signal(rows, outputs[1]));
  return text + "}\n";
}

// "Day & Night" as day_night.
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

}  // namespace

std::string c_text(const Network& network, std::string_view name) {
  const Schedule schedule = scheduled(network);
  const int rows = network.rows;
  const std::size_t inputs = network.inputs(), gates = schedule.network.gates.size();
  std::string body;
  std::vector<bool> used(inputs + gates);
  for (std::size_t g = 0; g < gates; ++g) {
    const Gate& gate = schedule.network.gates[g];
    const TwoOperands two = two_operands(gate);
    const auto operand = [&](std::size_t number) {
      used[number] = true;
      return signal(rows, number);
    };
    body += fmt::format("  const word e{} = ", g);
    if (two.what == 0) {
      body += fmt::format("LUT3({}, {}, {}, 0x{:02X});{}\n", operand(gate.a), operand(gate.b),
                          operand(gate.c), gate.table, schedule.copied[g] ? "  // a copy" : "");
    } else if (two.what == '-') {
      body += fmt::format("{} & ~{};\n", operand(two.a), operand(two.b));
    } else {
      body += fmt::format("{} {} {};\n", operand(two.a), two.what, operand(two.b));
    }
  }
  const std::string comment =
      fmt::format("// {} gate{} for {} row{}, {} cop{}\n", gates, gates == 1 ? "" : "s", rows,
                  rows == 1 ? "" : "s", schedule.copies, schedule.copies == 1 ? "y" : "ies");
  return comment + opening(rows, name) + unused(rows, inputs, used) + body +
         closing(rows, schedule.network.outputs);
}

std::string c_text(const Circuit& circuit, std::string_view name) {
  const int rows = circuit.rows;
  const std::size_t inputs = circuit.inputs(), count = circuit.operations.size();
  std::string body;
  std::vector<bool> used(inputs + count);
  for (std::size_t i = 0; i < count; ++i) {
    const Operation& operation = circuit.operations[i];
    used[operation.a] = used[operation.b] = true;
    const std::string a = signal(rows, operation.a), b = signal(rows, operation.b);
    std::string text;
    switch (operation.what) {
      case Operator::conjunction:
        text = a + " & " + b;
        break;
      case Operator::disjunction:
        text = a + " | " + b;
        break;
      case Operator::exclusive:
        text = a + " ^ " + b;
        break;
      case Operator::and_not:
        text = a + " & ~" + b;
        break;
      case Operator::complement:
        text = "~" + a;
        break;
    }
    body += fmt::format("  const word e{} = {};\n", i, text);
  }
  const std::string comment = fmt::format("// {} operation{} for {} row{}\n", count, count == 1 ? "" : "s",
                                          rows, rows == 1 ? "" : "s");
  return comment + opening(rows, name) + unused(rows, inputs, used) + body + closing(rows, circuit.outputs);
}

std::string networks_header() {
  std::string text = R"(// SPDX-License-Identifier: MIT
// Made by tools/make_networks_header.cpp from src/logic; do not edit. The networks of the rules with names,
// for C++, CUDA and OpenCL C. Include it after defining the type `word` and, for the functions that end in
// _lut3, the macro LUT3(a, b, c, table), one gate whose output is bit (a << 2 | b << 1 | c) of the table; for
// those that end in _plain `word` needs the operators & | ^ ~. For CUDA define MOOREA_STEP with __device__.
//
// t a b u are rows y - 1, y, y + 1, y + 2; of each the sum of the three cells around a column, ones and twos
// (t0 t1 and so on); ca and cb are the centre cells of rows y and y + 1, next_a and next_b their next states.
// The first operand of a LUT3 is not needed behind it, except where a copy is noted: vpternlog overwrites its
// first operand. What stays needed are the sums of the last two rows, which are the first two of the next.
#ifndef MOOREA_KERNELS_STEP_NETWORKS_H
#define MOOREA_KERNELS_STEP_NETWORKS_H
// clang-format off

#ifndef MOOREA_STEP
#define MOOREA_STEP static inline
#endif

)";
  std::string list =
      "// X(function, birth, survival, rows of the _lut3 form, rows of the _plain form) for each of them.\n"
      "#define MOOREA_NAMED_NETWORKS(X)";
  std::string functions;
  for (const NamedRule& named : named_rules()) {
    if (named.rule.name() != named.name) continue;  // a further name of a rule that is there
    const std::string name = "next_" + identifier(named.name);
    const Network network = network_for(named.rule);
    const Circuit circuit = circuit_for(named.rule);
    list += fmt::format(" \\\n  X({}, 0x{:03X}, 0x{:03X}, {}, {})", name, named.rule.birth(),
                        named.rule.survival(), network.rows, circuit.rows);
    functions += fmt::format("\n// {}, {}: {} gates a word with the row's sum, {} operations.\n", named.name,
                             named.rule.str(), network.gates_per_word(), circuit.operations_per_word());
    functions += "#ifdef LUT3\n" + c_text(network, name + "_lut3") + "#endif\n";
    functions += c_text(circuit, name + "_plain");
  }
  return text + list + "\n" + functions + "\n#endif\n";
}

}  // namespace moorea
