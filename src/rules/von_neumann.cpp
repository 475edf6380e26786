// SPDX-License-Identifier: MIT
// States, with the numbers that Golly gives them: 0 the ground state; 1 to 8 sensitised, while signals decide
// what a cell becomes; 9 to 12 ordinary and 17 to 20 special transmission to the east, north, west and south,
// 13 to 16 and 21 to 24 the same excited; 25 to 28 confluent, where the first bit of (number - 25) says
// whether a signal leaves with the next generation, the second one whether one leaves now; 29 to 31 confluent
// with signals that cross: horizontally, vertically, both.
//
// After J. von Neumann, "Theory of Self-Reproducing Automata" (1966), and R. Nobili and U. Pesavento,
// "Generalised von Neumann's automata" (1996). What these leave open, and T. Hutton's rules, are as Golly
// computes them, with which tests compare.
#include "rules/von_neumann.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace moorea {
namespace {

constexpr int ground = 0, first_sensitised = 1, last_sensitised = 8;
constexpr int ordinary = 9, special = 17, confluent = 25, crossing = 29;
constexpr int sides = 4;  // and directions: east, north, west, south

struct State {
  int number = ground;

  bool is_sensitised() const { return number >= first_sensitised && number <= last_sensitised; }
  bool is_ordinary() const { return number >= ordinary && number < special; }
  bool is_special() const { return number >= special && number < confluent; }
  bool is_transmission() const { return is_ordinary() || is_special(); }
  bool is_confluent() const { return number >= confluent; }
  bool is_crossing() const { return number >= crossing; }

  // Direction and excitation of a transmission state
  int direction() const { return (number - ordinary) % sides; }
  bool is_excited() const { return is_transmission() && (number - ordinary) / sides % 2 != 0; }
  State quiet() const { return {is_excited() ? number - sides : number}; }
  State excited() const { return {quiet().number + sides}; }

  // Whether a confluent cell sends a signal to a side now
  bool sends_to(int side) const {
    if (is_crossing()) return ((number - crossing + 1) >> side % 2 & 1) != 0;
    return is_confluent() && ((number - confluent) & 2) != 0;
  }
};

constexpr int opposite(int side) { return (side + 2) % sides; }

State transmission(int kind, int direction) { return {kind + direction % sides}; }

class Cell {
 public:
  Cell(State own, const std::array<State, sides>& around) : own_(own), around_(around) {}

  State own() const { return own_; }
  State at(int side) const { return around_[static_cast<std::size_t>(side)]; }
  // The cell to which this one transmits
  State target() const { return at(own_.direction()); }

  template <class Visit>
  void for_each_side(const Visit& visit) const {
    for (int side = 0; side < sides; ++side) visit(at(side), side);
  }
  template <class Condition>
  bool any(const Condition& condition) const {
    for (int side = 0; side < sides; ++side)
      if (condition(at(side), side)) return true;
    return false;
  }

  // Whether this one points at a side
  bool faces(int side) const { return own_.is_transmission() && own_.direction() == side; }
  static bool points_here(State other, int side) {
    return other.is_transmission() && other.direction() == opposite(side);
  }
  static bool is_output(State other, int side) {
    return other.is_transmission() && !points_here(other, side);
  }

  // Whether excited cells of a kind transmit to this one
  bool has_excited_ordinary() const {
    return any([&](State s, int side) { return points_here(s, side) && s.is_ordinary() && s.is_excited(); });
  }
  bool has_excited_special() const {
    return any([&](State s, int side) { return points_here(s, side) && s.is_special() && s.is_excited(); });
  }
  bool has_quiet_ordinary() const {
    return any([&](State s, int side) { return points_here(s, side) && s.is_ordinary() && !s.is_excited(); });
  }
  // Whether all ordinary cells that transmit to this one are excited, and there is one
  bool all_inputs_excited() const { return has_excited_ordinary() && !has_quiet_ordinary(); }

  // The state in which signals cross here: from excited ordinary cells on one axis or on both
  State crossed() const {
    int axes = 0;
    for_each_side([&](State s, int side) {
      if (points_here(s, side) && s.is_ordinary() && s.is_excited()) axes |= 1 << side % 2;
    });
    return {axes == 0 ? confluent : crossing - 1 + axes};
  }

