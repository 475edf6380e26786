// SPDX-License-Identifier: MIT
#include <nanobind/stl/tuple.h>

#include "module.h"

namespace moorea::python {

ConstByteView view_of(const Bytes& bytes) {
  return {bytes.data(), bytes.stride(0), bytes.stride(1), static_cast<std::int64_t>(bytes.shape(1)),
          static_cast<std::int64_t>(bytes.shape(0))};
}

ByteView view_of(const WritableBytes& bytes) {
  return {bytes.data(), bytes.stride(0), bytes.stride(1), static_cast<std::int64_t>(bytes.shape(1)),
          static_cast<std::int64_t>(bytes.shape(0))};
}

ConstGridView view_of(const Words& words, std::int64_t width) {
  const auto words_per_row = static_cast<std::int64_t>(words.shape(1));
  if (width < 0 || width > 64 * words_per_row || width <= 64 * (words_per_row - 1)) {
    throw Error("rows of " + std::to_string(words_per_row) + " words do not hold " + std::to_string(width) +
                    " cells, 64 a word",
                ErrorKind::usage);
  }
  return {words.data(), words_per_row, width, static_cast<std::int64_t>(words.shape(0))};
}

void clear_padding(Grid& grid) {
  const std::int64_t used = grid.width() % 64;
  if (used == 0) return;
  for (std::int64_t y = 0; y < grid.height(); ++y)
    grid.row(y)[grid.words_per_row() - 1] &= (std::uint64_t{1} << used) - 1;
}

nb::object tuple_of(const std::optional<Box>& box) {
  if (!box) return nb::none();
  return nb::make_tuple(box->x, box->y, box->width, box->height);
}

namespace {

Grid from_bytes(const Bytes& bytes) {
  const WithoutGil free;
  const ConstByteView view = view_of(bytes);
  Grid grid(view.width, view.height);
  pack_cells(view, grid.view());
  return grid;
}

Grid from_words(const Words& words, std::int64_t width) {
  const ConstGridView view = view_of(words, width);
  const WithoutGil free;
  Grid grid(view.width, view.height);
  grid.paste(view, {});
  return grid;
}

Grid random(std::int64_t width, std::int64_t height, double density, std::uint64_t seed) {
  const WithoutGil free;
  return Grid::random(width, height, density, seed);
}

Grid from_device(std::uintptr_t address, std::tuple<std::int64_t, std::int64_t> strides,
                 std::tuple<std::int64_t, std::int64_t> shape, int device, std::uintptr_t stream) {
  const WithoutGil free;
  DeviceBytes bytes;
  bytes.cells = reinterpret_cast<const std::uint8_t*>(address);
  std::tie(bytes.row_stride, bytes.column_stride) = strides;
  bytes.size = {std::get<1>(shape), std::get<0>(shape)};
  bytes.device = {Backend::cuda, device};
  bytes.stream = reinterpret_cast<void*>(stream);
  return pack_device_cells(bytes);
}

nb::ndarray<nb::numpy, std::uint64_t> words_of(Grid& grid) {
  const auto rows = static_cast<std::size_t>(grid.height());
  return {grid.row(0), {rows, static_cast<std::size_t>(grid.words_per_row())}};
}

}  // namespace

void bind_grids(nb::module_& module) {
  nb::class_<Grid>(module, "PackedGrid")
      .def(nb::init<std::int64_t, std::int64_t>(), nb::arg("width"), nb::arg("height"))
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"))
      .def_static("from_words", &from_words, nb::arg("words"), nb::arg("width"))
      .def_static("from_device", &from_device, nb::arg("address"), nb::arg("strides"), nb::arg("shape"),
                  nb::arg("device"), nb::arg("stream"))
      .def_static("random", &random, nb::arg("width"), nb::arg("height"), nb::arg("density"), nb::arg("seed"))
      .def_prop_ro("width", &Grid::width)
      .def_prop_ro("height", &Grid::height)
      .def_prop_ro("words", &words_of, nb::rv_policy::reference_internal)
      .def_prop_ro("population",
                   [](Grid& grid) {
                     const WithoutGil free;
                     clear_padding(grid);
                     return grid.population();
                   })
      .def("hash",
           [](Grid& grid) {
             const WithoutGil free;
             clear_padding(grid);
             return grid.hash();
           })
      .def(
          "bounding_box",
          [](Grid& grid) {
            clear_padding(grid);
            return tuple_of(grid.bounding_box());
          },
          nb::sig("def bounding_box(self) -> tuple[int, int, int, int] | None"))
      .def(
          "read",
          [](const Grid& grid, std::int64_t x, std::int64_t y, const WritableBytes& to) {
            const WithoutGil free;
            const ByteView view = view_of(to);
            unpack_cells(grid.crop({x, y, view.width, view.height}), view);
          },
          nb::arg("x"), nb::arg("y"), nb::arg("to"))
      .def(
          "paste",
          [](Grid& grid, const Grid& cells, std::int64_t x, std::int64_t y) {
            grid.paste(cells, {x, y});
          },
          nb::arg("cells"), nb::arg("x"), nb::arg("y"))
      .def(
          "__eq__",
          [](Grid& a, Grid& b) {
            clear_padding(a);
            clear_padding(b);
            return a == b;
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"), nb::is_operator());
}

}  // namespace moorea::python
