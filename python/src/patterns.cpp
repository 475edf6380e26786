// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "module.h"

namespace moorea::python {
namespace {

using Place = std::optional<std::tuple<std::int64_t, std::int64_t>>;

Place place_of(const Pattern& pattern) {
  if (!pattern.position) return std::nullopt;
  return std::tuple(pattern.position->x, pattern.position->y);
}

void set_place(Pattern& pattern, const Place& place) {
  pattern.position.reset();
  if (place) pattern.position = Position{std::get<0>(*place), std::get<1>(*place)};
}

Pattern read(const std::string& path) {
  const WithoutGil free;
  return read_pattern(path);
}

void write(const Pattern& pattern, const std::string& path, const std::string& format) {
  const WithoutGil free;
  write_pattern(pattern, path, format);
}

nb::bytes text_of(const Pattern& pattern, const std::string& format) {
  std::string text;
  {
    const WithoutGil free;
    text = format_pattern(pattern, format);
  }
  return nb::bytes(text.data(), text.size());
}

}  // namespace

void bind_patterns(nb::module_& module) {
  nb::class_<Pattern>(module, "PatternFile")
      .def("__init__",
           [](Pattern* self, Grid& cells) {
             clear_padding(cells);
             new (self) Pattern{};
             self->cells = cells;
           })
      .def("__init__",
           [](Pattern* self, const Cells& states) {
             new (self) Pattern{};
             self->states = states;
             self->cells = states.live();
           })
      .def_static("read", &read, nb::arg("path"))
      .def_static(
          "parse",
          [](const nb::bytes& text, const std::string& source) {
            const std::string_view bytes(text.c_str(), text.size());
            const WithoutGil free;
            return parse_pattern(bytes, source);
          },
          nb::arg("text"), nb::arg("source"))
      .def_static(
          "bundled", [](const std::string& name) { return bundled_pattern(name); }, nb::arg("name"))
      .def("write", &write, nb::arg("path"), nb::arg("format"))
      .def("text", &text_of, nb::arg("format"))
      .def_prop_ro("cells", [](const Pattern& pattern) { return Grid(pattern.cells); })
      .def_prop_ro("states",
                   [](const Pattern& pattern) {
                     const WithoutGil free;
                     return pattern.states ? *pattern.states : Cells(pattern.cells, 2);
                   })
      .def_prop_ro("has_states", [](const Pattern& pattern) { return pattern.states.has_value(); })
      .def_prop_rw("position", &place_of, &set_place, nb::arg().none())
      .def_rw("generation", &Pattern::generation)
      .def_rw("rule", &Pattern::rule)
      .def_rw("own_rule", &Pattern::own_rule, nb::arg().none())
      .def_rw("name", &Pattern::name)
      .def_rw("author", &Pattern::author)
      .def_rw("comments", &Pattern::comments)
      .def_ro("format", &Pattern::format);
  module.def("bundled_names", [] {
    std::vector<std::string> names;
    for (const BundledPattern& each : bundled_patterns()) names.emplace_back(each.name);
    return names;
  });
}

}  // namespace moorea::python
