// SPDX-License-Identifier: MIT
#include "gil.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace moorea::python {
namespace {

namespace nb = nanobind;

std::atomic<int> working = 0;  // threads without the lock that will take it
std::atomic<bool> is_ending = false, has_stopped_any = false;
std::thread::id ending_thread;  // set before is_ending

void stop_if_ending() {
  if (!is_ending || std::this_thread::get_id() == ending_thread) return;
  has_stopped_any = true;
  --working;
  while (true) ::pause();
}

// Called by the thread that ends the interpreter, before it does so. Steps ask for signals every 50 ms, and
// stop there.
void begin_end() {
  constexpr auto patience = std::chrono::seconds(1);
  ending_thread = std::this_thread::get_id();
  is_ending = true;
  PyThreadState* const state = PyEval_SaveThread();
  const auto begun = std::chrono::steady_clock::now();
  while (working > 0 && std::chrono::steady_clock::now() - begun < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  PyEval_RestoreThread(state);
  // What stopped threads refer to remains
  if (has_stopped_any || working > 0) nb::set_leak_warnings(false);
}

}  // namespace

WithoutGil::WithoutGil() : state_((++working, PyEval_SaveThread())) {}

WithoutGil::~WithoutGil() {
  stop_if_ending();
  PyEval_RestoreThread(state_);
  --working;
}

WithGil::WithGil() {
  stop_if_ending();
  state_ = PyGILState_Ensure();
}

WithGil::~WithGil() { PyGILState_Release(state_); }

void watch_end_of_interpreter() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(begin_end));
}

}  // namespace moorea::python
