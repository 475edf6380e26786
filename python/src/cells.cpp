// SPDX-License-Identifier: MIT
// Cells of rules with more than two states, which are bytes in Python and planes of bits in the library.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <numeric>

#include "module.h"

namespace moorea::python {
namespace {

Cells from_bytes(const Bytes& bytes, int states) {
  const WithoutGil free;
  return pack_states(view_of(bytes), states);
}

Cells random(std::int64_t width, std::int64_t height, double density, std::uint64_t seed, int states) {
  const WithoutGil free;
  return Cells::random(width, height, density, seed, states);
}

// Throws Error (usage) for cells in other states.
Cells with_states(const Cells& cells, int states) {
  const WithoutGil free;
  Cells result(cells.width(), cells.height(), states);
  result.paste(cells, {});
  return result;
}

Engine* of_cells(const Rule& rule, const std::string& topology, const Cells& cells, const nb::dict& named) {
  const Options options = options_of(named);
  const WithoutGil free;
  const KeepsCudaDevice keeps(options.device != "cpu");
  const WorldSpec world = {rule, parse_topology(topology), cells.width(), cells.height()};
  return engine_of(Simulation(world, cells, options));
}

void reset_states(Engine& engine, const Cells& cells, std::int64_t x, std::int64_t y) {
  engine.use([&](Simulation& simulation) { simulation.reset(cells, {x, y}); });
}

// Calls visit(first row, states of a part of the box) for parts that need little memory.
template <class Visit>
void visit_states(const Simulation& simulation, const Box& box, const Visit& visit) {
  constexpr std::int64_t cells_at_once = 1 << 25;
  const std::int64_t rows = std::max<std::int64_t>(cells_at_once / std::max<std::int64_t>(box.width, 1), 1);
  for (std::int64_t first = 0; first < box.height; first += rows)
    visit(first, simulation.states({box.x, box.y + first, box.width, std::min(rows, box.height - first)}));
}

void read_states(Engine& engine, std::int64_t x, std::int64_t y, const WritableBytes& to) {
  engine.use([&](Simulation& simulation) {
    const ByteView view = view_of(to);
    visit_states(simulation, {x, y, view.width, view.height}, [&](std::int64_t first, const Cells& cells) {
      ByteView part = view;
      part.cells += first * view.row_stride;
      part.height = cells.height();
      unpack_states(cells, part);
    });
  });
}

nb::object census(Engine& engine, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height) {
  std::vector<std::uint64_t> counts = engine.use([&](Simulation& simulation) {
    std::vector<std::uint64_t> sum(static_cast<std::size_t>(simulation.rule().states()));
    // Only the live cells are visited, and under a rule of two states none if the box has all of them
    const Box live = simulation.bounding_box().value_or(Box());
    const Box visited = intersect({x, y, width, height}, live);
    if (visited == live && sum.size() == 2) {
      sum[1] = simulation.population();
    } else if (!visited.empty()) {
      visit_states(simulation, visited, [&](std::int64_t, const Cells& cells) {
        no_signal();
        const std::vector<std::uint64_t> part = cells.census();
        std::ranges::transform(sum, part, sum.begin(), std::plus<>());
      });
    }
    const std::uint64_t others = std::accumulate(sum.begin() + 1, sum.end(), std::uint64_t{0});
    sum[0] = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) - others;
    return sum;
  });
  const std::size_t states = counts.size();
  return array_of(std::move(counts), {states});
}

}  // namespace

void bind_cells(nb::module_& module) {
  nb::class_<Cells>(module, "PackedCells")
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"), nb::arg("states"))
      .def_static("random", &random, nb::arg("width"), nb::arg("height"), nb::arg("density"), nb::arg("seed"),
                  nb::arg("states"))
      .def_prop_ro("width", &Cells::width)
      .def_prop_ro("height", &Cells::height)
      .def_prop_ro("states", &Cells::states)
      .def_prop_ro("live",
                   [](const Cells& cells) {
                     const WithoutGil free;
                     return cells.live();
                   })
      .def("with_states", &with_states, nb::arg("states"))
      .def(
          "read",
          [](const Cells& cells, const WritableBytes& to) {
            const WithoutGil free;
            unpack_states(cells, view_of(to));
          },
          nb::arg("to"));
}

void bind_states(nb::class_<Engine>& engine) {
  engine
      .def_static("of_cells", &of_cells, nb::arg("rule"), nb::arg("topology"), nb::arg("cells"),
                  nb::arg("options"),
                  nb::sig("def of_cells(rule: Rule, topology: str, cells: PackedCells, options: dict[str, "
                          "object]) -> Engine"))
      .def("reset_states", &reset_states, nb::arg("cells"), nb::arg("x"), nb::arg("y"))
      .def(
          "paste_states",
          [](Engine& engine, const Cells& cells, std::int64_t x, std::int64_t y) {
            engine.use([&](Simulation& simulation) { simulation.paste(cells, {x, y}); });
          },
          nb::arg("cells"), nb::arg("x"), nb::arg("y"))
      .def("read_states", &read_states, nb::arg("x"), nb::arg("y"), nb::arg("to"))
      .def("census", &census, nb::arg("x"), nb::arg("y"), nb::arg("width"), nb::arg("height"),
           nb::sig("def census(self, x: int, y: int, width: int, height: int) -> "
                   "numpy.typing.NDArray[numpy.uint64]"));
}

}  // namespace moorea::python
