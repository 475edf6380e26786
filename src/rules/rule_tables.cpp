// SPDX-License-Identifier: MIT
// Rules as tables of neighbourhoods, and the canonical notation.
#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <optional>
#include <vector>

#include "moorea/larger_than_life.h"
#include "moorea/transitions.h"
#include "rules/rule_families.h"
#include "rules/wide_notation.h"

namespace moorea {
namespace {

using neighbourhoods::all_arrangements;
using neighbourhoods::Arrangements;
using neighbourhoods::Conditions;
using neighbourhoods::letters;
using neighbourhoods::name_of;

constexpr unsigned neighbourhood_count = 512;
constexpr std::string_view base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr unsigned cells_of(Neighbours neighbours) {
  return neighbours == Neighbours::moore         ? 0x1FF
         : neighbours == Neighbours::von_neumann ? neighbourhoods::von_neumann
                                                 : neighbourhoods::hexagonal;
}

// Number of a neighbourhood in a MAP string.
unsigned map_number(unsigned cells, Neighbours neighbours) {
  // Places in `cells` of the number's bits, from the highest to the lowest, as Golly has them
  static constexpr std::initializer_list<int> all = {8, 7, 6, 5, 4, 3, 2, 1, 0}, cross = {7, 5, 4, 3, 1},
                                              six = {1, 0, 5, 4, 3, 8, 7};
  unsigned number = 0;
  for (const int place : neighbours == Neighbours::moore         ? all
                         : neighbours == Neighbours::von_neumann ? cross
                                                                 : six)
    number = number << 1 | (cells >> place & 1);
  return number;
}

template <class Next>
Rule rule_by(const Next& next) {
  Rule::Table table{};
  for (unsigned n = 0; n < neighbourhood_count; ++n)
    table[n / 64] |= static_cast<std::uint64_t>(next(n) ? 1 : 0) << n % 64;
  return Rule(table);
}

// Whether the other cells do not matter.
bool depends_on(const Rule& rule, Neighbours neighbours) {
  for (unsigned n = 0; n < neighbourhood_count; ++n) {
    if (rule.next(n) != rule.next(n & cells_of(neighbours))) return false;
  }
  return true;
}

// Neighbourhoods with dead or live cells in the middle that a notation does not distinguish, a bit for each.
struct Class {
  std::size_t count = 0;  // of live neighbours
  Arrangements arrangements = 0;
  Rule::Table members{};
};

std::vector<Class> classes_of(Neighbours neighbours, bool alive) {
  std::vector<Class> classes;
  for (unsigned n = 0; n < neighbourhood_count; ++n) {
    if (((n & neighbourhoods::centre) != 0) != alive) continue;
    const auto number =
        static_cast<std::size_t>(std::popcount(n & cells_of(neighbours) & ~neighbourhoods::centre));
    const Arrangements arrangements = neighbours == Neighbours::moore
                                          ? static_cast<Arrangements>(1u << name_of(n).letter)
                                          : all_arrangements(static_cast<int>(number));
    auto same = std::ranges::find_if(classes, [&](const Class& each) {
      return each.count == number && each.arrangements == arrangements;
    });
    if (same == classes.end()) same = classes.insert(classes.end(), {number, arrangements, {}});
    same->members[n / 64] |= std::uint64_t{1} << n % 64;
  }
  return classes;
}

// Arrangements of dead or live cells of an isotropic rule, or counts of a totalistic one on a smaller
// neighbourhood; empty of other rules.
std::optional<Conditions> conditions_of(const Rule& rule, bool alive, Neighbours neighbours) {
  Conditions yes{};
  if (rule.table() == nullptr) {  // it counts all eight neighbours
    for (int count = 0; count <= 8; ++count)
      yes[static_cast<std::size_t>(count)] =
          rule.next(alive, count) ? all_arrangements(count) : Arrangements{0};
    return yes;
  }
  static const std::array<std::array<std::vector<Class>, 2>, 3> classes = [] {
    std::array<std::array<std::vector<Class>, 2>, 3> all;
    for (const Neighbours each : {Neighbours::moore, Neighbours::von_neumann, Neighbours::hexagonal}) {
      for (const bool live : {false, true})
        all[static_cast<std::size_t>(each)][live ? 1 : 0] = classes_of(each, live);
    }
    return all;
  }();
  const Rule::Table& table = *rule.table();
  for (const Class& each : classes[static_cast<std::size_t>(neighbours)][alive ? 1 : 0]) {
    std::uint64_t some = 0, others = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      some |= each.members[i] & table[i];
      others |= each.members[i] & ~table[i];
    }
    if (some != 0 && others != 0) return {};
    if (some != 0) yes[each.count] |= each.arrangements;
  }
  return yes;
}

std::string text_of(const Conditions& conditions) {
  std::string text;
  for (std::size_t count = 0; count < conditions.size(); ++count) {
    const Arrangements all = all_arrangements(static_cast<int>(count)), some = conditions[count];
    if (some == 0) continue;
    text += static_cast<char>('0' + count);
    if (some == all) continue;
    // The shorter form, in which a minus counts like a letter, as in Golly
    const bool left_out = 2 * std::popcount(some) > std::popcount(all) + 1;
    if (left_out) text += '-';
    for (std::size_t i = 0; i < letters[count].size(); ++i) {
      if (((some >> i & 1) != 0) != left_out) text += letters[count][i];
    }
  }
  return text;
}

struct Notation {
  Conditions birth, survival;
  Neighbours neighbours;
};

// Births and survivals on the smallest neighbourhood by which they can be written; empty of rules for which
// rotations or reflections matter.
std::optional<Notation> notation_of(const Rule& rule) {
  for (const Neighbours neighbours : {Neighbours::von_neumann, Neighbours::hexagonal, Neighbours::moore}) {
    // Sets that are empty or full are of every neighbourhood
    if (rule.table() == nullptr && neighbours != Neighbours::moore) continue;
    if (!depends_on(rule, neighbours)) continue;
    const std::optional<Conditions> birth = conditions_of(rule, false, neighbours),
                                    survival = conditions_of(rule, true, neighbours);
    if (birth && survival) return Notation{*birth, *survival, neighbours};
  }
  return {};
}

const char* suffix_of(Neighbours neighbours) {
  return neighbours == Neighbours::moore ? "" : neighbours == Neighbours::von_neumann ? "V" : "H";
}

// The highest bit of the first digit is neighbourhood 0.
std::string map_text(const Rule& rule, Neighbours neighbours) {
  const unsigned cells = cells_of(neighbours);
  std::string values(static_cast<std::size_t>(map_digits(neighbours)), '\0');
  for (unsigned n = 0; n < neighbourhood_count; ++n) {
    if ((n & ~cells) != 0 || !rule.next(n)) continue;
    const unsigned bit = map_number(n, neighbours);
    values[bit / 6] = static_cast<char>(values[bit / 6] | 32 >> bit % 6);
  }
  std::string text = "MAP";
  for (const char value : values) text += base64[static_cast<std::size_t>(value)];
  return text;
}

}  // namespace

