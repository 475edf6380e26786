// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <span>

#include "module.h"

namespace moorea::python {
namespace {

using BoxTuple = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

Box box_of(const BoxTuple& box) {
  return {std::get<0>(box), std::get<1>(box), std::get<2>(box), std::get<3>(box)};
}

nb::object picture_array(Picture&& picture) {
  return array_of(std::move(picture.levels),
                  {static_cast<std::size_t>(picture.height), static_cast<std::size_t>(picture.width)});
}

// Levels of the population density; pixels that no cell covers are 0.
nb::object draw(Engine& engine, const BoxTuple& box, std::int64_t pixels, int zoom) {
  Picture picture = engine.use(
      [&](Simulation& simulation) { return draw_density(simulation, fitted(box_of(box), pixels, zoom)); });
  return picture_array(std::move(picture));
}

// The states of the cells, of which a pixel has one.
nb::object draw_with_states(Engine& engine, const BoxTuple& box, std::int64_t pixels, int zoom) {
  Picture picture = engine.use(
      [&](Simulation& simulation) { return draw_states(simulation, fitted(box_of(box), pixels, zoom)); });
  return picture_array(std::move(picture));
}

nb::object density(Engine& engine, const BoxTuple& box, std::int64_t scale) {
  const Box cells = box_of(box);
  Raster raster{cells.x, cells.y, 0, 0, scale};
  if (scale > 0) {
    raster.columns = (cells.width + scale - 1) / scale;
    raster.rows = (cells.height + scale - 1) / scale;
  }
  std::vector<std::uint32_t> counts =
      engine.use([&](Simulation& simulation) { return simulation.density(raster); });
  return array_of(std::move(counts),
                  {static_cast<std::size_t>(raster.rows), static_cast<std::size_t>(raster.columns)});
}

// Frame of a picture: all cells of a world of fixed size, the live ones without escapees of a plane that
// grows.
nb::object frame(Engine& engine) {
  return tuple_of(engine.use([](Simulation& simulation) -> std::optional<Box> {
    if (!simulation.grows()) return simulation.box();
    const std::optional<Framing> found = frame_of(simulation);
    return found ? std::optional(found->box) : std::nullopt;
  }));
}

Picture picture_of(const Bytes& levels) {
  const ConstByteView view = view_of(levels);
  Picture picture{view.width, view.height, {}};
  picture.levels.reserve(static_cast<std::size_t>(view.width * view.height));
  for (std::int64_t y = 0; y < view.height; ++y)
    for (std::int64_t x = 0; x < view.width; ++x)
      picture.levels.push_back(view.cells[y * view.row_stride + x * view.column_stride]);
  return picture;
}

// The palette whose colours are the rows of an array of shape (256, 3).
Palette palette_of(const Bytes& colours) {
  const ConstByteView view = view_of(colours);
  if (view.width != 3 || view.height != 256)
    throw Error("a palette is a name or an array of shape (256, 3)", ErrorKind::usage);
  const auto part = [&](std::size_t level, std::ptrdiff_t at) {
    return view.cells[static_cast<std::ptrdiff_t>(level) * view.row_stride + at * view.column_stride];
  };
  Palette palette;
  for (std::size_t level = 0; level < palette.size(); ++level)
    palette[level] = {part(level, 0), part(level, 1), part(level, 2)};
  return palette;
}

nb::bytes png(const Bytes& levels, const Bytes& colours) {
  std::string bytes;
  {
    const WithoutGil free;
    bytes = png_bytes(picture_of(levels), palette_of(colours));
  }
  return nb::bytes(bytes.data(), bytes.size());
}

nb::object colours_of(const std::string& name) { return colour_array(palette(name), 256); }

}  // namespace

nb::object colour_array(const Palette& palette, std::size_t count) {
  std::vector<std::uint8_t> bytes;
  for (const Colour& colour : std::span(palette).first(count))
    bytes.insert(bytes.end(), {colour.red, colour.green, colour.blue});
  return array_of(std::move(bytes), {count, 3});
}

void bind_pictures(nb::module_& module) {
  module.def("draw", &draw, nb::arg("engine"), nb::arg("box"), nb::arg("pixels"), nb::arg("zoom"),
             nb::sig("def draw(engine: Engine, box: tuple[int, int, int, int], pixels: int, zoom: int) -> "
                     "numpy.typing.NDArray[numpy.uint8]"));
  module.def(
      "draw_states", &draw_with_states, nb::arg("engine"), nb::arg("box"), nb::arg("pixels"), nb::arg("zoom"),
      nb::sig("def draw_states(engine: Engine, box: tuple[int, int, int, int], pixels: int, zoom: int) "
              "-> numpy.typing.NDArray[numpy.uint8]"));
  module.def("density", &density, nb::arg("engine"), nb::arg("box"), nb::arg("scale"),
             nb::sig("def density(engine: Engine, box: tuple[int, int, int, int], scale: int) -> "
                     "numpy.typing.NDArray[numpy.uint32]"));
  module.def("frame", &frame, nb::arg("engine"),
             nb::sig("def frame(engine: Engine) -> tuple[int, int, int, int] | None"));
  module.def("png", &png, nb::arg("levels"), nb::arg("colours"));
  module.def("colours", &colours_of, nb::arg("palette"),
             nb::sig("def colours(palette: str) -> numpy.typing.NDArray[numpy.uint8]"));
  module.def("palettes", [] {
    std::vector<std::tuple<std::string, std::string>> rows;
    for (const PaletteInfo& each : palettes()) rows.emplace_back(each.name, each.summary);
    return rows;
  });
}

}  // namespace moorea::python
