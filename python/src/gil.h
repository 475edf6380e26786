// SPDX-License-Identifier: MIT
// Python's global interpreter lock (GIL). When the interpreter ends, it ends each daemon thread that takes
// the lock, by unwinding its stack, and where functions must not throw that aborts the process. Here such
// threads stay where they are until the process ends.
#pragma once

#include <nanobind/nanobind.h>

namespace moorea::python {

/// While it exists, this thread does not hold the lock, which it holds before. The destructor does not return
/// if the interpreter has ended.
class WithoutGil {
 public:
  WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  ~WithoutGil();
};

/// While it exists, a thread that does not hold the lock holds it. The constructor does not return if the
/// interpreter has ended.
class WithGil {
 public:
  WithGil();
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;
  ~WithGil();

 private:
  bool is_of_release_;        // by WithoutGil
  PyGILState_STATE state_{};  // otherwise
};

/// In the handler of an exception that is no std::exception, of a call into Python within WithGil: the
/// interpreter has ended. Never returns.
[[noreturn]] void keep_thread();

/// Registers what has to be called when the interpreter has ended.
void watch_end_of_interpreter();

}  // namespace moorea::python
