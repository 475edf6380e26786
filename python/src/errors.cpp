// SPDX-License-Identifier: MIT
// Exceptions: each kind of moorea::Error is a class of moorea/_errors.py, which is also ValueError,
// RuntimeError, OSError or MemoryError.
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

nb::module_ errors() { return nb::module_::import_("moorea._errors"); }

void set_error(const char* name, const char* text) {
  PyErr_SetString(nb::object(errors().attr(name)).ptr(), text);
}

void set_file_error(int code, const char* text) {
  const nb::object error = errors().attr("file_error")(code, text);
  PyErr_SetObject(error.type().ptr(), error.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    if (error.system_error() != 0)
      set_file_error(error.system_error(), error.what());
    else
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
