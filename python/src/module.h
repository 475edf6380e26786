// SPDX-License-Identifier: MIT
// The parts of the extension module, and what they share.
#pragma once

#include <moorea/moorea.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>

#include "gil.h"

namespace moorea::python {

namespace nb = nanobind;

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::device::cpu>;
using WritableBytes = nb::ndarray<std::uint8_t, nb::ndim<2>, nb::device::cpu>;
using Words = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Red, green and blue of the first `count` colours of a palette, shape (count, 3).
nb::object colour_array(const Palette& palette, std::size_t count);

void bind_errors(nb::module_& module);
void bind_rules(nb::module_& module);
void bind_grids(nb::module_& module);
void bind_cells(nb::module_& module);
void bind_patterns(nb::module_& module);
void bind_devices(nb::module_& module);
void bind_engine(nb::module_& module);
void bind_pictures(nb::module_& module);
void bind_checkpoints(nb::module_& module);
void bind_ensembles(nb::module_& module);
void bind_surveys(nb::module_& module);
void bind_identification(nb::module_& module);
void bind_census(nb::module_& module);
void bind_hashlife(nb::module_& module);

/// The caller uses an object that another call is using; BusyError in Python.
struct Busy {
  const char* what;  ///< "simulation" or "ensemble"
};

/// Keeps a second thread, or an observer, from using an object that a call is using.
class UseFlag {
 public:
  /// `what` as in Busy; `device` as Simulation::device().
  UseFlag(const char* what, std::string device);

  class Use {
   public:
    /// Throws Busy if the object is in use, Error (run) if this process was forked after the object had been
    /// created on a device other than the CPU.
    explicit Use(UseFlag& flag);
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { flag_.busy_.clear(); }

   private:
    UseFlag& flag_;
  };

  bool is_on_gpu() const { return device_ != "cpu"; }

 private:
  const char* what_;
  std::string device_;
  int process_;
  std::atomic_flag busy_;
};

/// A simulation or an ensemble, which one call at a time uses.
template <class Object>
class Exclusive {
 public:
  Exclusive(Object&& object, const char* what, std::string device)
      : object_(std::move(object)), flag_(what, std::move(device)) {}

  /// Calls `work` with the object, without the GIL. Throws what UseFlag::Use throws.
  template <class Work>
  auto use(Work work) {
    const UseFlag::Use used(flag_);
    const WithoutGil free;
    const KeepsCudaDevice keeps(flag_.is_on_gpu());
    return work(object_);
  }

 private:
  Object object_;
  UseFlag flag_;
};

using Engine = Exclusive<Simulation>;

/// The argument of this name. Throws Error (usage), which names it, if it has another type or is out of
/// range.
template <class Value>
Value given(const nb::dict& named, const char* name) {
  const nb::object value = named[name];
  try {
    return nb::cast<Value>(value);
  } catch (const std::bad_cast&) {
    constexpr const char* expected = std::is_same_v<Value, bool>          ? "True or False"
                                     : std::is_unsigned_v<Value>          ? "a whole number from 0 on"
                                     : std::is_integral_v<Value>          ? "a whole number"
                                     : std::is_floating_point_v<Value>    ? "a number"
                                     : std::is_same_v<Value, std::string> ? "a text"
                                                                          : "numbers";
    throw Error(std::string(name) + " " + nb::repr(value).c_str() + ": expected " + expected,
                ErrorKind::usage);
  }
}

/// The options of a simulation, by their names in Python.
Options options_of(const nb::dict& named);

Engine* engine_of(Simulation&& simulation);

/// Methods of a simulation for rules with more than two states.
void bind_states(nb::class_<Engine>& engine);

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
