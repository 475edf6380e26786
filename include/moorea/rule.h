// SPDX-License-Identifier: MIT
// Rules: of two states, life-like ones, which count the eight live neighbours, and all others of nine cells;
// of more states, Generations and rules by their transitions; Larger than Life; and block rules on the
// Margolus neighbourhood.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace moorea {

class LargerThanLife;
class Transitions;

/// The next state of a cell as a function of the nine cells around and including it. A life-like rule is two
/// sets of neighbour counts 0..8: birth (a dead cell becomes alive) and survival (a live cell stays alive).
/// The eight neighbours are those of the Moore neighbourhood; the centre is not counted. Any other rule is a
/// table of all 512 neighbourhoods: isotropic non-totalistic ones, those on the von Neumann and the hexagonal
/// neighbourhood, and MAP rules.
///
/// A rule of the family Generations has states 0 (dead), 1 (alive) and 2 to states() - 1 (dying). Births and
/// survivals are those of a rule of two states, two_state(): a dead cell becomes alive, and a live cell stays
/// alive, as it says, where only cells of state 1 are live neighbours. A live cell that does not survive goes
/// to state 2, and a dying cell to the next state, from the last one to 0, whatever its neighbours are.
///
/// A rule with history (LifeViewer's name; Golly's LifeHistory) has seven states, of which 1, 3 and 5 are
/// alive for the births and survivals of two_state(): 0 dead, 1 alive, 2 dead and once alive, 3 and 4 alive
/// and dead with a mark, 5 alive since the start with a mark, which it keeps in state 4 when it dies. Cells
/// in state 6 stay as they are, and live cells next to one die.
///
/// A rule of larger_than_life() counts the live cells of a wider neighbourhood; with more than two states,
/// cells die as those of Generations.
///
/// A block rule divides the world into blocks of 2 x 2 cells and replaces each by another one, blocks(). In
/// even generations the first block has its north-west corner in cell (0, 0), in odd ones in cell (1, 1): the
/// Margolus neighbourhood.
///
/// All other rules of more states have transitions().
class Rule {
 public:
  /// Bit n mod 64 of word n / 64 is the next state of the cell in the middle of neighbourhood n. The bits of
  /// n are, from the highest (256): north west, north, north east, west, centre, east, south west, south,
  /// south east, as in MAP strings.
  using Table = std::array<std::uint64_t, 8>;

  /// Conway's Life, B3/S23.
  constexpr Rule() = default;

  /// Bit n of each mask stands for n live neighbours; bits above 8 are ignored.
  constexpr Rule(unsigned birth, unsigned survival)
      : birth_(static_cast<std::uint16_t>(birth & 0x1FF)),
        survival_(static_cast<std::uint16_t>(survival & 0x1FF)) {}

  /// The rule with such a table; it is life-like if the table is that of a life-like rule.
  explicit constexpr Rule(const Table& table);

  static constexpr int max_states = 256;

  /// The rule of Generations with these births and survivals and with 3 to max_states states; with 2, those
  /// of this rule alone. Throws Error (usage) for another number.
  constexpr Rule with_states(int states) const {
    if (states < 2 || states > max_states) refuse_states(states);
    Rule rule = *this;
    rule.transitions_ = nullptr;
    rule.wires_ = false;
    rule.has_blocks_ = has_blocks_ && states == 2;
    rule.has_history_ = false;
    rule.states_ = static_cast<std::uint16_t>(states);
    return rule;
  }

  /// The rule with these births and survivals whose cells remember that they were alive; this rule has
  /// has_nine_cells().
  constexpr Rule with_history() const {
    Rule rule = *this;
    rule.states_ = history_states;
    rule.has_history_ = true;
    return rule;
  }
  static constexpr int history_states = 7;

  /// The rule with such transitions, which are kept until the program ends. With two states it is the rule
  /// with such a table.
  static Rule by(Transitions transitions);

  /// The rule of such counts, which are kept until the program ends, with 2 to max_states states. Of radius
  /// 1 it is a rule of nine cells.
  static Rule by(const LargerThanLife& counts, int states = 2);

  /// Entry n of blocks() replaces block n; in both, the bits of the cells are 1 north west, 2 north east, 4
  /// south west, 8 south east, as MCell has them. Throws Error (usage) for entries above 15.
  using Blocks = std::array<std::uint8_t, 16>;
  static constexpr Rule by(const Blocks& blocks) {
    for (const std::uint8_t block : blocks)
      if (block > 15) refuse_block(block);
    Rule rule(blocks[0] == 0 ? 0 : 1, blocks[15] == 15 ? 1u << 8 : 0);
    rule.has_blocks_ = true;
    rule.blocks_ = blocks;
    return rule;
  }

  /// The counts of a rule of Larger than Life; else null.
  constexpr const LargerThanLife* larger_than_life() const { return larger_; }

  /// The blocks of a block rule, which live as long as the rule; else null.
  constexpr const Blocks* blocks() const { return has_blocks_ ? &blocks_ : nullptr; }

  /// The block rule that leads back to the generation before; empty if none does, and of all other rules.
  std::optional<Rule> inverse() const;

  /// Whether a cell has two states, and the next one is a function of the nine cells around and including it.
  constexpr bool has_nine_cells() const { return states_ == 2 && larger_ == nullptr && !has_blocks_; }

  /// Columns and rows by which cells influence others in one generation.
  int reach() const;

  /// The transitions of a rule that is of no other family; else null.
  constexpr const Transitions* transitions() const { return transitions_; }

  /// Whether the rule is one of wires, as WireWorld: state 0 never changes, 1 becomes 2, 2 becomes 3, and 3
  /// becomes 1 if two_state() gives birth there, with cells of state 1 as live neighbours. It has
  /// transitions() that say the same.
  constexpr bool is_wires() const { return wires_; }

