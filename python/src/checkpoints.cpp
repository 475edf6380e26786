// SPDX-License-Identifier: MIT
#include <moorea/support/nine_cells.h>
#include <nanobind/stl/string.h>

#include "module.h"

namespace moorea::python {
namespace {

void save(Engine& engine, const std::string& path, const std::string& notes) {
  engine.use([&](Simulation& simulation) {
    require_two_states(simulation.rule(), "a checkpoint");
    CheckpointSaver saver(path);
    saver.save(simulation, notes);
    saver.wait();
    const CheckpointSaver::Report report = saver.report();
    if (!report.failure.empty()) throw Error(report.failure, report.system_error);
  });
}

Engine* load(const CheckpointReader& reader, const nb::dict& named) {
  const Options options = options_of(named);
  const WithoutGil free;
  const KeepsCudaDevice keeps(options.device != "cpu");
  reader.verify();
  return engine_of(reader.simulation(options));
}

}  // namespace

void bind_checkpoints(nb::module_& module) {
  module.def("save_checkpoint", &save, nb::arg("engine"), nb::arg("path"), nb::arg("notes"));
  module.def(
      "load_checkpoint",
      [](const std::string& path, const nb::dict& options) { return load(CheckpointReader(path), options); },
      nb::arg("path"), nb::arg("options"),
      nb::sig("def load_checkpoint(path: str, options: dict[str, object]) -> Engine"));
  module.def(
      "read_checkpoint",
      [](const nb::bytes& bytes, const nb::dict& options) {
        return load(CheckpointReader({bytes.c_str(), bytes.size()}, "checkpoint"), options);
      },
      nb::arg("bytes"), nb::arg("options"),
      nb::sig("def read_checkpoint(bytes: bytes, options: dict[str, object]) -> Engine"));
}

}  // namespace moorea::python
