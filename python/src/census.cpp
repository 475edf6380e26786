// SPDX-License-Identifier: MIT
// Censuses of soups, and what their hauls and objects are.
#include <nanobind/stl/string.h>

#include <chrono>
#include <exception>

#include "module.h"

namespace moorea::python {
namespace {

using Clock = std::chrono::steady_clock;

// Calls `progress`, if it is not None, about ten times a second; it ends the census by returning False.
class Progress {
 public:
  Progress(const Haul& haul, const nb::object& progress) : haul_(haul), progress_(progress) {}

  bool operator()() {
    const WithGil held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    constexpr std::chrono::milliseconds interval{100};
    if (progress_.is_none() || Clock::now() - last_ < interval) return true;
    last_ = Clock::now();
    return goes_on();
  }

 private:
  bool goes_on() const {
    try {
      return !progress_(haul_.soups).is(nb::bool_(false));
    } catch (const std::exception&) {
      throw;
    } catch (...) {
      keep_thread();
    }
  }

  const Haul& haul_;
  const nb::object& progress_;
  Clock::time_point last_ = Clock::now();
};

CensusSpec spec_of(const Rule& rule, const std::string& symmetry, const std::string& root) {
  CensusSpec spec;
  spec.rule = rule;
  spec.symmetry = symmetry;
  spec.root = root;
  return spec;
}

nb::tuple census(const Rule& rule, const std::string& symmetry, const std::string& root,
                 const nb::dict& named, const nb::object& progress) {
  CensusSpec spec = spec_of(rule, symmetry, root);
  spec.first = given<std::uint64_t>(named, "first");
  spec.soups = given<std::uint64_t>(named, "soups");
  spec.max_generations = given<std::uint64_t>(named, "max_generations");
  spec.reach = given<std::int64_t>(named, "reach");
  spec.threads = given<int>(named, "threads");
  spec.device = given<std::string>(named, "device");
  Haul haul;
  {
    const WithoutGil free;
    take_census(
        spec, [&](const Haul& next) { haul.add(next); }, Progress(haul, progress));
  }
  nb::list rows;
  const bool is_life = rule == Rule();
  for (const auto& [code, entry] : haul.objects) {
    nb::list soups;
    for (const std::uint64_t soup : entry.soups) soups.append(soup);
    nb::dict row;
    row["apgcode"] = code;
    row["name"] = is_life ? std::string(object_name(code)) : std::string();
    row["count"] = entry.count;
    row["soups"] = soups;
    rows.append(row);
  }
  return nb::make_tuple(haul.soups, rows);
}

std::string text_of_haul(const Rule& rule, const std::string& symmetry, const std::string& root,
                         std::uint64_t soups, std::int64_t reach, const nb::list& rows) {
  Haul haul;
  haul.soups = soups;
  for (const nb::handle each : rows) {
    CensusEntry entry;
    entry.count = nb::cast<std::uint64_t>(each["count"]);
    for (const nb::handle soup : each["soups"]) entry.soups.push_back(nb::cast<std::uint64_t>(soup));
    haul.objects[nb::cast<std::string>(each["apgcode"])] = std::move(entry);
  }
  CensusSpec spec = spec_of(rule, symmetry, root);
  spec.reach = reach;
  return haul_text(haul, spec);
}

}  // namespace

void bind_census(nb::module_& module) {
  module.def(
      "census", &census, nb::arg("rule"), nb::arg("symmetry"), nb::arg("root"), nb::arg("options"),
      nb::arg("progress").none(),
      nb::sig("def census(rule: Rule, symmetry: str, root: str, options: dict[str, object], progress: "
              "collections.abc.Callable[[int], object] | None) -> tuple[int, list[dict[str, typing.Any]]]"));
  module.def("haul_text", &text_of_haul,
             nb::sig("def haul_text(rule: Rule, symmetry: str, root: str, soups: int, reach: "
                     "int, rows: list[dict[str, typing.Any]]) -> str"));
  module.def(
      "soup_pattern",
      [](const Rule& rule, const std::string& symmetry, const std::string& text) {
        return soup_pattern(text, symmetry, rule);
      },
      nb::sig("def soup_pattern(rule: Rule, symmetry: str, text: str) -> PatternFile"));
  module.def(
      "apgcode_pattern",
      [](const std::string& code, const Rule& rule) { return apgcode_pattern(code, rule); },
      nb::sig("def apgcode_pattern(apgcode: str, rule: Rule) -> PatternFile"));
}

}  // namespace moorea::python
