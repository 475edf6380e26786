// SPDX-License-Identifier: MIT
// What becomes of cells with more than two states, as operations on words with a binary digit of many states.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "moorea/rule.h"

namespace moorea {

/// The state that follows `state` under a rule of Generations, of wires or with history; `lives` is what its
/// births and survivals say of the cell. The cells beside which live ones die are not its concern.
int next_state(const Rule& rule, int state, bool lives);

/// Number of binary digits of a rule's states.
inline int state_digits(const Rule& rule) { return std::bit_width(static_cast<unsigned>(rule.states() - 1)); }

/// Operations for a rule of Generations, of wires or with history. `Words` makes them: it has a type Word,
/// and conjunction(a, b), disjunction(a, b), exclusive(a, b), complement(a), zero() and ones() return one. A
/// cell is the digits of its state, the lowest first.
template <class Words>
class StateLogic {
 public:
  using Word = typename Words::Word;

  StateLogic(Words& words, const Rule& rule) : words_(words), rule_(rule) {}

  /// The cells that their neighbours count.
  Word live_cells(const std::vector<Word>& cell) {
    Word live = cell[0];
    // With history they have several states, all with the lowest digit; of three states no other one has it
    if (rule_.has_history() || rule_.states() <= 3) return live;
    return words_.conjunction(live, words_.complement(any(cell, 1)));
  }

  /// The digits of the next states, where `lives` are the cells of which the births and survivals say so.
  std::vector<Word> next(const std::vector<Word>& cell, const Word& lives) {
    constexpr std::size_t table_digits = 3;  // states of more digits are counted up instead of looked up
    return cell.size() <= table_digits ? looked_up(cell, lives) : counted_up(cell, lives);
  }

 private:
  Word any(const std::vector<Word>& cell, std::size_t first) {
    Word all = cell[first];
    for (std::size_t k = first + 1; k < cell.size(); ++k) all = words_.disjunction(all, cell[k]);
    return all;
  }

  std::vector<Word> looked_up(const std::vector<Word>& cell, const Word& lives) {
    std::vector<Word> variables = cell;
    variables.push_back(lives);
    std::vector<Word> next;
    for (std::size_t k = 0; k < cell.size(); ++k) {
      std::uint32_t table = 0;
      for (int i = 0; i < 2; ++i) {
        for (int state = 0; state < rule_.states(); ++state)
          table |= (static_cast<std::uint32_t>(next_state(rule_, state, i != 0)) >> k & 1)
                   << (static_cast<unsigned>(i) << cell.size() | static_cast<unsigned>(state));
      }
      next.push_back(function(table, variables, variables.size()));
    }
    return next;
  }

  // A function of the first variables as a table, whose bit i is its value if they are the digits of i.
  Word function(std::uint32_t table, const std::vector<Word>& variables, std::size_t number) {
    const std::uint32_t all = number == 5 ? ~0u : (1u << (1u << number)) - 1;
    if (table == 0) return words_.zero();
    if (table == all) return words_.ones();
    const unsigned half = 1u << (number - 1);
    const std::uint32_t half_of_all = (1u << half) - 1, low = table & half_of_all, high = table >> half;
    if (low == high) return function(low, variables, number - 1);
    const Word& last = variables[number - 1];
    const auto part = [&](const Word& factor, std::uint32_t rest) {
      return rest == half_of_all ? factor : words_.conjunction(factor, function(rest, variables, number - 1));
    };
    if (low == 0) return part(last, high);
    const Word without = part(words_.complement(last), low);
    return high == 0 ? without : words_.disjunction(without, part(last, high));
  }

  // Dying cells are counted up, and the last of them become dead.
  std::vector<Word> counted_up(const std::vector<Word>& cell, const Word& lives) {
    const Word dying = any(cell, 1);
    Word last = words_.ones();
    for (std::size_t k = 0; k < cell.size(); ++k)
      if (((rule_.states() - 1) >> k & 1) != 0) last = words_.conjunction(last, cell[k]);
    const Word goes_on = words_.conjunction(dying, words_.complement(last));
    const Word at_rest = words_.complement(dying);
    const Word starts = words_.conjunction(words_.conjunction(cell[0], at_rest), words_.complement(lives));
    std::vector<Word> next;
    Word carry = words_.ones();
    for (const Word& digit : cell) {
      next.push_back(words_.conjunction(words_.exclusive(digit, carry), goes_on));
      carry = words_.conjunction(digit, carry);
    }
    next[0] = words_.disjunction(next[0], words_.conjunction(lives, at_rest));
    next[1] = words_.disjunction(next[1], starts);
    return next;
  }

  Words& words_;
  const Rule& rule_;
};

}  // namespace moorea
