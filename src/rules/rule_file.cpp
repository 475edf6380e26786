// SPDX-License-Identifier: MIT
// @RULE files as Golly's RuleLoader reads them (Golly Help, "Rule format"): a @TABLE with variables and
// symmetries, or a @TREE.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "moorea/error.h"
#include "moorea/transitions.h"
#include "rules/rule_lines.h"
#include "rules/state_colours.h"
#include "rules/transition_tree.h"

namespace moorea {
namespace {

// Cells of a @TABLE's neighbourhood besides the centre, in its order around the cell, as places in
// Transitions::Neighbourhood.
struct TableCells {
  const char* name;
  std::vector<std::size_t> around;
  bool corners;
};

const std::vector<TableCells>& table_cells() {
  static const std::vector<TableCells> all = {{"vonNeumann", {1, 5, 7, 3}, false},
                                              {"Moore", {1, 2, 5, 8, 7, 6, 3, 0}, true},
                                              {"hexagonal", {1, 5, 8, 7, 3, 0}, true},
                                              {"oneDimensional", {3, 5}, false}};
  return all;
}

using Sets = std::vector<std::uint32_t>;

// The @TABLE of a file.
class Table {
 public:
  explicit Table(RuleLines& lines) : lines_(lines) {}

  // False if the line begins another section.
  bool read(std::string_view line) {
    if (line.starts_with('@')) return false;
    if (line.empty()) return true;
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      describe(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    } else if (line.starts_with("var ") || line.starts_with("var\t")) {
      read_variable(line.substr(4));
    } else {
      read_transition(line);
    }
    return true;
  }

  Transitions::Tree tree() {
    if (!list_) begin_list();
    Transitions::Tree tree;
    tree.states = *states_;
    tree.corners = cells_->corners;
    tree.nodes = list_->nodes(tree.root);
    if (tree.nodes.empty()) lines_.fail("the table is too large as a decision tree");
    return tree;
  }

 private:
  using States = std::vector<std::size_t>;  // in the order of a variable's line

  void describe(std::string_view key, std::string_view value) {
    if (list_) lines_.fail(fmt::format("{} follows a variable or a transition: it belongs before", key));
    if (key == "n_states") {
      states_ = number_in(value);
      if (!states_ || *states_ < 2 || *states_ > Rule::max_states)
        lines_.fail(fmt::format("expected n_states:2 to {}", Rule::max_states));
    } else if (key == "neighborhood" || key == "neighbourhood") {
      const auto found = std::ranges::find_if(
          table_cells(), [&](const TableCells& cells) { return std::string_view(cells.name) == value; });
      if (found == table_cells().end())
        lines_.fail("expected neighborhood:vonNeumann, Moore, hexagonal or oneDimensional");
      cells_ = &*found;
    } else if (key == "symmetries") {
      symmetries_ = std::string(value);
    } else {
      lines_.fail("expected n_states, neighborhood, symmetries, var or a transition");
    }
  }

  void begin_list() {
    if (!states_ || cells_ == nullptr || symmetries_.empty())
      lines_.fail("n_states, neighborhood and symmetries belong before variables and transitions");
    list_.emplace(*states_, cells_->corners);
    make_symmetries();
  }

  // Permutations of the cells around, which are a ring: turns of every so many cells, and reflections.
  void make_symmetries() {
    const std::size_t count = cells_->around.size();
    std::size_t turn = count;  // none
    bool reflects = false;
    std::string_view name = symmetries_;
    permutes_ = name == "permute";
    if (name == "reflect_horizontal" || name == "reflect") {
      reflects = true;
    } else if (name.starts_with("rotate")) {
      name.remove_prefix(6);
      if (name.ends_with("reflect")) reflects = true, name.remove_suffix(7);
      const std::optional<int> turns = number_in(name);
      if (turns && *turns > 1 && count % static_cast<std::size_t>(*turns) == 0)
        turn = count / static_cast<std::size_t>(*turns);
    }
    const bool is_rotation = turn < count;
    if (!permutes_ && name != "none" && !is_rotation && !(reflects && !symmetries_.starts_with("rotate")))
      lines_.fail(
          fmt::format("a {} neighborhood has no symmetries {}: expected none, permute, "
                      "reflect_horizontal, or rotate and a number such as rotate4 or rotate4reflect",
                      cells_->name, symmetries_));
    for (std::size_t shift = 0; shift < count; shift += turn) {
      for (const bool mirror : {false, true}) {
        if (mirror && !reflects) continue;
        std::vector<std::size_t> order(count);
        for (std::size_t i = 0; i < count; ++i) order[i] = ((mirror ? count - i : i) + shift) % count;
        orders_.push_back(std::move(order));
      }
    }
    if (reflects && count == 2) orders_ = {{0, 1}, {1, 0}};
  }

