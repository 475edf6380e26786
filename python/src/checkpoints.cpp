// SPDX-License-Identifier: MIT
#include <nanobind/stl/string.h>

#include "module.h"

namespace moorea::python {
namespace {

void save(Engine& engine, const std::string& path, const std::string& notes) {
  engine.use([&](Simulation& simulation) {
    CheckpointSaver saver(path);
    saver.save(simulation, notes);
    saver.wait();
    const CheckpointSaver::Report report = saver.report();
    if (!report.failure.empty()) throw Error(report.failure);
  });
}

// The cells of a checkpoint and its header: rule with the world's suffix, mesh, adjacency and notes.
nb::tuple load(const CheckpointReader& reader) {
  Pattern pattern;
  {
    const nb::gil_scoped_release free;
    reader.verify();
    pattern = reader.pattern();
  }
  const CheckpointHeader& header = reader.header();
  return nb::make_tuple(std::move(pattern), header.mesh, std::string(to_string(header.adjacency)),
                        header.notes);
}

}  // namespace

void bind_checkpoints(nb::module_& module) {
  module.def("save_checkpoint", &save, nb::arg("engine"), nb::arg("path"), nb::arg("notes"));
  module.def(
      "load_checkpoint", [](const std::string& path) { return load(CheckpointReader(path)); },
      nb::arg("path"), nb::sig("def load_checkpoint(path: str) -> tuple[PatternFile, str, str, str]"));
  module.def(
      "read_checkpoint",
      [](const nb::bytes& bytes) {
        return load(CheckpointReader({bytes.c_str(), bytes.size()}, "checkpoint"));
      },
      nb::arg("bytes"), nb::sig("def read_checkpoint(bytes: bytes) -> tuple[PatternFile, str, str, str]"));
}

}  // namespace moorea::python