 private:
  State own_;
  std::array<State, sides> around_;
};

// A confluent cell with the delay of a generation: its next signal leaves now.
State confluent_after(State own, bool is_next_excited) {
  const bool leaves = !own.is_crossing() && ((own.number - confluent) & 1) != 0;
  return {confluent + (is_next_excited ? 1 : 0) + (leaves ? 2 : 0)};
}

// Von Neumann's rule, and Nobili's for confluent cells.
State next_of_von_neumann(const Cell& cell, bool is_nobili) {
  const State own = cell.own();
  const bool ordinary_here = cell.has_excited_ordinary(), special_here = cell.has_excited_special();
  if (own.is_transmission()) {
    if (own.is_ordinary() ? special_here : ordinary_here) return {ground};
    const bool is_hit = cell.any([&](State other, int side) {
      if (cell.faces(side)) return false;
      return (Cell::points_here(other, side) && other.is_excited()) || other.sends_to(side);
    });
    return is_hit ? own.excited() : own.quiet();
  }
  if (own.is_confluent()) {
    if (special_here) return {ground};
    if (is_nobili) {
      int inputs = 0, outputs = 0;  // axes
      cell.for_each_side([&](State other, int side) {
        if (Cell::points_here(other, side) && other.is_ordinary()) inputs |= 1 << side % 2;
        if (Cell::is_output(other, side)) outputs |= 1 << side % 2;
      });
      if (inputs == 3 && outputs == 3) return cell.crossed();
      // Without an output it keeps its signals
      if (outputs == 0 && !cell.all_inputs_excited()) return own.is_crossing() ? State{confluent} : own;
    }
    return confluent_after(own, cell.all_inputs_excited());
  }
  // The bits of the signals since the first one, after a leading 1
  const int bits = 2 * own.number + (ordinary_here || special_here ? 1 : 0);
  if (bits <= last_sensitised) return {bits};
  constexpr std::array<int, 9> becomes = {ordinary + 2, ordinary + 3, special,  special + 1, special + 2,
                                          special + 3,  confluent,    ordinary, ordinary + 1};
  return {becomes[static_cast<std::size_t>(bits - last_sensitised - 1)]};
}

// A cell of Hutton's rule, with the questions that only this rule asks.
class HuttonCell : public Cell {
 public:
  using Cell::Cell;

  // Whether excited cells of a kind transmit to this one; not if this one is of the same kind and transmits
  // to them
  bool is_reached(bool by_special) const {
    return any([&](State other, int side) { return transmission_reaches(other, side, by_special); });
  }
  // Whether that is so, or confluent cells send a signal
  bool is_hit(bool by_special) const {
    return any([&](State other, int side) {
      return transmission_reaches(other, side, by_special) ||
             (!meets(side, by_special) && other.sends_to(side));
    });
  }
  bool has_ordinary_input() const {
    return any([](State other, int side) { return points_here(other, side) && other.is_ordinary(); });
  }
  bool is_crossing() const {
    int inputs = 0, outputs = 0;
    for_each_side([&](State other, int side) {
      inputs += points_here(other, side) ? 1 : 0;
      outputs += is_output(other, side) ? 1 : 0;
    });
    return inputs == 2 && outputs == 2;
  }

  // The excited cell that transmits to this one: the one in the west before those in the south, east and
  // north
  std::optional<State> input() const {
    std::optional<State> found;
    for (const int side : {1, 0, 3, 2}) {
      const State other = at(side);
      if (points_here(other, side) && other.is_excited()) found = other;
    }
    return found;
  }

  // The next state of the target, as far as it is known from this cell
  bool target_becomes_transmission() const {
    const int to = target().number;
    return to == 8 || to == (own().is_excited() ? 4 : 5);
  }
  bool target_becomes_confluent() const { return target().number == 7 && own().is_excited(); }
  bool target_stays_sensitised() const {
    const int to = target().number;
    return (to == ground && own().is_excited()) || (to >= 1 && to <= 3) || (to == 4 && !own().is_ordinary());
  }