  // A variable's states, or one.
  States states_of(std::string_view word) const {
    if (const auto variable = variables_.find(word); variable != variables_.end()) return variable->second;
    const std::optional<int> state = number_in(word);
    if (!state) lines_.fail(fmt::format("\"{}\" is neither a variable nor a state", word));
    if (*state < 0 || *state >= *states_)
      lines_.fail(fmt::format("state {} of a rule with states 0 to {}", *state, *states_ - 1));
    return {static_cast<std::size_t>(*state)};
  }

  void read_variable(std::string_view text) {
    if (!list_) begin_list();
    const std::size_t equals = text.find('=');
    const std::string_view name = trimmed(text.substr(0, equals));
    if (equals == std::string_view::npos || name.empty() || number_in(name))
      lines_.fail("expected a variable and its states, as in var a={1,2}");
    States states;
    for (const std::string_view word : words_of(text.substr(equals + 1))) {
      for (const std::size_t state : states_of(word))
        if (std::ranges::find(states, state) == states.end()) states.push_back(state);
    }
    if (states.empty()) lines_.fail("a variable without states");
    variables_.insert_or_assign(std::string(name), std::move(states));
  }

  // Centre, the cells around, result
  void read_transition(std::string_view line) {
    if (!list_) begin_list();
    std::vector<std::string_view> words = words_of(line);
    if (words.size() == 1) {
      words.clear();
      for (std::size_t i = 0; i < line.size(); ++i) words.push_back(line.substr(i, 1));
    }
    const std::size_t expected = cells_->around.size() + 2;
    if (words.size() != expected)
      lines_.fail(
          fmt::format("{} states of a transition: expected {}, of the cell, of the {} around it and "
                      "the next one",
                      words.size(), expected, expected - 2));
    std::vector<StateSet> sets(words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
      for (const std::size_t state : states_of(words[i])) sets[i].set(state);
    // Variables that occur more than once have one state everywhere
    std::vector<std::vector<std::size_t>> bound;
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (variables_.find(words[i]) == variables_.end() || !seen.insert(words[i]).second) continue;
      std::vector<std::size_t> places;
      for (std::size_t k = i; k < words.size(); ++k)
        if (words[k] == words[i]) places.push_back(k);
      if (places.size() > 1) bound.push_back(std::move(places));
    }
    std::ranges::sort(bound, std::greater(), [&](const auto& places) { return words[places.front()]; });
    add_bound(sets, words, bound, 0);
  }

  // One state after the other, in the order of the variable's line. Where a transition fits in several ways
  // the first one decides: as in Golly, the variable whose name is the first one in the alphabet changes
  // fastest.
  void add_bound(std::vector<StateSet>& sets, const std::vector<std::string_view>& words,
                 const std::vector<std::vector<std::size_t>>& bound, std::size_t which) {
    if (which == bound.size()) return add(sets);
    const std::size_t first = bound[which].front();
    const StateSet choices = sets[first];
    for (const std::size_t state : variables_.find(words[first])->second) {
      for (const std::size_t place : bound[which]) sets[place] = StateSet().set(state);
      add_bound(sets, words, bound, which + 1);
    }
    for (const std::size_t place : bound[which]) sets[place] = choices;
  }

  void add(const std::vector<StateSet>& sets) {
    if (sets.back().count() != 1)
      lines_.fail("the next state is a variable that occurs nowhere else: its value is unknown");
    int result = 0;
    while (!sets.back().test(static_cast<std::size_t>(result))) ++result;
    Sets around;
    for (std::size_t i = 1; i + 1 < sets.size(); ++i) around.push_back(list_->set(sets[i]));
    const std::uint32_t centre = list_->set(sets.front());
    if (permutes_) {
      std::ranges::sort(around);
      do {
        add(centre, around, result);
      } while (std::ranges::next_permutation(around).found);
      return;
    }
    std::set<Sets> done;
    for (const std::vector<std::size_t>& order : orders_) {
      Sets turned;
      for (const std::size_t from : order) turned.push_back(around[from]);
      if (done.insert(turned).second) add(centre, turned, result);
    }
  }

  void add(std::uint32_t centre, const Sets& around, int result) {
    std::array<std::uint32_t, 9> cells;
    StateSet any;
    for (int state = 0; state < *states_; ++state) any.set(static_cast<std::size_t>(state));
    cells.fill(list_->set(any));
    cells[4] = centre;
    for (std::size_t i = 0; i < around.size(); ++i) cells[cells_->around[i]] = around[i];
    Sets inputs;
    const auto take = [&](const auto& order) {
      for (const int place : order) inputs.push_back(cells[static_cast<std::size_t>(place)]);
    };
    if (cells_->corners)
      take(Transitions::order_with_corners);
    else
      take(Transitions::order_without);
    if (!list_->add(inputs, result)) lines_.fail("the table has too many transitions");
  }

