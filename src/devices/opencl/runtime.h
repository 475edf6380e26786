// SPDX-License-Identifier: MIT
// OpenCL's errors as exceptions and owned objects.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "devices/opencl/loader.h"
#include "kernels/kernel.h"

namespace moorea::opencl {

/// Throws Error with the call, OpenCL's name for the error, the position in the source, and a remedy.
void check(cl_int result, const char* call, const char* file, int line);
#define MOOREA_CL(name, ...) \
  ::moorea::opencl::check(::moorea::opencl::functions().name(__VA_ARGS__), #name, __FILE__, __LINE__)

/// An OpenCL object, released by the destructor.
template <class Object, auto release>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Object object) : object_(object) {}
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() {
    if (object_ != nullptr) (functions().*release)(object_);
  }
  Object get() const { return object_; }

 private:
  Object object_ = nullptr;
};
using Queue = Owned<cl_command_queue, &Functions::clReleaseCommandQueue>;
using Memory = Owned<cl_mem, &Functions::clReleaseMemObject>;
using Program = Owned<cl_program, &Functions::clReleaseProgram>;
using Kernel = Owned<cl_kernel, &Functions::clReleaseKernel>;

/// A device of some platform.
struct Device {
  std::size_t number = 0;  ///< index in devices()
  cl_device_id id = nullptr;
  std::string name;           ///< "NVIDIA H200"
  std::string platform_name;  ///< "NVIDIA CUDA"
  std::string version;        ///< of device and driver, as far as compiled code depends on it
  std::string
      names;  ///< text that a device name is matched with: the platform's name and version, the device's
};

/// Returns all devices of all platforms, CPUs after the others, otherwise in the loader's order; failing
/// platforms are skipped.
const std::vector<Device>& devices();

/// Whether this process was forked after OpenCL had been used: drivers, whose threads are gone then, hang.
bool is_of_parent();

/// Returns the errors of skipped platforms and devices, or an empty text.
const std::string& left_out();

/// Returns a property of a device.
template <class Value>
Value device_info(cl_device_id device, cl_device_info what) {
  Value value{};
  MOOREA_CL(clGetDeviceInfo, device, what, sizeof value, &value, nullptr);
  return value;
}

/// Returns a property that is a text.
std::string device_text(cl_device_id device, cl_device_info what);

/// Returns the properties that kernels depend on.
kernels::OpenClTraits traits_of(const Device& device);

/// Returns the device's single context, which lasts as long as the process.
cl_context context_of(const Device& device);

/// Creates an in-order queue.
Queue make_queue(const Device& device);

/// Returns a program for one device: recently loaded, from the user's cache folder, or compiled. If
/// compilation fails, throws Error (run) with the compiler's messages and the path of the source, which is
/// kept; or, with `path`, that of the user's file that contains the text, which is compiled each time.
std::shared_ptr<const Program> program_for(const Device& device, const std::string& text,
                                           const char* path = nullptr);

}  // namespace moorea::opencl
