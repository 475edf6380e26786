// SPDX-License-Identifier: MIT
// Ensembles: worlds of one size that are advanced together, with results as arrays of an entry per world.
#include "ensembles.h"

namespace moorea::python {
namespace {

using EnsembleEngine = Exclusive<Ensemble>;
using WorldBytes = nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::device::cpu>;
using WritableWorldBytes = nb::ndarray<std::uint8_t, nb::ndim<3>, nb::device::cpu>;
using WritableWorldWords = nb::ndarray<std::uint64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

EnsembleEngine* engine_of(const EnsembleSpec& spec, const EnsembleOptions& options) {
  const WithoutGil free;
  const KeepsCudaDevice keeps(options.device != "cpu");
  return new EnsembleEngine(Ensemble(spec, options), "ensemble", options.device);
}

EnsembleEngine* of_noise(const Groups& groups, const std::string& topology, const Shape& shape,
                         const Noise& noise, const Place& place) {
  return engine_of(spec_of(groups, topology, shape, noise), options_of(place));
}

// Cells of one world of an array; read by several threads, without the GIL.
ConstByteView world_of(const WorldBytes& cells, std::uint64_t world) {
  return {cells.data() + static_cast<std::int64_t>(world) * cells.stride(0), cells.stride(1), cells.stride(2),
          static_cast<std::int64_t>(cells.shape(2)), static_cast<std::int64_t>(cells.shape(1))};
}

Grid packed_world(const WorldBytes& cells, std::uint64_t world) {
  const ConstByteView view = world_of(cells, world);
  Grid grid(view.width, view.height);
  pack_cells(view, grid.view());
  return grid;
}

EnsembleEngine* of_bytes(const Groups& groups, const std::string& topology, const WorldBytes& cells,
                         const Place& place) {
  const Shape shape(cells.shape(1), cells.shape(2));
  EnsembleSpec spec = spec_of(groups, topology, shape, {0, 0});
  spec.start = [&cells](std::uint64_t world) { return packed_world(cells, world); };
  return engine_of(spec, options_of(place));
}

// Calls visit(i, grid) for `count` worlds from `first` on, of which few are in memory at a time.
template <class Visit>
void for_worlds(EnsembleEngine& engine, std::uint64_t first, std::uint64_t count, const Visit& visit) {
  engine.use([&](Ensemble& ensemble) {
    constexpr double cells_at_once = 1 << 26;
    const double area = ensemble.spec().size.area();
    const auto at_once = static_cast<std::uint64_t>(std::max(cells_at_once / area, 1.0));
    for (std::uint64_t done = 0; done < count; done += at_once) {
      const std::vector<Grid> grids = ensemble.worlds(first + done, std::min(at_once, count - done));
      for (std::size_t i = 0; i < grids.size(); ++i) visit(done + i, grids[i]);
      if (!no_signal()) return;
    }
  });
}

void read_bytes(EnsembleEngine& engine, std::uint64_t first, const WritableWorldBytes& to) {
  for_worlds(engine, first, to.shape(0), [&](std::uint64_t i, const Grid& grid) {
    unpack_cells(grid, {to.data() + static_cast<std::int64_t>(i) * to.stride(0), to.stride(1), to.stride(2),
                        grid.width(), grid.height()});
  });
}

void read_words(EnsembleEngine& engine, std::uint64_t first, const WritableWorldWords& to) {
  for_worlds(engine, first, to.shape(0), [&](std::uint64_t i, const Grid& grid) {
    std::uint64_t* row = to.data() + static_cast<std::int64_t>(i) * to.stride(0);
    for (std::int64_t y = 0; y < grid.height(); ++y, row += to.stride(1))
      std::copy_n(grid.row(y), grid.words_per_row(), row);
  });
}

void write_bytes(EnsembleEngine& engine, std::uint64_t first, const WorldBytes& cells) {
  engine.use([&](Ensemble& ensemble) {
    for (std::size_t i = 0; i < cells.shape(0); ++i) ensemble.set_world(first + i, packed_world(cells, i));
  });
}

nb::object counts(EnsembleEngine& engine, std::uint64_t generations) {
  std::size_t worlds = 0;
  std::vector<std::uint64_t> numbers = engine.use([&](Ensemble& ensemble) {
    worlds = ensemble.size();
    return ensemble.step_counting(generations, no_signal);
  });
  return array_of(std::move(numbers), {static_cast<std::size_t>(generations), worlds});
}

nb::object bounding_boxes(EnsembleEngine& engine) {
  std::vector<std::int64_t> numbers;
  engine.use([&](Ensemble& ensemble) {
    for (const std::optional<Box>& each : ensemble.bounding_boxes()) {
      const Box box = each.value_or(Box{});
      numbers.insert(numbers.end(), {box.x, box.y, box.width, box.height});
    }
  });
  const std::size_t worlds = numbers.size() / 4;
  return array_of(std::move(numbers), {worlds, 4});
}

// A method that returns an array of what the ensemble's function returns for each world.
template <auto function>
auto query() {
  return [](EnsembleEngine& engine) {
    auto values = engine.use([](Ensemble& ensemble) { return (ensemble.*function)(); });
    const std::size_t number = values.size();
    return array_of(std::move(values), {number});
  };
}

nb::object periods(EnsembleEngine& engine, std::uint32_t max_period) {
  auto values = engine.use([&](Ensemble& ensemble) { return ensemble.periods(max_period, no_signal); });
  const std::size_t number = values.size();
  return array_of(std::move(values), {number});
}

void step_each(EnsembleEngine& engine, const Numbers& generations) {
  engine.use([&](Ensemble& ensemble) {
    ensemble.step(std::span(generations.data(), generations.size()), no_signal);
  });
}

nb::object world_seeds(std::uint64_t seed, std::uint64_t first, std::uint64_t worlds) {
  std::vector<std::uint64_t> seeds(worlds);
  for (std::uint64_t i = 0; i < worlds; ++i) seeds[i] = world_seed(seed, first + i);
  return array_of(std::move(seeds), {static_cast<std::size_t>(worlds)});
}

void bind_queries(nb::class_<EnsembleEngine>& engine) {
  engine
      .def("step_comparing", query<&Ensemble::step_comparing>(),
           nb::sig("def step_comparing(self) -> numpy.typing.NDArray[numpy.uint64]"))
      .def("generations", query<&Ensemble::generations>(),
           nb::sig("def generations(self) -> numpy.typing.NDArray[numpy.uint64]"))
      .def("populations", query<&Ensemble::populations>(),
           nb::sig("def populations(self) -> numpy.typing.NDArray[numpy.uint64]"))
      .def("hashes", query<&Ensemble::hashes>(),
           nb::sig("def hashes(self) -> numpy.typing.NDArray[numpy.uint64]"))
      .def("bounding_boxes", &bounding_boxes,
           nb::sig("def bounding_boxes(self) -> numpy.typing.NDArray[numpy.int64]"))
      .def("periods", &periods, nb::arg("max_period"),
           nb::sig("def periods(self, max_period: int) -> numpy.typing.NDArray[numpy.uint32]"))
      .def_prop_ro("kernel",
                   [](EnsembleEngine& e) { return e.use([](Ensemble& each) { return each.kernel(); }); })
      .def_prop_ro("threads",
                   [](EnsembleEngine& e) { return e.use([](Ensemble& each) { return each.threads(); }); });
}

}  // namespace

void bind_ensembles(nb::module_& module) {
  nb::class_<EnsembleEngine> engine(module, "EnsembleEngine");
  engine
      .def_static("of_noise", &of_noise, nb::arg("groups"), nb::arg("topology"), nb::arg("shape"),
                  nb::arg("noise"), nb::arg("place"))
      .def_static("of_bytes", &of_bytes, nb::arg("groups"), nb::arg("topology"), nb::arg("cells"),
                  nb::arg("place"))
      .def(
          "step",
          [](EnsembleEngine& e, std::uint64_t generations) {
            e.use([&](Ensemble& ensemble) { ensemble.step(generations, no_signal); });
          },
          nb::arg("generations"))
      .def("step_each", &step_each, nb::arg("generations"))
      .def("counts", &counts, nb::arg("generations"),
           nb::sig("def counts(self, generations: int) -> numpy.typing.NDArray[numpy.uint64]"))
      .def("read_bytes", &read_bytes, nb::arg("first"), nb::arg("to"))
      .def("read_words", &read_words, nb::arg("first"), nb::arg("to"))
      .def("write_bytes", &write_bytes, nb::arg("first"), nb::arg("cells"))
      .def(
          "world",
          [](EnsembleEngine& e, std::uint64_t index) {
            return e.use([&](Ensemble& ensemble) { return ensemble.world(index); });
          },
          nb::arg("index"));
  bind_queries(engine);
  module.def(
      "world_seeds", &world_seeds, nb::arg("seed"), nb::arg("first"), nb::arg("worlds"),
      nb::sig("def world_seeds(seed: int, first: int, worlds: int) -> numpy.typing.NDArray[numpy.uint64]"));
}

}  // namespace moorea::python
