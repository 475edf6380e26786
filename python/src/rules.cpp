// SPDX-License-Identifier: MIT
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.h"
#include "moorea/support/nine_cells.h"
#include "moorea/transitions.h"

namespace moorea::python {
namespace {

constexpr int max_neighbours = 8;

unsigned mask_of(const std::vector<int>& counts) {
  unsigned mask = 0;
  for (const int count : counts) {
    if (count < 0 || count > max_neighbours) {
      throw Error("a rule with " + std::to_string(count) + " neighbours: expected 0 to 8", ErrorKind::usage);
    }
    mask |= 1u << count;
  }
  return mask;
}

nb::tuple counts_of(unsigned mask) {
  nb::list counts;
  for (int count = 0; count <= max_neighbours; ++count)
    if ((mask >> count & 1) != 0) counts.append(count);
  return nb::tuple(counts);
}

Rule rule_of(const nb::callable& next) {
  unsigned masks[2] = {};
  for (const bool alive : {false, true}) {
    for (int neighbours = 0; neighbours <= max_neighbours; ++neighbours) {
      const int truth = PyObject_IsTrue(next(alive, neighbours).ptr());
      if (truth < 0) throw nb::python_error();
      masks[alive ? 1 : 0] |= static_cast<unsigned>(truth) << neighbours;
    }
  }
  return {masks[0], masks[1]};
}

constexpr const char* rule_doc =
    R"(Rule of two states or more: life-like, of nine cells, Generations, Larger than Life, blocks, or by transitions.

A rule of Generations has states 0 (dead), 1 (alive) and 2 to ``states - 1`` (dying): a live
cell that does not survive goes to state 2, a dying one to the next state, and from the last
one to 0. Births and survivals are those of `two_state`, and count cells of state 1. All other
rules of more states, such as ``"WireWorld"``, are given by their transitions.

Parameters
----------
text : str
    ``"B3/S23"``, ``"b3s23"``, ``"23/3"`` (survival/birth), ``"T46789"`` (totals of the
    3 x 3 block), ``"B2-a/S12"`` (Hensel's notation), ``"B2/S013V"`` (von Neumann
    neighbourhood), ``"B2/S34H"`` (hexagonal), ``"MAP..."`` (base64), ``"345/2/4"``
    (Generations: survival/birth/states) or a name such as ``"HighLife"``; case, except in
    MAP, and blanks do not matter. Any other name is that of a file ``NAME.rule`` in one of
    `rule_folders`, unless it is the path of such a file itself.

Raises
------
UsageError
    For any other text (also a `ValueError`).

Examples
--------
>>> Rule("Life")
Rule('B3/S23')
>>> Rule.from_counts(birth=[3], survival=[2, 3]) == Rule("B3/S23")
True
>>> Rule("Brian's Brain").states
3)";

// Throws Error (usage) for a rule without births and survivals.
const Rule& with_births(const Rule& rule) {
  if (rule.transitions() != nullptr)
    throw Error("rule " + rule.str() + " is given by its transitions: it has no births and survivals",
                ErrorKind::usage);
  if (rule.blocks() != nullptr)
    throw Error("rule " + rule.str() + " replaces blocks: it has no births and survivals", ErrorKind::usage);
  return rule;
}

// The rule, if it counts. Throws Error (usage).
const Rule& counting(const Rule& rule) {
  if (!with_births(rule).two_state().is_life_like())
    throw Error("rule " + rule.str() + " does not count neighbours: it is not life-like", ErrorKind::usage);
  return rule;
}

Rule with_history(const Rule& rule) {
  require_nine_cells(rule, "a rule with history");
  return rule.with_history();
}

Rule with_states(const Rule& rule, int states) {
  if (states < 2 || states > Rule::max_states) {
    throw Error("a rule of " + std::to_string(states) + " states: expected 2 to 256", ErrorKind::usage);
  }
  return with_births(rule).with_states(states);
}

constexpr const char* function_doc = R"(Rule of a function.

Parameters
----------
function : callable
    ``function(alive, neighbours)`` with a bool and the number of live neighbours, 0 to 8,
    returns whether the cell is alive in the next generation. It is called once for each
    of the 18 cases; exceptions are passed on.

Returns
-------
Rule

Examples
--------
>>> Rule.from_function(lambda alive, n: n == 3 or alive and n == 2)
Rule('B3/S23'))";

}  // namespace