  RuleLines& lines_;
  std::optional<int> states_;
  const TableCells* cells_ = nullptr;
  std::string symmetries_;
  bool permutes_ = false;
  std::vector<std::vector<std::size_t>> orders_;
  std::map<std::string, States, std::less<>> variables_;
  std::optional<TransitionList> list_;
};

// The @TREE of a file.
class TreeText {
 public:
  explicit TreeText(RuleLines& lines) : lines_(lines) {}

  bool read(std::string_view line) {
    if (line.starts_with('@')) return false;
    if (line.empty()) return true;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      read_node(line);
      return true;
    }
    const std::string_view key = trimmed(line.substr(0, equals));
    const std::optional<int> value = number_in(trimmed(line.substr(equals + 1)));
    if (!value || !depths_.empty()) lines_.fail("expected a number after =, before the first node");
    if (key == "num_states" && *value >= 2 && *value <= Rule::max_states) {
      tree_.states = *value;
      has_states_ = true;
    } else if (key == "num_neighbors" && (*value == 4 || *value == 8)) {
      tree_.corners = *value == 8;
      inputs_ = *value + 1;
    } else if (key != "num_nodes") {
      lines_.fail(
          fmt::format("expected num_states=2 to {}, num_neighbors=4 or 8, or num_nodes", Rule::max_states));
    }
    return true;
  }

  Transitions::Tree tree() {
    if (depths_.empty() || depths_.back() != inputs_)
      lines_.fail("the last node is not one of all cells: the tree has no root");
    tree_.root = static_cast<std::int32_t>(depths_.size()) - 1;
    return std::move(tree_);
  }

 private:
  void read_node(std::string_view line) {
    if (!has_states_ || inputs_ == 0) lines_.fail("num_states and num_neighbors belong before the nodes");
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() != static_cast<std::size_t>(tree_.states) + 1)
      lines_.fail(
          fmt::format("{} numbers of a node: expected its depth and {} entries", words.size(), tree_.states));
    const std::optional<int> depth = number_in(words[0]);
    if (!depth || *depth < 1 || *depth > inputs_)
      lines_.fail(fmt::format("expected a depth 1 to {}", inputs_));
    if (tree_.nodes.size() + words.size() > max_tree_entries) lines_.fail("the tree is too large");
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::optional<int> entry = number_in(words[i]);
      const bool is_state = entry && *depth == 1 && *entry >= 0 && *entry < tree_.states;
      const bool is_node = entry && *depth > 1 && *entry >= 0 && *entry < std::ssize(depths_) &&
                           depths_[static_cast<std::size_t>(*entry)] == *depth - 1;
      if (!is_state && !is_node)
        lines_.fail(fmt::format("entry {} is {}: expected {}", i, words[i],
                                *depth == 1 ? "a state" : "an earlier node that is one less deep"));
      tree_.nodes.push_back(*entry);
    }
    depths_.push_back(*depth);
  }

  RuleLines& lines_;
  Transitions::Tree tree_;
  bool has_states_ = false;
  int inputs_ = 0;
  std::vector<int> depths_;
};

}  // namespace

Transitions Transitions::parse(std::string_view text, std::string_view path) {
  RuleLines lines(text, path);
  std::string_view line;
  if (!lines.next(line) || !line.starts_with("@RULE ") || trimmed(line.substr(6)).empty())
    lines.fail("expected @RULE and the name of the rule");
  std::string name(trimmed(line.substr(6)));
  std::optional<Tree> tree;
  std::vector<std::string> ignored;
  StateColours colours;
  const auto read_section = [&](auto section) {
    bool more = false;
    while ((more = lines.next(line)) && section.read(line)) {
    }
    tree = section.tree();
    return more;
  };
  for (bool more = lines.next(line); more;) {
    if (line == "@TABLE" && !tree) {
      more = read_section(Table(lines));
    } else if (line == "@TREE" && !tree) {
      more = read_section(TreeText(lines));
    } else if (line == "@COLORS") {
      while ((more = lines.next(line)) && !line.starts_with('@')) colours.read(line, lines);
    } else {
      if (line.starts_with('@')) ignored.emplace_back(line.substr(1));
      more = lines.next(line);
    }
  }
  if (!tree) lines.fail("expected a section @TABLE or @TREE: without one the file has no rule");
  std::vector<Colour> of_states = colours.of(tree->states);
  return {std::move(name), std::move(*tree), std::move(ignored), std::move(of_states)};
}

}  // namespace moorea
