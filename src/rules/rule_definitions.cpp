// SPDX-License-Identifier: MIT
#include "rules/rule_definitions.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "moorea/error.h"
#include "moorea/transitions.h"
#include "rules/rule_families.h"
#include "rules/transition_tree.h"
#include "rules/von_neumann.h"

namespace moorea {
namespace {

constexpr std::size_t max_definition = 1 << 20;  // bytes

// After A. K. Dewdney, "Computer Recreations", Scientific American, January 1990: electron heads become
// tails, tails wire, and wire next to one or two heads a head. In Golly's colours.
constexpr std::string_view wireworld = R"(@RULE WireWorld
@TABLE
n_states:4
neighborhood:Moore
symmetries:permute
var a={0,1,2,3}
var b={a}
var c={a}
var d={a}
var e={a}
var f={a}
var g={a}
var h={a}
var i={0,2,3}
var j={i}
var k={i}
var l={i}
var m={i}
var n={i}
var o={i}
1,a,b,c,d,e,f,g,h,2
2,a,b,c,d,e,f,g,h,3
3,1,i,j,k,l,m,n,o,1
3,1,1,i,j,k,l,m,n,1
@COLORS
0 48 48 48
1 0 128 255
2 255 255 255
3 255 128 0
)";

// The births of a rule of wires, which count: survivals are such that the centre counts as a neighbour, which
// is simpler logic, and without consequences where the centre is not live. Empty for other rules.
std::optional<Rule> births_of_wires(const Transitions& transitions) {
  if (transitions.states() != 4) return {};
  std::array<std::optional<bool>, 9> births;
  for (unsigned n = 0; n < 1u << 18; ++n) {
    Transitions::Neighbourhood cells;
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = n >> 2 * i & 3;
    const int state = cells[4], next = transitions.next(cells);
    if (state < 3) {
      if (next != (state == 0 ? 0 : state + 1)) return {};
      continue;
    }
    std::optional<bool>& birth = births[static_cast<std::size_t>(std::ranges::count(cells, 1))];
    if ((next != 1 && next != 3) || birth.value_or(next == 1) != (next == 1)) return {};
    birth = next == 1;
  }
  unsigned mask = 0;
  for (std::size_t i = 0; i < births.size(); ++i) mask |= *births[i] ? 1u << i : 0;
  if ((mask & 1) != 0) return {};
  return Rule(mask, mask >> 1);
}

// Transitions that rules point to, each once.
struct Kept {
  Transitions transitions;
  std::optional<DefinitionText> definition;  // of a file
};

struct KeptTransitions {
  std::mutex mutex;
  std::list<Kept> list;

  static KeptTransitions& all() {
    static KeptTransitions kept;
    return kept;
  }
};

// The text of a tree. Nodes are numbered such that those below come first.
class WrittenTree {
 public:
  explicit WrittenTree(const Transitions& transitions)
      : tree_(transitions.tree()),
        inputs_(tree_.corners ? 9 : 5),
        numbers_(static_cast<std::size_t>(inputs_)) {
    number(tree_.root, 0);
    text_ = fmt::format("@RULE {}\n\n@TREE\n\nnum_states={}\nnum_neighbors={}\nnum_nodes={}\n",
                        transitions.name(), tree_.states, inputs_ - 1, nodes_) +
            text_ + colours_text(transitions.colours());
  }

  std::string take() { return is_long() ? std::string() : std::move(text_); }

 private:
  bool is_long() const { return text_.size() > max_definition; }

  // Of a node that asks for the cell with this index.
  int number(std::int32_t node, int input) {
    std::map<std::int32_t, int>& known = numbers_[static_cast<std::size_t>(input)];
    if (const auto found = known.find(node); found != known.end()) return found->second;
    if (is_long()) return 0;
    std::string line = fmt::format("{}", inputs_ - input);
    const std::size_t first = static_cast<std::size_t>(node) * static_cast<std::size_t>(tree_.states);
    for (std::size_t state = 0; state < static_cast<std::size_t>(tree_.states); ++state) {
      const std::int32_t next = tree_.nodes[first + state];
      line += fmt::format(" {}", input + 1 == inputs_ ? next : number(next, input + 1));
    }
    text_ += line + "\n";
    return known.emplace(node, nodes_++).first->second;
  }

  const Transitions::Tree& tree_;
  int inputs_;
  std::vector<std::map<std::int32_t, int>> numbers_;
  int nodes_ = 0;
  std::string text_;
};

// Rules whose files were given by their paths or texts, by name.
class GivenRules {
 public:
  static GivenRules& all() {
    static GivenRules given;
    return given;
  }

