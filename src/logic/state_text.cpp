// SPDX-License-Identifier: MIT
#include "logic/state_text.h"

#include <fmt/core.h>

#include <bit>
#include <cstdint>
#include <string>


namespace moorea {
namespace {

constexpr int table_digits = 3;  // states of more digits are counted up instead of looked up

// A function of the given number of variables as a table, whose bit i is its value if they are the binary
// digits of i, as an expression. The last variable is `lives`, the others are digits of the state.
std::string expression(std::uint32_t table, int variables, int digits) {
  const std::uint32_t all = variables == 5 ? ~0u : (1u << (1 << variables)) - 1;
  table &= all;
  if (table == 0) return "";
  if (table == all) return "~(word)0";
  const int last = variables - 1, half = 1 << last;
  const std::uint32_t low = table & ((1u << half) - 1), high = table >> half;
  const std::string name = last == digits ? "lives" : fmt::format("digit{}", last);
  if (low == high) return expression(low, last, digits);
  const auto product = [&](const std::string& factor, std::uint32_t part) {
    const std::string rest = expression(part, last, digits);
    return rest.empty() || rest == "~(word)0" ? (rest.empty() ? "" : factor) : factor + " & (" + rest + ")";
  };
  const std::string without = product("~" + name, low), with = product(name, high);
  if (without.empty() || with.empty()) return without + with;
  return "(" + without + ") | (" + with + ")";
}

// Dying cells are counted up, the last of them become dead.
std::string counting_text(const Rule& rule, int digits) {
  std::string text = "  word dying = 0, last = ~(word)0;\n";
  for (int k = 1; k < digits; ++k) text += fmt::format("  dying |= cell[{}];\n", k);
  for (int k = 0; k < digits; ++k)
    if ((rule.states() - 1) >> k & 1) text += fmt::format("  last &= cell[{}];\n", k);
  text += "  const word starts = cell[0] & ~dying & ~lives, goes_on = dying & ~last;\n  word carry = goes_on, digit;\n";
  for (int k = 0; k < digits; ++k)
    text += fmt::format("  digit = cell[{0}], cell[{0}] = (digit ^ carry) & goes_on, carry &= digit;\n", k);
  return text + "  cell[0] |= lives & ~dying;\n  cell[1] |= starts;\n";
}

std::string looking_up_text(const Rule& rule, int digits) {
  std::string text;
  for (int k = 0; k < digits; ++k) text += fmt::format("  const word digit{0} = cell[{0}];\n", k);
  for (int k = 0; k < digits; ++k) {
    std::uint32_t table = 0;
    for (int lives = 0; lives < 2; ++lives) {
      for (int state = 0; state < rule.states(); ++state)
        table |= (static_cast<std::uint32_t>(next_state(rule, state, lives != 0)) >> k & 1)
                 << (lives << digits | state);
    }
    const std::string next = expression(table, digits + 1, digits);
    text += fmt::format("  cell[{}] = {};\n", k, next.empty() ? "0" : next);
  }
  return text;
}

}  // namespace

int next_state(const Rule& rule, int state, bool lives) {
  if (rule.has_history()) {
    constexpr int alive[] = {1, 1, 1, 3, 3, 5, 6, 0}, dead[] = {0, 2, 2, 4, 4, 4, 6, 0};
    return lives ? alive[state] : dead[state];
  }
  if (rule.is_wires()) return state == 3 && lives ? 1 : state == 0 || state == 3 ? state : state + 1;
  if (state >= 2) return (state + 1) % rule.states();
  return lives ? 1 : 2 * state;
}

std::string state_text(const Rule& rule) {
  const int digits = std::bit_width(static_cast<unsigned>(rule.states() - 1));
  std::string text = "MOOREA_STEP word live_cells(const word* cell) {\n  return cell[0]";
  // Cells that are alive in several states, or the only ones with the lowest digit
  if (!rule.has_history() && rule.states() > 3) {
    for (int k = 1; k < digits; ++k) text += fmt::format(" & ~cell[{}]", k);
  }
  return text + ";\n}\nMOOREA_STEP void advance_states(word* cell, word lives) {\n" +
         (digits <= table_digits ? looking_up_text(rule, digits) : counting_text(rule, digits)) + "}\n";
}

}  // namespace moorea