  /// Whether the rule is with_history().
  constexpr bool has_history() const { return has_history_; }

  /// Number of states of a cell, 2 to max_states.
  constexpr int states() const { return states_; }

  /// Births and survivals of a rule of Generations or with history, or the births of is_wires(), as a rule of
  /// two states; other rules of two states themselves. Of other transitions it says nothing.
  constexpr Rule two_state() const { return with_states(2); }

  /// Reads a rule in any notation of docs/rules.md: "B3/S23", "b3s23", "23/3" (survival/birth), "T46789"
  /// (totals of the 3x3 block, centre included), "B2-a/S12" (Hensel's notation), "B2/S013V" (von Neumann),
  /// "B2/S34H" (hexagonal), "MAP" and base64 digits, "345/2/4" (Generations: survival/birth/states),
  /// "B3/S23History", "R5,C2,S33-57,B34-45,NM" (Larger than Life), "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15"
  /// (blocks), or a name such as "HighLife". Case, except in MAP, and blanks do not matter. Any other name is
  /// that of a file NAME.rule in one of rule_folders(), unless it is the path of such a file itself. Throws
  /// Error (usage) with a caret under the wrong character, or with the nearest name, and Error for files. A
  /// bounded-grid suffix such as ":T100,50" is an error here; WorldSpec::parse reads it.
  static Rule parse(std::string_view text);

  /// Reads the text of an @RULE file, as some patterns contain it, and returns its rule, which parse() knows
  /// by its name from now on; a notation, or a name that parse() knows without a file, keeps its meaning and
  /// is returned. `source` is for error messages. Throws Error as parse() does for files.
  static Rule define(std::string_view text, std::string_view source);

  /// The text of an @RULE file of up to 1 MB with the transitions, for a pattern that contains its rule.
  /// Empty if there is no need for one, as for rules with a notation and those of Golly's folder, or it is
  /// larger.
  std::string definition() const;

  /// Whether the rule has two states and counts live neighbours.
  constexpr bool is_life_like() const { return life_like_ && has_nine_cells(); }

  /// Whether the rule has nine cells, and rotations and reflections of the eight neighbours do not matter.
  bool is_isotropic() const;

  /// The counts of a life-like rule or of Generations with such births and survivals; of others 0.
  constexpr unsigned birth() const { return birth_; }
  constexpr unsigned survival() const { return survival_; }

  /// Whether a dead cell without live neighbours becomes alive (B0).
  constexpr bool births_from_nothing() const { return next(0); }

  /// Whether a cell with `neighbours` (0..8) live neighbours is born or survives. The rule, or two_state() of
  /// it, is life-like.
  constexpr bool next(bool alive, int neighbours) const {
    return ((alive ? survival_ : birth_) >> neighbours) & 1;
  }

  /// Whether the cell in the middle of a neighbourhood, numbered as in Table, is born or survives.
  constexpr bool next(unsigned neighbourhood) const {
    if (!life_like_) return (table_[neighbourhood / 64] >> neighbourhood % 64 & 1) != 0;
    return next((neighbourhood & 1 << 4) != 0, std::popcount(neighbourhood & ~(1u << 4)));
  }

  /// The table of births and survivals that do not count, which lives as long as the rule; null otherwise.
  constexpr const Table* table() const { return life_like_ ? nullptr : &table_; }

  /// The canonical notation: "B3/S23", with V or H if that is sufficient, in Hensel's notation if rotations
  /// and reflections do not matter, else as MAP; of Generations as Golly has it, "345/2/4" or "12/2-a/4".
  /// With history LifeHistory, or that of the rule of two states and "History". Larger than Life as
  /// LargerThanLife::str() has it. The name of transitions.
  std::string str() const;

  /// The first name of the rule in named_rules(), or an empty view.
  std::string_view name() const;

  friend constexpr bool operator==(const Rule&, const Rule&) = default;

 private:
  [[noreturn]] static void refuse_states(int states);
  [[noreturn]] static void refuse_block(int block);

  std::uint16_t birth_ = 1u << 3;
  std::uint16_t survival_ = 1u << 2 | 1u << 3;
  std::uint16_t states_ = 2;
  bool life_like_ = true;  // births and survivals
  bool wires_ = false;
  bool has_blocks_ = false;
  bool has_history_ = false;
  const Transitions* transitions_ = nullptr;
  const LargerThanLife* larger_ = nullptr;
  Blocks blocks_{};
  Table table_{};  // all 0 of life-like rules
};

constexpr Rule::Rule(const Table& table) : birth_(0), survival_(0), life_like_(false), table_(table) {
  unsigned sets[2] = {0, 0}, others[2] = {0, 0};  // counts with births or survivals, and without
  for (unsigned n = 0; n < 512; ++n) {
    const unsigned alive = n >> 4 & 1, count = 1u << std::popcount(n & ~(1u << 4));
    (next(n) ? sets : others)[alive] |= count;
  }
  if ((sets[0] & others[0]) == 0 && (sets[1] & others[1]) == 0) *this = Rule(sets[0], sets[1]);
}

struct NamedRule {
  std::string_view name;
  Rule rule;
};

/// Folders in which Rule::parse looks for files of rules, in this order: those of the environment variable
/// MOOREA_RULES, separated by colons; moorea/rules in the user's folder for data; and Golly's.
std::vector<std::string> rule_folders();

/// All names that Rule::parse accepts without a file; the first name of a rule is canonical, later ones are
/// aliases.
std::span<const NamedRule> named_rules();

}  // namespace moorea
#pragma GCC visibility pop
