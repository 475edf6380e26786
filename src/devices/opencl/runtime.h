// SPDX-License-Identifier: MIT
// OpenCL's errors as exceptions and its objects owned.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "devices/opencl/loader.h"
#include "kernels/kernel.h"

namespace moorea::opencl {

/// Throws Error with the call, OpenCL's name for the error, the place, and what to do.
void check(cl_int result, const char* call, const char* file, int line);
#define MOOREA_CL(name, ...) \
  ::moorea::opencl::check(::moorea::opencl::functions().name(__VA_ARGS__), #name, __FILE__, __LINE__)

/// One of OpenCL's objects, released at the end.
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
  std::size_t number = 0;  ///< in devices()
  cl_device_id id = nullptr;
  std::string name;           ///< "NVIDIA H200"
  std::string platform_name;  ///< "NVIDIA CUDA"
  std::string version;        ///< of device and driver, as far as compiled code depends on it
  std::string names;          ///< all that it may be called by: the platform's name and version, the device's
};

/// All devices of all platforms, CPUs behind the others, else in the loader's order; a platform that fails is
/// left out.
const std::vector<Device>& devices();

/// What platforms and devices that are left out said, or an empty text.
const std::string& left_out();

/// A device's value.
template <class Value>
Value device_info(cl_device_id device, cl_device_info what) {
  Value value{};
  MOOREA_CL(clGetDeviceInfo, device, what, sizeof value, &value, nullptr);
  return value;
}

/// What kernels depend on.
kernels::OpenClTraits traits_of(const Device& device);

/// The device's one context, which lasts as long as the process.
cl_context context_of(const Device& device);

/// A queue that does one command after the other.
Queue make_queue(const Device& device);

/// A program for one device: as it was loaded lately, from the user's cache folder, or compiled. Where it
/// cannot be compiled, throws Error (run) with the compiler's words and the path of the source, which is
/// kept; or with `path`, that of the user's file that the text is of, which is compiled each time.
std::shared_ptr<const Program> program_for(const Device& device, const std::string& text,
                                           const char* path = nullptr);

}  // namespace moorea::opencl
