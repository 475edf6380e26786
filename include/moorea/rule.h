// SPDX-License-Identifier: MIT
// Rules: the 2^18 outer-totalistic two-state rules on the Moore neighbourhood (life-like rules).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

/// A rule is two sets of neighbour counts 0..8: birth (a dead cell becomes alive) and survival (a live cell
/// stays alive). The eight neighbours are those of the Moore neighbourhood; the centre is not counted.
class Rule {
 public:
  /// Conway's Life, B3/S23.
  constexpr Rule() = default;

  /// Bit n of each mask stands for n live neighbours; bits above 8 are ignored.
  constexpr Rule(unsigned birth, unsigned survival)
      : birth_(static_cast<std::uint16_t>(birth & 0x1FF)),
        survival_(static_cast<std::uint16_t>(survival & 0x1FF)) {}

  /// Reads a rule in any notation of docs/rules.md: "B3/S23", "b3s23", "23/3" (survival/birth), "T46789"
  /// (totals of the 3x3 block, centre included), or a name such as "HighLife". Case and blanks do not matter.
  /// Throws Error (usage) with a caret under the wrong character, or with the nearest name. A bounded-grid
  /// suffix such as ":T100,50" is an error here; WorldSpec::parse reads it.
  static Rule parse(std::string_view text);

  constexpr unsigned birth() const { return birth_; }
  constexpr unsigned survival() const { return survival_; }

  /// Whether a dead cell without live neighbours becomes alive (B0).
  constexpr bool births_from_nothing() const { return (birth_ & 1) != 0; }

  /// The next state of a cell with `neighbours` (0..8) live neighbours.
  constexpr bool next(bool alive, int neighbours) const {
    return ((alive ? survival_ : birth_) >> neighbours) & 1;
  }

  /// The canonical notation, "B3/S23".
  std::string str() const;

  /// The first name of the rule in named_rules(), or an empty view.
  std::string_view name() const;

  friend constexpr bool operator==(const Rule&, const Rule&) = default;

 private:
  std::uint16_t birth_ = 1u << 3;
  std::uint16_t survival_ = 1u << 2 | 1u << 3;
};

struct NamedRule {
  std::string_view name;
  Rule rule;
};

/// All names that Rule::parse accepts; the first name of a rule is canonical, later ones are aliases.
std::span<const NamedRule> named_rules();

}  // namespace moorea
#pragma GCC visibility pop
