// SPDX-License-Identifier: MIT
#include "gil.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

namespace moorea::python {
namespace {

namespace nb = nanobind;

std::atomic<int> working = 0;  // threads without the lock that will take it
std::atomic<bool> has_kept_any = false;
thread_local PyThreadState* released = nullptr;  // of this thread, while it does not hold the lock

void take_lock() {
  PyThreadState* const state = std::exchange(released, nullptr);
  try {
    PyEval_RestoreThread(state);
  } catch (...) {
    keep_thread();
  }
}

// Called when the interpreter has ended, before static objects do. Steps ask for signals every 50 ms, and are
// kept there.
void wait_for_threads() {
  constexpr auto patience = std::chrono::seconds(1);
  const auto begun = std::chrono::steady_clock::now();
  while (working > 0 && std::chrono::steady_clock::now() - begun < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  // What these threads refer to remains
  if (has_kept_any || working > 0) nb::set_leak_warnings(false);
}

}  // namespace

void keep_thread() {
  has_kept_any = true;
  --working;
  while (true) ::pause();
}

WithoutGil::WithoutGil() {
  ++working;
  released = PyEval_SaveThread();
}

WithoutGil::~WithoutGil() {
  take_lock();
  --working;
}

WithGil::WithGil() : is_of_release_(released != nullptr) {
  if (is_of_release_)
    take_lock();
  else
    state_ = PyGILState_Ensure();
}

WithGil::~WithGil() {
  if (is_of_release_)
    released = PyEval_SaveThread();
  else
    PyGILState_Release(state_);
}

void watch_end_of_interpreter() {
  Py_AtExit(wait_for_threads);
  // A forked process has one thread
  ::pthread_atfork(nullptr, nullptr, [] { working = released != nullptr ? 1 : 0; });
}

}  // namespace moorea::python
