// SPDX-License-Identifier: MIT
// Worlds under HashLife, whose numbers are Python's, of any size.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "module.h"

namespace moorea::python {
namespace {

using Tree = Exclusive<HashLife>;

// Throws what Python does for an object that is no whole number, and Error (usage) for one that is too large.
BigInteger big_integer(const nb::handle& number) {
  const nb::object whole = nb::steal(PyNumber_Index(number.ptr()));
  if (!whole.is_valid()) throw nb::python_error();
  return BigInteger::parse(nb::str(whole).c_str());
}

nb::int_ python_int(const BigInteger& number) {
  const nb::object made = nb::steal(PyLong_FromString(number.str().c_str(), nullptr, 10));
  if (!made.is_valid()) throw nb::python_error();
  return nb::borrow<nb::int_>(made);
}

BigBox big_box(const nb::tuple& box) {
  const BigInteger left = big_integer(box[0]), top = big_integer(box[1]);
  return {left, top, left + big_integer(box[2]) - 1, top + big_integer(box[3]) - 1};
}

HashLifeOptions options_of(std::uint64_t memory, int threads) { return {memory, threads}; }

Tree* tree_of(HashLife&& world) { return new Tree(std::move(world), "HashLife world", "cpu"); }

Tree* of_pattern(const Pattern& start, std::uint64_t memory, int threads) {
  const WithoutGil free;
  return tree_of(HashLife::of(start, start.world(), options_of(memory, threads)));
}

// With what else the file has.
nb::tuple read(const std::string& path, const std::string& rule, std::uint64_t memory, int threads) {
  Pattern facts;
  Tree* made = nullptr;
  {
    const WithoutGil free;
    const HashLifeOptions options = options_of(memory, threads);
    // A pipe can be read once
    std::error_code error;
    std::optional<HashLife> world;
    if (std::filesystem::is_regular_file(path, error))
      world = HashLife::read_tree(path, rule, options, &facts);
    if (!world) {
      std::optional<CellTree> far;
      facts = read_pattern(path, far, 0);
      const WorldSpec spec = rule.empty() ? facts.world() : WorldSpec::parse(rule);
      world = far ? HashLife::of(*far, spec, options) : HashLife::of(facts, spec, options);
      world->set_generation(facts.generation);
    }
    facts.cells = Grid();
    facts.states.reset();
    facts.header.reset();
    made = tree_of(std::move(*world));
  }
  return nb::make_tuple(nb::cast(made, nb::rv_policy::take_ownership), std::move(facts));
}

Tree* of_simulation(Engine& engine, std::uint64_t memory, int threads) {
  return engine.use([&](Simulation& simulation) {
    const HashLifeOptions options = options_of(memory, threads);
    const WorldSpec world = simulation.world();
    if (const char* refusal = HashLife::refusal(world)) throw Error(refusal, ErrorKind::unavailable);
    HashLife made = world.is_unbounded() ? HashLife::of(CellTree::of(simulation), world, options)
                                         : HashLife::of(simulation.snapshot(true), world, options);
    made.set_generation(simulation.generation());
    return tree_of(std::move(made));
  });
}

Engine* simulation_of(Tree& tree, const nb::dict& named) {
  const Options options = python::options_of(named);
  return tree.use([&](HashLife& world) {
    const KeepsCudaDevice keeps(options.device != "cpu");
    const std::optional<std::uint64_t> generation = world.generation().as_unsigned();
    if (!generation)
      throw Error("a simulation holds generations up to 2^64 - 1: set an earlier one", ErrorKind::usage);
    const std::optional<BigBox> live = world.bounding_box();
    Simulation made = !world.world().is_unbounded() ? Simulation::of(world.snapshot(true), options)
                      : live ? Simulation::of_tree(world.world().rule, world.crop(*live), options)
                             : Simulation::unbounded(world.world().rule, Pattern(), options);
    made.set_generation(*generation);
    return engine_of(std::move(made));
  });
}

Grid window(Tree& tree, const nb::tuple& box) {
  const BigBox asked = big_box(box);
  return tree.use([&](HashLife& world) {
    const std::optional<Box> near = asked.as_box();
    return near ? world.window(*near) : world.crop(asked).grid(asked);
  });
}

// Trees in macrocell and RLE files are not expanded.
void write(Tree& tree, const std::string& path, const std::string& format, const Pattern& facts) {
  tree.use([&](HashLife& world) { world.write(path, facts, format); });
}

nb::object bounding_box(Tree& tree) {
  const std::optional<BigBox> box = tree.use([](HashLife& world) { return world.bounding_box(); });
  if (!box) return nb::none();
  return nb::make_tuple(python_int(box->left), python_int(box->top), python_int(box->width()),
                        python_int(box->height()));
}

nb::tuple facts(Tree& tree) {
  const TreeFacts found = tree.use([](HashLife& world) { return world.facts(); });
  return nb::make_tuple(found.nodes, found.bytes, found.level);
}

}  // namespace

void bind_hashlife(nb::module_& module) {
  nb::class_<Tree>(module, "Tree")
      .def_static("of_pattern", &of_pattern, nb::arg("start"), nb::arg("memory"), nb::arg("threads"))
      .def_static("of_simulation", &of_simulation, nb::arg("engine"), nb::arg("memory"), nb::arg("threads"))
      .def_static(
          "read", &read, nb::arg("path"), nb::arg("rule"), nb::arg("memory"), nb::arg("threads"),
          nb::sig("def read(path: str, rule: str, memory: int, threads: int) -> tuple[Tree, PatternFile]"))
      .def("simulation", &simulation_of, nb::arg("options"),
           nb::sig("def simulation(self, options: dict[str, object]) -> Engine"))
      .def(
          "step",
          [](Tree& tree, const nb::object& generations) {
            const BigInteger count = big_integer(generations);
            tree.use([&](HashLife& world) { world.step(count, no_signal); });
          },
          nb::arg("generations"), nb::sig("def step(self, generations: int) -> None"))
      .def(
          "set_generation",
          [](Tree& tree, const nb::object& generation) {
            const BigInteger number = big_integer(generation);
            tree.use([&](HashLife& world) { world.set_generation(number); });
          },
          nb::arg("generation"), nb::sig("def set_generation(self, generation: int) -> None"))
      .def(
          "generation",
          [](Tree& tree) { return python_int(tree.use([](HashLife& world) { return world.generation(); })); })
      .def(
          "population",
          [](Tree& tree) { return python_int(tree.use([](HashLife& world) { return world.population(); })); })
      .def("hash", [](Tree& tree) { return tree.use([](HashLife& world) { return world.hash(); }); })
      .def("background",
           [](Tree& tree) { return tree.use([](HashLife& world) { return world.background(); }); })
      .def("bounding_box", &bounding_box,
           nb::sig("def bounding_box(self) -> tuple[int, int, int, int] | None"))
      .def("window", &window, nb::arg("box"),
           nb::sig("def window(self, box: tuple[int, int, int, int]) -> PackedGrid"))
      .def(
          "paste",
          [](Tree& tree, Grid& cells, std::int64_t x, std::int64_t y, const std::string& mode) {
            clear_padding(cells);
            tree.use([&](HashLife& world) { world.paste(cells, {x, y}, parse_paste_mode(mode)); });
          },
          nb::arg("cells"), nb::arg("x"), nb::arg("y"), nb::arg("mode"))
      .def("snapshot",
           [](Tree& tree, bool whole) {
             return tree.use([&](HashLife& world) { return world.snapshot(whole); });
           })
      .def("write", &write, nb::arg("path"), nb::arg("format"), nb::arg("facts"))
      .def("world", [](Tree& tree) { return tree.use([](HashLife& world) { return world.world().str(); }); })
      .def("facts", &facts, nb::sig("def facts(self) -> tuple[int, int, int]"));
  module.def(
      "read_simulation",
      [](const std::string& path, const nb::dict& named) {
        const Options options = python::options_of(named);
        const WithoutGil free;
        const KeepsCudaDevice keeps(options.device != "cpu");
        std::optional<CellTree> far;
        const Pattern pattern = read_pattern(path, far);
        if (!far) return engine_of(Simulation::of(pattern, options));
        Simulation world = Simulation::of_tree(pattern.world().rule, *far, options);
        world.set_generation(pattern.generation);
        return engine_of(std::move(world));
      },
      nb::arg("path"), nb::arg("options"),
      nb::sig("def read_simulation(path: str, options: dict[str, object]) -> Engine"));
}

}  // namespace moorea::python
