// SPDX-License-Identifier: MIT
// The extension module moorea._moorea. What users see is in python/moorea, which is typed and documented
// there.
#include "module.h"

#include <nanobind/stl/string.h>

NB_MODULE(_moorea, module) {
  namespace python = moorea::python;
  module.doc() = "Extension module of the package; not for users, and changed without notice.";
  module.def("version", &moorea::version);
  module.def("revision", &moorea::revision);
  module.def("compiler", &moorea::compiler);
  python::watch_end_of_interpreter();
  python::bind_errors(module);
  python::bind_rules(module);
  python::bind_grids(module);
  python::bind_cells(module);
  python::bind_patterns(module);
  python::bind_devices(module);
  python::bind_engine(module);
  python::bind_pictures(module);
  python::bind_checkpoints(module);
  python::bind_ensembles(module);
  python::bind_surveys(module);
  python::bind_identification(module);
  python::bind_census(module);
  python::bind_hashlife(module);
}
