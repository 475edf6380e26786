// SPDX-License-Identifier: MIT
// The parts of the extension module, and what they share.
#pragma once

#include <moorea/moorea.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <optional>

namespace moorea::python {

namespace nb = nanobind;

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::device::cpu>;
using WritableBytes = nb::ndarray<std::uint8_t, nb::ndim<2>, nb::device::cpu>;
using Words = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void bind_errors(nb::module_& module);
void bind_rules(nb::module_& module);
void bind_grids(nb::module_& module);
void bind_patterns(nb::module_& module);
void bind_devices(nb::module_& module);
void bind_engine(nb::module_& module);
void bind_pictures(nb::module_& module);
void bind_checkpoints(nb::module_& module);

/// The caller uses an object that another call is using; BusyError in Python.
struct Busy {};

/// A simulation with the lock that keeps a second thread, or an observer, from using it at the same time.
class Engine {
 public:
  explicit Engine(Simulation&& simulation);

  /// Calls `work` with the simulation, without the GIL. Throws Busy if it is in use, Error (run) if this
  /// process was forked after the simulation had been created on a device other than the CPU.
  template <class Work>
  auto use(Work work) {
    const Lock lock(*this);
    const nb::gil_scoped_release free;
    const KeepsCudaDevice keeps(on_gpu_);
    return work(simulation_);
  }

 private:
  class Lock {
   public:
    explicit Lock(Engine& engine);
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() { engine_.busy_.clear(); }

   private:
    Engine& engine_;
  };

  Simulation simulation_;
  std::atomic_flag busy_;
  bool on_gpu_;
  int process_;
};

/// Whether to go on: asked by the library about every 50 ms of a step, without the GIL. Throws what a signal
/// handler raises, such as KeyboardInterrupt.
bool no_signal();

/// A view of an array's memory.
ConstByteView view_of(const Bytes& bytes);
ByteView view_of(const WritableBytes& bytes);
ConstGridView view_of(const Words& words, std::int64_t width);

/// The bits beyond the width are 0 again, which Python code may have set through Grid.words.
void clear_padding(Grid& grid);

/// (x, y, width, height), or None.
nb::object tuple_of(const std::optional<Box>& box);

/// A NumPy array that owns these values.
template <class Value>
nb::object array_of(std::vector<Value>&& values, std::initializer_list<std::size_t> shape) {
  auto* const owned = new std::vector<Value>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Value>(owned->data(), shape, owner));
}

}  // namespace moorea::python