int base64_value(char digit) {
  const std::size_t value = base64.find(digit);
  return value == std::string_view::npos ? -1 : static_cast<int>(value);
}

Rule rule_with(const Conditions& birth, const Conditions& survival, Neighbours neighbours) {
  return rule_by([&](unsigned n) {
    const Conditions& conditions = (n & neighbourhoods::centre) != 0 ? survival : birth;
    if (neighbours == Neighbours::moore) return (conditions[name_of(n).count] >> name_of(n).letter & 1) != 0;
    return conditions[static_cast<std::size_t>(
               std::popcount(n & cells_of(neighbours) & ~neighbourhoods::centre))] != 0;
  });
}

Rule rule_of_map(const std::string& values, Neighbours neighbours) {
  return rule_by([&](unsigned n) {
    const unsigned bit = map_number(n, neighbours);
    return (values[bit / 6] & 32 >> bit % 6) != 0;
  });
}

std::string Rule::str() const {
  if (transitions_ != nullptr) return transitions_->name();
  if (larger_ != nullptr) return larger_->str(states_);
  if (has_blocks_) return text_of_blocks(blocks_);
  const Rule two = two_state();
  if (has_history_) return (two == Rule() ? "Life" : two.str()) + "History";
  const std::optional<Notation> found = notation_of(two);
  if (found && states_ > 2)
    return text_of(found->survival) + '/' + text_of(found->birth) + '/' + std::to_string(states_) +
           suffix_of(found->neighbours);
  if (found)
    return "B" + text_of(found->birth) + "/S" + text_of(found->survival) + suffix_of(found->neighbours);
  const std::string states = states_ > 2 ? "/" + std::to_string(states_) : "";
  for (const Neighbours neighbours : {Neighbours::von_neumann, Neighbours::hexagonal}) {
    if (depends_on(two, neighbours)) return map_text(two, neighbours) + states;
  }
  return map_text(two, Neighbours::moore) + states;
}

void Rule::refuse_states(int states) {
  throw Error(fmt::format("a rule of {} states: expected 2 to {}", states, max_states), ErrorKind::usage);
}

void Rule::refuse_block(int block) {
  throw Error(fmt::format("block {}: expected 0 to 15, a bit for each of four cells", block),
              ErrorKind::usage);
}

}  // namespace moorea