void bind_rules(nb::module_& module) {
  nb::class_<Rule>(module, "Rule", rule_doc)
      .def(
          "__init__", [](Rule* self, const std::string& text) { new (self) Rule(Rule::parse(text)); },
          nb::arg("text"))
      .def_static(
          "from_counts",
          [](const std::vector<int>& birth, const std::vector<int>& survival) {
            return Rule(mask_of(birth), mask_of(survival));
          },
          nb::arg("birth"), nb::arg("survival"),
          "Rule of the numbers of live neighbours, 0 to 8, of a birth and of survival.\n\nRaises "
          "`UsageError` "
          "for other numbers.")
      .def_static(
          "from_function", &rule_of, nb::arg("function"),
          nb::sig("def from_function(function: collections.abc.Callable[[bool, int], object]) -> Rule"),
          function_doc)
      .def_prop_ro(
          "birth", [](const Rule& rule) { return counts_of(counting(rule).birth()); },
          nb::sig("def birth(self) -> tuple[int, ...]"),
          "Numbers of live neighbours with which a dead cell becomes alive, ascending. Raises\n`UsageError` "
          "if the rule does not count neighbours.")
      .def_prop_ro(
          "survival", [](const Rule& rule) { return counts_of(counting(rule).survival()); },
          nb::sig("def survival(self) -> tuple[int, ...]"),
          "Numbers of live neighbours with which a live cell stays alive, ascending. Raises\n`UsageError` if "
          "the rule does not count neighbours.")
      .def_prop_ro(
          "is_life_like", &Rule::is_life_like,
          "Whether the rule has two states and counts the live neighbours. `identify` needs such a rule.")
      .def_prop_ro("states", &Rule::states, "Number of states of a cell, 2 to 256.")
      .def_prop_ro(
          "has_transitions", [](const Rule& rule) { return rule.transitions() != nullptr; },
          "Whether the rule has more than two states and is neither life-like nor one of Generations: it is "
          "given\nby its transitions, as in a file.")
      .def_prop_ro("reach", &Rule::reach,
                   "Columns and rows by which cells influence others in one generation: 1, or the radius of "
                   "Larger than\nLife.")
      .def_prop_ro(
          "has_blocks", [](const Rule& rule) { return rule.blocks() != nullptr; },
          "Whether the rule replaces blocks of 2 x 2 cells (Margolus neighbourhood).")
      .def_prop_ro("has_history", &Rule::has_history,
                   "Whether cells remember that they were alive, and have marks, as under LifeHistory.")
      .def_prop_ro(
          "colours",
          [](const Rule& rule) -> nb::object {
            const std::optional<Palette> colours = state_colours(rule);
            return colours ? colour_array(*colours, static_cast<std::size_t>(rule.states())) : nb::none();
          },
          nb::sig("def colours(self) -> numpy.typing.NDArray[numpy.uint8] | None"),
          "Red, green and blue of each state, shape (states, 3), 0 to 255: of WireWorld, rules with history "
          "and\nfiles with colours. None for other rules.")
      .def("with_history", &with_history,
           "Rule with these births and survivals whose cells remember that they were alive: LifeHistory of "
           "Life.\nRaises `UsageError` for rules that have more than two states or are not of nine cells.")
      .def("inverse", &Rule::inverse,
           "Block rule that leads back to the generation before; None if none does, and of all other rules.\n"
           "`Simulation.step_back` uses it.")
      .def("with_states", &with_states, nb::arg("states"),
           "Rule of Generations with these births and survivals and so many states of a cell, 3 to 256;\n"
           "with 2, that of two states. Raises `UsageError` for other numbers and rules by transitions.")
      .def(
          "two_state", [](const Rule& rule) { return with_births(rule).two_state(); },
          "Births and survivals of a rule of Generations as a rule of two states; rules of two states "
          "themselves.\nRaises `UsageError` for rules by transitions.")
      .def_prop_ro(
          "name", [](const Rule& rule) { return std::string(rule.name()); },
          "First name of the rule, such as ``\"Life\"``; empty for rules without a name.")
      .def(
          "next",
          [](const Rule& rule, bool alive, int neighbours) {
            (void)mask_of({neighbours});
            return counting(rule).next(alive, neighbours);
          },
          nb::arg("alive"), nb::arg("neighbours"),
          "Whether a cell with this number of live neighbours, 0 to 8, is alive in the next "
          "generation.\nOf a rule of Generations, a dying cell is not. Raises `UsageError` if the rule does "
          "not count\nneighbours.")
      .def_static(
          "define",
          [](const std::string& text, const std::string& source) { return Rule::define(text, source); },
          nb::arg("text"), nb::arg("source") = "text",
          nb::sig("def define(text: str, source: str = 'text') -> Rule"),
          R"(Rule of the text of an @RULE file.

From now on its name means this rule, unless it is a notation or a name of Moorea's own, which
is returned then.

Parameters
----------
text : str
    From ``@RULE`` on.
source : str
    Name of the text in errors.

Raises
------
Error
    With the line of a mistake.)")
      .def_prop_ro(
          "definition", &Rule::definition,
          "Text of an @RULE file of up to 1 MB with the transitions of the rule. Empty for rules with "
          "a notation,\nthose that need no file, those of Golly's folder, and larger ones.")
      .def("__str__", &Rule::str)
      .def("__repr__", [](const Rule& rule) { return "Rule('" + rule.str() + "')"; })
      .def("__hash__", [](const Rule& rule) { return std::hash<std::string>()(rule.str()); })
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def(
          "__reduce__",
          [](const Rule& rule) {
            const std::string definition = rule.definition();
            if (definition.empty()) return nb::make_tuple(nb::type<Rule>(), nb::make_tuple(rule.str()));
            return nb::make_tuple(nb::module_::import_("moorea._states").attr("rule_by_text"),
                                  nb::make_tuple(definition));
          },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  module.def(
      "rule_by_text", [](const std::string& text) { return Rule::by(Transitions::parse(text, "text")); },
      nb::arg("text"));
  module.def("rule_folders", &rule_folders,
             "Folders in which `Rule` looks for files NAME.rule, in this order: those of the environment "
             "variable\nMOOREA_RULES, moorea/rules in the user's folder for data, and Golly's.");
  module.def(
      "named_rules",
      [] {
        nb::dict names;
        for (const NamedRule& each : named_rules())
          names[nb::str(each.name.data(), each.name.size())] = each.rule;
        return names;
      },
      nb::sig("def named_rules() -> dict[str, Rule]"));
}

}  // namespace moorea::python
