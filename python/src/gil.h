// SPDX-License-Identifier: MIT
// Python's global interpreter lock (GIL). When the interpreter ends, it ends each daemon thread that takes
// the lock, by unwinding its stack, and where functions must not throw that aborts the process. Here such
// threads wait for the end of the process instead.
#pragma once

#include <nanobind/nanobind.h>

namespace moorea::python {

/// While it exists, this thread does not hold the lock, which it holds before.
class WithoutGil {
 public:
  WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  /// Never returns if the interpreter is ended by another thread.
  ~WithoutGil();

 private:
  PyThreadState* state_;
};

/// While it exists, a thread that does not hold the lock, because of WithoutGil, holds it.
class WithGil {
 public:
  /// Never returns if the interpreter is ended by another thread.
  WithGil();
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;
  ~WithGil();

 private:
  PyGILState_STATE state_;
};

/// Registers what the interpreter has to call when it ends.
void watch_end_of_interpreter();

}  // namespace moorea::python
