// SPDX-License-Identifier: MIT
#include "logic/state_text.h"

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "logic/four_inputs.h"
#include "logic/state_logic.h"
#include "moorea/larger_than_life.h"

namespace moorea {
namespace {

// Words as names of constants, of which each operation declares one.
class NamedWords {
 public:
  using Word = std::string;

  Word conjunction(const Word& a, const Word& b) { return declare(a + " & " + b); }
  Word disjunction(const Word& a, const Word& b) { return declare(a + " | " + b); }
  Word exclusive(const Word& a, const Word& b) { return declare(a + " ^ " + b); }
  Word complement(const Word& a) { return declare("~" + a); }
  Word zero() { return declare("0"); }
  Word ones() { return declare("~(word)0"); }
  Word declare(const std::string& value) {
    const std::string name = fmt::format("s{}", number_++);
    text_ += fmt::format("  const word {} = {};\n", name, value);
    return name;
  }
  std::vector<Word> load_cell(int digits) {
    std::vector<Word> cell;
    for (int k = 0; k < digits; ++k) cell.push_back(declare(fmt::format("cell[{}]", k)));
    return cell;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int number_ = 0;
};

std::string live_text(const Rule& rule) {
  NamedWords words;
  const std::string live = StateLogic(words, rule).live_cells(words.load_cell(state_digits(rule)));
  return "MOOREA_STEP word live_cells(const word* cell) {\n" + words.text() + "  return " + live + ";\n}\n";
}

constexpr const char* advance_begin = "MOOREA_STEP void advance_states(word* cell, word lives) {\n";

constexpr unsigned lives_input = 3;  // after those of three digits
constexpr unsigned centre_cell = 1 << 4;

constexpr FourTable input_table(unsigned input) {
  FourTable table = 0;
  for (unsigned n = 0; n < 16; ++n) table |= (n >> input & 1) << n;
  return table;
}

// Whether a live cell may stay alive.
bool survives(const Rule& rule) {
  if (rule.larger_than_life() != nullptr) return !rule.larger_than_life()->survival().empty();
  const Rule two = rule.two_state();
  for (unsigned cells = 0; cells < 512; ++cells)
    if ((cells & centre_cell) != 0 && two.next(cells)) return true;
  return false;
}

// A digit of the next state. What never occurs does not matter.
FourFunction next_digit(const Rule& rule, int digit) {
  FourFunction function = {0, 0};
  const bool may_survive = survives(rule);
  for (unsigned lives = 0; lives < 2; ++lives) {
    for (int state = 0; state < rule.states(); ++state) {
      if (lives != 0 && state == 1 && !may_survive) continue;
      const unsigned n = lives << lives_input | static_cast<unsigned>(state);
      function.matters |= 1u << n;
      function.values |= (static_cast<unsigned>(next_state(rule, state, lives != 0)) >> digit & 1) << n;
    }
  }
  return function;
}

// The cells in state 1, or those with the lowest digit, if the neighbours count no others.
FourTable live_table(const Rule& rule) {
  constexpr FourTable lowest_digit = 0xAAAA, state_1 = 0x0202;  // of digits and `lives`
  return rule.has_history() || rule.states() <= 3 ? lowest_digit : state_1;
}

// The operations that compute digit `digit`; the last one declares next_`digit`.
std::string digit_text(const Rule& rule, int digit) {
  constexpr std::array<const char*, 5> inputs = {"low", "middle", "high", "lives", "live"};
  const FourFunction function = next_digit(rule, digit);
  // Compilers leave a gate that copies one of its inputs
  for (unsigned k = 0; k < lives_input; ++k) {
    if (((function.values ^ input_table(k)) & function.matters) == 0)
      return fmt::format("  const word next_{} = {};\n", digit, inputs[k]);
  }
  const std::vector<FourGate> gates = gates_of(function, live_table(rule));
  std::string text;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const auto input = [&](int number) {
      return number < four_inputs_first_gate
                 ? std::string(inputs[static_cast<std::size_t>(number)])
                 : fmt::format("gate_{}_{}", digit, number - four_inputs_first_gate);
    };
    const std::string result =
        i + 1 == gates.size() ? fmt::format("next_{}", digit) : fmt::format("gate_{}_{}", digit, i);
    text += fmt::format("  const word {} = LUT3({}, {}, {}, 0x{:02X});\n", result, input(gates[i].inputs[0]),
                        input(gates[i].inputs[1]), input(gates[i].inputs[2]), gates[i].table);
  }
  return text;
}

}  // namespace

std::string state_text(const Rule& rule) {
  const int digits = state_digits(rule);
  NamedWords advance;
  std::string text = live_text(rule) + advance_begin;
  const std::vector<std::string> next = StateLogic(advance, rule).next(advance.load_cell(digits), "lives");
  text += advance.text();
  for (int k = 0; k < digits; ++k)
    text += fmt::format("  cell[{}] = {};\n", k, next[static_cast<std::size_t>(k)]);
  return text + "}\n";
}

std::string state_gates_text(const Rule& rule) {
  constexpr int max_digits = 3;
  const int digits = state_digits(rule);
  if (digits > max_digits) return state_text(rule);
  std::string text = live_text(rule) + advance_begin;
  text += fmt::format("  const word live = live_cells(cell), low = cell[0], middle = cell[1], high = {};\n",
                      digits == max_digits ? "cell[2]" : "0");
  for (int k = 0; k < digits; ++k) text += digit_text(rule, k);
  for (int k = 0; k < digits; ++k) text += fmt::format("  cell[{0}] = next_{0};\n", k);
  return text + "}\n";
}

}  // namespace moorea
