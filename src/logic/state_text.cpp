// SPDX-License-Identifier: MIT
#include "logic/state_text.h"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "logic/state_logic.h"

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

}  // namespace

std::string state_text(const Rule& rule) {
  const int digits = state_digits(rule);
  NamedWords live, advance;
  const std::string alive = StateLogic(live, rule).live_cells(live.load_cell(digits));
  std::string text = "MOOREA_STEP word live_cells(const word* cell) {\n" + live.text() + "  return " + alive +
                     ";\n}\nMOOREA_STEP void advance_states(word* cell, word lives) {\n";
  const std::vector<std::string> next = StateLogic(advance, rule).next(advance.load_cell(digits), "lives");
  text += advance.text();
  for (int k = 0; k < digits; ++k)
    text += fmt::format("  cell[{}] = {};\n", k, next[static_cast<std::size_t>(k)]);
  return text + "}\n";
}

}  // namespace moorea