 private:
  bool meets(int side, bool special_kind) const { return faces(side) && own().is_special() == special_kind; }
  bool transmission_reaches(State other, int side, bool by_special) const {
    return points_here(other, side) && other.is_excited() && other.is_special() == by_special &&
           !meets(side, by_special);
  }
};

constexpr int kinds_apart = special - ordinary;

State next_of_ordinary(const HuttonCell& cell) {
  const State own = cell.own();
  if (cell.is_reached(true)) return {ground};
  if (cell.is_hit(false)) {
    if (cell.target_becomes_transmission()) return {ground};  // it has written, and retracts
    if (cell.target().is_special() && !cell.target().is_excited()) return {ground};
    return cell.target_becomes_confluent() ? State{first_sensitised} : own.excited();
  }
  if (cell.target_becomes_confluent()) return {ground};
  // The last cell of an ordinary wire that writes becomes special and excited while it has no signal
  if (own.is_excited() && cell.target_stays_sensitised()) return {own.number + kinds_apart};
  return own.quiet();
}

State next_of_special(const HuttonCell& cell) {
  const State own = cell.own();
  if (own.is_excited() && cell.target().is_sensitised() && cell.has_ordinary_input()) {
    const bool signal = cell.is_reached(false);
    if (cell.target_stays_sensitised()) return signal ? State{own.number - kinds_apart} : own;
    return signal ? State{ground} : State{own.quiet().number - kinds_apart};
  }
  if (own.is_excited() && cell.target().number == ground) return cell.is_reached(true) ? own : own.quiet();
  if (cell.is_reached(false)) return {ground};
  return cell.is_hit(true) ? own.excited() : own.quiet();
}

// A sensitised cell becomes a transmission state whose direction is relative to that of the cell that writes
// it. Without such a cell the results are those of Golly.
State next_of_sensitised(const HuttonCell& cell) {
  const int number = cell.own().number;
  const bool signal = cell.is_reached(false);
  const std::optional<State> input = cell.input();
  const int direction = input ? input->direction() : 0;
  const auto turned = [&](int kind, int by, int without) {
    return input ? transmission(kind, direction + by) : State{without};
  };
  switch (number) {
    case 4:
      return signal ? turned(ordinary, 2, ground) : State{8};
    case 5:
      if (signal) return {input->quiet().number + kinds_apart};
      return turned(ordinary, 3, 7);
    case 6:
      return signal ? turned(special, 2, ground) : turned(special, 1, special);
    case 7:
      return signal ? State{confluent} : turned(special, 3, 15);
    case 8:
      return signal ? turned(ordinary, 1, ground) : turned(ordinary, 0, 8);
    default:
      return {2 * number + (signal ? 1 : 0)};
  }
}

State next_of_hutton(const HuttonCell& cell) {
  const State own = cell.own();
  if (own.is_ordinary()) return next_of_ordinary(cell);
  if (own.is_special()) return next_of_special(cell);
  if (own.is_sensitised()) return next_of_sensitised(cell);
  if (own.is_confluent()) {
    if (cell.is_reached(true)) return {ground};
    if (own.is_crossing() || (own.number == confluent && cell.is_crossing())) return cell.crossed();
    return confluent_after(own, cell.all_inputs_excited());
  }
  if (cell.is_reached(false)) return {first_sensitised};
  return cell.is_reached(true) ? transmission(ordinary, cell.input()->direction()) : own;
}

// A state that has the same influence on a cell when it is at one of its sides: there are few such states.
State looks_like(VonNeumannRule which, State state, int side) {
  if (Cell::points_here(state, side)) return state;
  if (state.is_confluent()) return {state.sends_to(side) ? confluent + 2 : confluent};
  if (which == VonNeumannRule::hutton32 && !state.is_transmission()) return state;
  if (!state.is_transmission()) return {ground};
  if (which != VonNeumannRule::hutton32 || state.is_ordinary()) return transmission(ordinary, side);
  return state.is_excited() ? transmission(special, side).excited() : transmission(special, side);
}

int states_of(VonNeumannRule which) { return which == VonNeumannRule::jvn29 ? 29 : 32; }

// The tree asks for the cells in the north, west, east and south, and for the cell itself.
class TreeMaker {
 public:
  explicit TreeMaker(VonNeumannRule which) : which_(which) { tree_.states = states_of(which); }

