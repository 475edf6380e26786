// SPDX-License-Identifier: MIT
// Simulations. All work runs without the GIL; observers and iterators are Python code around step().
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include "module.h"

namespace moorea::python {

UseFlag::UseFlag(const char* what, std::string device)
    : what_(what), device_(std::move(device)), process_(getpid()) {}

UseFlag::Use::Use(UseFlag& flag) : flag_(flag) {
  if (flag.is_on_gpu() && flag.process_ != getpid()) {
    throw Error("the " + std::string(flag.what_) + " on " + flag.device_ +
                " belongs to the process that created it, not to its fork; use the start method \"spawn\" of "
                "multiprocessing");
  }
  if (flag.busy_.test_and_set()) throw Busy{flag.what_};
}

bool no_signal() {
  const WithGil held;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  return true;
}

Options options_of(const nb::dict& named) {
  Options options;
  for (const auto& [key, value] : named) {
    const auto name = nb::cast<std::string>(key);
    if (name == "kernel") options.kernel = given<std::string>(named, "kernel");
    if (name == "device") options.device = given<std::string>(named, "device");
    if (name == "threads") options.threads = given<int>(named, "threads");
    if (name == "memory") options.memory = given<std::uint64_t>(named, "memory");
    if (name == "shares") options.shares = given<std::vector<double>>(named, "shares");
    if (name == "generations") options.generations = given<std::uint64_t>(named, "generations");
    if (name == "use_tuning") options.use_tuning = given<bool>(named, "use_tuning");
    if (name == "generations_a_pass") options.generations_a_pass = given<int>(named, "generations_a_pass");
    if (name == "host_share") {
      const auto share = given<double>(named, "host_share");
      options.out_of_core = OutOfCore{.host_share = share > 0 ? std::optional(share) : std::nullopt};
    }
  }
  return options;
}

Engine* engine_of(Simulation&& simulation) {
  std::string device = simulation.device();
  return new Engine(std::move(simulation), "simulation", std::move(device));
}

namespace {

Engine* of_world(const Rule& rule, const std::string& topology, Grid& cells, const nb::dict& named) {
  clear_padding(cells);
  const Options options = options_of(named);
  const WithoutGil free;
  const KeepsCudaDevice keeps(options.device != "cpu");
  return engine_of(Simulation(rule, parse_topology(topology), cells, options));
}

// `is_array`: cells that do not fit are a wrong argument, not the contents of a file.
Engine* of_mesh(const Rule& rule, const std::string& mesh, const std::string& adjacency, const Pattern& start,
                bool is_array, const nb::dict& named) {
  const Options options = options_of(named);
  const WithoutGil free;
  const KeepsCudaDevice keeps(options.device != "cpu");
  const WorldSpec world = WorldSpec::on(rule, Mesh::make(mesh), parse_adjacency(adjacency));
  const std::optional<Box> live = start.cells.bounding_box();
  if (is_array && live && (live->width > world.width || live->height > world.height))
    throw Error("live cells in " + std::to_string(live->height) + " rows and " + std::to_string(live->width) +
                    " columns do not fit into those of " + mesh + ", " + std::to_string(world.height) +
                    " rows and " + std::to_string(world.width) + " columns",
                ErrorKind::usage);
  return engine_of(Simulation::of(start, world, options));
}

Engine* unbounded(const Rule& rule, const Pattern& start, const nb::dict& named) {
  const Options options = options_of(named);
  const WithoutGil free;
  const KeepsCudaDevice keeps(options.device != "cpu");
  return engine_of(Simulation::unbounded(rule, start, options));
}

Engine* of_pattern(const Pattern& start, const nb::dict& named) {
  const Options options = options_of(named);
  const WithoutGil free;
  const KeepsCudaDevice keeps(options.device != "cpu");
  return engine_of(Simulation::of(start, options));
}

nb::object activity(Engine& engine, std::uint64_t generations) {
  std::vector<std::uint64_t> numbers;
  engine.use([&](Simulation& simulation) {
    for (const Activity& each : simulation.step_comparing(generations, no_signal)) {
      numbers.push_back(each.population);
      numbers.push_back(each.changed);
    }
  });
  const std::size_t rows = numbers.size() / 2;
  return array_of(std::move(numbers), {rows, 2});
}

nb::object populations(Engine& engine, std::uint64_t generations) {
  std::vector<std::uint64_t> numbers =
      engine.use([&](Simulation& simulation) { return simulation.step_counting(generations, no_signal); });
  const std::size_t number = numbers.size();
  return array_of(std::move(numbers), {number});
}

nb::tuple summary(Engine& engine) {
  const WorldSummary facts = engine.use([](Simulation& simulation) { return simulation.summary(); });
  return nb::make_tuple(facts.population, facts.hash, tuple_of(facts.bounding_box));
}

// Rows at a time, so that a large rectangle needs little memory in addition to the array.
void read_bytes(Engine& engine, std::int64_t x, std::int64_t y, const WritableBytes& to) {
  engine.use([&](Simulation& simulation) {
    const ByteView view = view_of(to);
    constexpr std::int64_t cells_at_once = 1 << 26;
    const std::int64_t rows =
        std::max<std::int64_t>(cells_at_once / std::max<std::int64_t>(view.width, 1), 1);
    for (std::int64_t first = 0; first < view.height; first += rows) {
      ByteView part = view;
      part.cells += first * view.row_stride;
      part.height = std::min(rows, view.height - first);
      unpack_cells(simulation.window({x, y + first, part.width, part.height}), part);
    }
  });
}

void read_words(Engine& engine, std::int64_t x, std::int64_t y, std::int64_t width,
                const nb::ndarray<std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& to) {
  engine.use([&](Simulation& simulation) {
    const auto height = static_cast<std::int64_t>(to.shape(0));
    simulation.read({x, y, width, height},
                    {to.data(), static_cast<std::int64_t>(to.shape(1)), width, height});
  });
}

nb::list parts(Engine& engine) {
  nb::list rows;
  for (const PartState& part : engine.use([](Simulation& simulation) { return simulation.parts(); })) {
    nb::dict row;
    row["device"] = part.device;
    row["kernel"] = part.kernel;
    row["threads"] = part.threads;
    row["first_row"] = part.y;
    row["rows"] = part.rows;
    row["busy_seconds"] = part.busy_seconds;
    row["idle_seconds"] = part.idle_seconds;
    rows.append(row);
  }
  return rows;
}

// A method that returns what the simulation's function does.
template <auto function>
auto query() {
  return [](Engine& engine) {
    return engine.use([](Simulation& simulation) { return (simulation.*function)(); });
  };
}

}  // namespace

void bind_engine(nb::module_& module) {
  nb::class_<Engine> engine(module, "Engine");
  engine
      .def_static("of_world", &of_world, nb::arg("rule"), nb::arg("topology"), nb::arg("cells"),
                  nb::arg("options"),
                  nb::sig("def of_world(rule: Rule, topology: str, cells: PackedGrid, options: dict[str, "
                          "object]) -> Engine"))
      .def_static("of_mesh", &of_mesh, nb::arg("rule"), nb::arg("mesh"), nb::arg("adjacency"),
                  nb::arg("start"), nb::arg("is_array"), nb::arg("options"),
                  nb::sig("def of_mesh(rule: Rule, mesh: str, adjacency: str, start: PatternFile, is_array: "
                          "bool, options: dict[str, object]) -> Engine"))
      .def_static(
          "unbounded", &unbounded, nb::arg("rule"), nb::arg("start"), nb::arg("options"),
          nb::sig("def unbounded(rule: Rule, start: PatternFile, options: dict[str, object]) -> Engine"))
      .def_static("of_pattern", &of_pattern, nb::arg("start"), nb::arg("options"),
                  nb::sig("def of_pattern(start: PatternFile, options: dict[str, object]) -> Engine"))
      .def(
          "step",
          [](Engine& engine, std::uint64_t generations) {
            return engine.use(
                [&](Simulation& simulation) { return simulation.step(generations, no_signal); });
          },
          nb::arg("generations"))
      .def(
          "step_back",
          [](Engine& engine, std::uint64_t generations) {
            return engine.use(
                [&](Simulation& simulation) { return simulation.step_back(generations, no_signal); });
          },
          nb::arg("generations"))
      .def("populations", &populations, nb::arg("generations"),
           nb::sig("def populations(self, generations: int) -> numpy.typing.NDArray[numpy.uint64]"))
      .def("activity", &activity, nb::arg("generations"),
           nb::sig("def activity(self, generations: int) -> numpy.typing.NDArray[numpy.uint64]"))
      .def("reset",
           [](Engine& engine, Grid& cells, std::int64_t x, std::int64_t y) {
             clear_padding(cells);
             engine.use([&](Simulation& simulation) { simulation.reset(cells, {x, y}); });
           })
      .def("paste",
           [](Engine& engine, Grid& cells, std::int64_t x, std::int64_t y, const std::string& mode) {
             clear_padding(cells);
             engine.use([&](Simulation& simulation) {
               simulation.paste(cells, {x, y}, parse_paste_mode(mode));
             });
           })
      .def("read_bytes", &read_bytes, nb::arg("x"), nb::arg("y"), nb::arg("to"))
      .def("read_words", &read_words, nb::arg("x"), nb::arg("y"), nb::arg("width"), nb::arg("to"))
      .def(
          "set_generation",
          [](Engine& engine, std::uint64_t generation) {
            engine.use([&](Simulation& simulation) { simulation.set_generation(generation); });
          },
          nb::arg("generation"));
  bind_states(engine);
  engine.def_prop_ro("generation", query<&Simulation::generation>())
      .def_prop_ro("population", query<&Simulation::population>())
      .def_prop_ro("hash", query<&Simulation::hash>())
      .def_prop_ro("grows", query<&Simulation::grows>())
      .def_prop_ro("device", query<&Simulation::device>())
      .def_prop_ro("threads", query<&Simulation::threads>())
      .def_prop_ro("edge_met", query<&Simulation::edge_met>())
      .def_prop_ro("cell_updates", query<&Simulation::cell_updates>())
      .def_prop_ro("kernel", [](Engine& e) { return e.use([](Simulation& s) { return s.kernel(); }); })
      .def_prop_ro("rule", [](Engine& e) { return e.use([](Simulation& s) { return s.rule(); }); })
      .def_prop_ro(
          "topology",
          [](Engine& e) { return e.use([](Simulation& s) { return std::string(to_string(s.topology())); }); })
      .def_prop_ro("explanation",
                   [](Engine& e) { return e.use([](Simulation& s) { return s.plan().explanation(); }); })
      .def_prop_ro("world", [](Engine& e) { return e.use([](Simulation& s) { return s.world().str(); }); })
      .def("summary", &summary,
           nb::sig("def summary(self) -> tuple[int, int, tuple[int, int, int, int] | None]"))
      .def(
          "bounding_box",
          [](Engine& e) { return tuple_of(e.use([](Simulation& s) { return s.bounding_box(); })); },
          nb::sig("def bounding_box(self) -> tuple[int, int, int, int] | None"))
      .def(
          "box", [](Engine& e) { return tuple_of(e.use([](Simulation& s) { return s.box(); })); },
          nb::sig("def box(self) -> tuple[int, int, int, int]"))
      .def("parts", &parts, nb::sig("def parts(self) -> list[dict[str, object]]"))
      .def(
          "snapshot",
          [](Engine& e, bool whole) { return e.use([&](Simulation& s) { return s.snapshot(whole); }); },
          nb::arg("whole"));
}

}  // namespace moorea::python
