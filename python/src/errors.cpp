// SPDX-License-Identifier: MIT
// Exceptions: each kind of moorea::Error is a class of moorea/_errors.py, which is also ValueError,
// RuntimeError or MemoryError.
#include "module.h"

namespace moorea::python {
namespace {

const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "UsageError";
    case ErrorKind::unavailable:
      return "UnavailableError";
    case ErrorKind::memory:
      return "OutOfMemoryError";
    case ErrorKind::run:
      break;
  }
  return "RunError";
}

void set_error(const char* name, const char* text) {
  const nb::object type = nb::module_::import_("moorea._errors").attr(name);
  PyErr_SetString(type.ptr(), text);
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    set_error(class_of(error.kind()), error.what());
  } catch (const Busy& busy) {
    const std::string text = "the " + std::string(busy.what) +
                             " is in use by another thread, or by the step whose observer is running; wait "
                             "until that call has returned";
    set_error("BusyError", text.c_str());
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace moorea::python