  void add(const std::string& name, const Rule& rule) {
    const std::lock_guard lock(mutex_);
    rules_.insert_or_assign(name, rule);
  }

  std::optional<Rule> find(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    const auto found = rules_.find(name);
    return found == rules_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Rule, std::less<>> rules_;
};

// The rule of this name that has a notation or no need of a file.
std::optional<Rule> own_meaning(const std::string& name) {
  if (const std::optional<Rule> own = built_in_rule(name)) return own;
  if (GivenRules::all().find(name)) return {};  // define() has looked, or a path was given
  try {
    const Rule known = Rule::parse(name);
    if (known.transitions() == nullptr || built_in_rule(name) == known) return known;
  } catch (const Error&) {
    // Nothing is called so
  }
  return {};
}

}  // namespace

std::optional<Rule> built_in_rule(std::string_view name) {
  const std::string plain = plain_name(name);
  if (plain == "wireworld") {
    static const Rule rule = Rule::by(Transitions::parse(wireworld, "WireWorld"));
    return rule;
  }
  const std::optional<VonNeumannRule> which = von_neumann_rule_of(plain);
  if (!which) return {};
  static std::mutex mutex;
  static std::map<VonNeumannRule, Rule> made;
  const std::lock_guard lock(mutex);
  const auto found = made.find(*which);
  if (found != made.end()) return found->second;
  return made.emplace(*which, Rule::by(von_neumann_transitions(*which))).first->second;
}

Rule Rule::by(Transitions transitions) {
  require_complete(transitions.tree(), transitions.name());
  if (transitions.states() == 2) {
    Table table{};
    for (unsigned n = 0; n < 512; ++n) {
      Transitions::Neighbourhood cells;
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = n >> (8 - i) & 1;
      table[n / 64] |= static_cast<std::uint64_t>(transitions.next(cells)) << n % 64;
    }
    return Rule(table);
  }
  KeptTransitions& all = KeptTransitions::all();
  const std::lock_guard lock(all.mutex);
  auto kept = std::ranges::find(all.list, transitions, &Kept::transitions);
  if (kept == all.list.end()) kept = all.list.insert(all.list.end(), Kept{std::move(transitions), {}});
  const Transitions& stays = kept->transitions;
  const std::optional<Rule> wires = births_of_wires(stays);
  Rule rule = wires ? *wires : Rule(stays.next({}) == 0 ? 0 : 1, 0);
  rule.wires_ = wires.has_value();
  rule.states_ = static_cast<std::uint16_t>(stays.states());
  rule.transitions_ = &stays;
  return rule;
}

Rule rule_with_text(Transitions transitions, DefinitionText definition) {
  if (definition.text.size() > max_definition) definition.text.clear();
  const Rule rule = Rule::by(std::move(transitions));
  KeptTransitions& all = KeptTransitions::all();
  const std::lock_guard lock(all.mutex);
  for (Kept& kept : all.list) {
    if (&kept.transitions != rule.transitions()) continue;
    if (!kept.definition || definition.is_everywhere) kept.definition = std::move(definition);
    break;
  }
  return rule;
}

Rule Rule::define(std::string_view text, std::string_view source) {
  Transitions transitions = Transitions::parse(text, source);
  const std::string name = transitions.name();
  // A notation, or a name of Moorea's own, keeps its meaning
  if (const std::optional<Rule> known = own_meaning(name)) return *known;
  const Rule rule = rule_with_text(std::move(transitions), {std::string(text)});
  GivenRules::all().add(name, rule);
  return rule;
}

std::string Rule::definition() const {
  if (transitions_ == nullptr || built_in_rule(transitions_->name()) == *this) return "";
  std::optional<DefinitionText> known;
  {
    KeptTransitions& all = KeptTransitions::all();
    const std::lock_guard lock(all.mutex);
    known = std::ranges::find_if(all.list, [&](const Kept& each) {
              return &each.transitions == transitions_;
            })->definition;
  }
  if (!known) return WrittenTree(*transitions_).take();
  // Golly's folder has it, unless another rule was given its name here
  return known->is_everywhere && given_rule(str()).value_or(*this) == *this ? std::string() : known->text;
}

std::string colours_text(std::span<const Colour> colours) {
  std::string text = colours.empty() ? "" : "\n@COLORS\n\n";
  for (std::size_t state = 0; state < colours.size(); ++state)
    text +=
        fmt::format("{} {} {} {}\n", state, colours[state].red, colours[state].green, colours[state].blue);
  return text;
}

std::optional<Rule> given_rule(std::string_view name) { return GivenRules::all().find(name); }

void give_rule(const Rule& rule) { GivenRules::all().add(rule.str(), rule); }

}  // namespace moorea