  Transitions::Tree make() {
    tree_.root = node(0);
    return std::move(tree_);
  }

 private:
  std::int32_t node(std::size_t level) {
    constexpr std::array<int, sides> asked = {1, 2, 0, 3};
    std::vector<std::int32_t> entries;
    std::map<int, std::int32_t> known;  // by what a state looks like
    for (int number = 0; number < tree_.states; ++number) {
      if (level == sides) {
        entries.push_back(von_neumann_next(which_, static_cast<std::uint8_t>(number), around_));
        continue;
      }
      const int look = looks_like(which_, {number}, asked[level]).number;
      if (!known.contains(look)) {
        around_[static_cast<std::size_t>(asked[level])] = static_cast<std::uint8_t>(look);
        known[look] = node(level + 1);
      }
      entries.push_back(known[look]);
    }
    const auto [at, is_new] = nodes_.try_emplace({level, entries}, static_cast<std::int32_t>(nodes_.size()));
    if (is_new) tree_.nodes.insert(tree_.nodes.end(), entries.begin(), entries.end());
    return at->second;
  }

  VonNeumannRule which_;
  Transitions::Tree tree_;
  std::array<std::uint8_t, sides> around_{};
  std::map<std::pair<std::size_t, std::vector<std::int32_t>>, std::int32_t> nodes_;
};

// Golly's colours: kinds of states differ in hue.
std::vector<Colour> colours(int states) {
  std::vector<Colour> all = {{48, 48, 48},   {255, 0, 0},     {255, 125, 0},   {255, 150, 25}, {255, 175, 50},
                             {255, 200, 75}, {255, 225, 100}, {255, 250, 125}, {251, 255, 0}};
  const std::array<Colour, sides> kinds = {{{106, 106, 255}, {89, 253, 89}, {235, 36, 36}, {255, 56, 255}}};
  constexpr std::array<double, sides> shades = {1, 0.9, 0.8, 0.7};
  for (const Colour& kind : kinds) {
    for (const double shade : shades) {
      const auto part = [&](std::uint8_t of) { return static_cast<std::uint8_t>(of * shade); };
      all.push_back({part(kind.red), part(kind.green), part(kind.blue)});
    }
  }
  for (const Colour& each : {Colour{0, 255, 128},
                             {255, 128, 64},
                             {255, 255, 128},
                             {33, 215, 215},
                             {27, 176, 176},
                             {24, 156, 156},
                             {21, 137, 137}})
    all.push_back(each);
  all.resize(static_cast<std::size_t>(states));
  return all;
}

constexpr std::array<std::string_view, 3> printed_names = {"JvN29", "Nobili32", "Hutton32"};

}  // namespace

std::uint8_t von_neumann_next(VonNeumannRule which, std::uint8_t state,
                              const std::array<std::uint8_t, 4>& around) {
  std::array<State, sides> cells;
  for (std::size_t side = 0; side < cells.size(); ++side) cells[side] = {around[side]};
  const State next = which == VonNeumannRule::hutton32
                         ? next_of_hutton({State{state}, cells})
                         : next_of_von_neumann({State{state}, cells}, which == VonNeumannRule::nobili32);
  return static_cast<std::uint8_t>(next.number);
}

std::span<const std::string_view> von_neumann_names() { return printed_names; }

std::optional<VonNeumannRule> von_neumann_rule_of(std::string_view plain) {
  if (plain == "jvn29") return VonNeumannRule::jvn29;
  if (plain == "nobili32" || plain == "jvn32") return VonNeumannRule::nobili32;
  if (plain == "hutton32" || plain == "modjvn32") return VonNeumannRule::hutton32;
  return {};
}

Transitions von_neumann_transitions(VonNeumannRule which) {
  const std::string name(printed_names[static_cast<std::size_t>(which)]);
  return {name, TreeMaker(which).make(), {}, colours(states_of(which))};
}

}  // namespace moorea
