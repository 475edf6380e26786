// SPDX-License-Identifier: MIT
#include "devices/opencl/runtime.h"

#include <CL/cl_ext.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string_view>

#include "moorea/error.h"

namespace moorea::opencl {
namespace {

const char* error_name(cl_int code) {
  switch (code) {
#define MOOREA_NAME(name) \
  case name:              \
    return #name;
    MOOREA_NAME(CL_DEVICE_NOT_FOUND)
    MOOREA_NAME(CL_DEVICE_NOT_AVAILABLE)
    MOOREA_NAME(CL_COMPILER_NOT_AVAILABLE)
    MOOREA_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    MOOREA_NAME(CL_OUT_OF_RESOURCES)
    MOOREA_NAME(CL_OUT_OF_HOST_MEMORY)
    MOOREA_NAME(CL_BUILD_PROGRAM_FAILURE)
    MOOREA_NAME(CL_INVALID_VALUE)
    MOOREA_NAME(CL_INVALID_DEVICE)
    MOOREA_NAME(CL_INVALID_BINARY)
    MOOREA_NAME(CL_INVALID_BUILD_OPTIONS)
    MOOREA_NAME(CL_INVALID_KERNEL_NAME)
    MOOREA_NAME(CL_INVALID_KERNEL_ARGS)
    MOOREA_NAME(CL_INVALID_WORK_DIMENSION)
    MOOREA_NAME(CL_INVALID_WORK_GROUP_SIZE)
    MOOREA_NAME(CL_INVALID_WORK_ITEM_SIZE)
    MOOREA_NAME(CL_INVALID_BUFFER_SIZE)
#undef MOOREA_NAME
    default:
      return "an error";
  }
}

const char* advice(cl_int code) {
  switch (code) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_INVALID_BUFFER_SIZE:
      return "; use a smaller world or another device";
    case CL_INVALID_WORK_GROUP_SIZE:
    case CL_INVALID_WORK_ITEM_SIZE:
      return "; use a smaller block";
    default:
      return "";
  }
}

std::string text_of(cl_platform_id platform, cl_platform_info what) {
  char text[512] = {};
  functions().clGetPlatformInfo(platform, what, sizeof text - 1, text, nullptr);
  return text;
}

struct Found {
  std::vector<Device> devices;
  std::string left_out;
};

void add_device(cl_device_id id, const std::string& platform, const std::string& platform_version,
                std::vector<Device>& devices) {
  if (device_info<cl_bool>(id, CL_DEVICE_AVAILABLE) == CL_FALSE ||
      device_info<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE)
    throw Error("it is not available, or has no compiler");
  const std::string name = device_text(id, CL_DEVICE_NAME);
  devices.push_back({0, id, name, platform,
                     device_text(id, CL_DEVICE_VERSION) + ' ' + device_text(id, CL_DRIVER_VERSION),
                     platform + ' ' + platform_version + ' ' + name});
}

Found find() {
  Found found;
  if (!functions().missing.empty()) return found;
  cl_uint count = 0;
  // Without any platform, the loader itself returns an error
  if (functions().clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return found;
  std::vector<cl_platform_id> platforms(count);
  MOOREA_CL(clGetPlatformIDs, count, platforms.data(), nullptr);
  for (const cl_platform_id platform : platforms) {
    const std::string name = text_of(platform, CL_PLATFORM_NAME),
                      version = text_of(platform, CL_PLATFORM_VERSION);
    cl_uint number = 0;
    cl_int result = functions().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &number);
    std::vector<cl_device_id> ids(number);
    if (result == CL_SUCCESS && number > 0)
      result = functions().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, number, ids.data(), nullptr);
    if (result != CL_SUCCESS || number == 0) {
      found.left_out += fmt::format("; {} gives no device: {} ({})", name, error_name(result), result);
      continue;
    }
    for (const cl_device_id id : ids) {
      try {
        add_device(id, name, version, found.devices);
      } catch (const Error& error) {
        found.left_out += fmt::format("; a device of {} is left out: {}", name, error.what());
      }
    }
  }
  // The fastest first: a machine with a GPU often has a platform for its CPU too
  std::stable_partition(found.devices.begin(), found.devices.end(), [](const Device& device) {
    return (device_info<cl_device_type>(device.id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) == 0;
  });
  for (std::size_t i = 0; i < found.devices.size(); ++i) found.devices[i].number = i;
  return found;
}

const Found& found() {
  static const Found once = find(), none;
  return is_of_parent() ? none : once;
}

}  // namespace

bool is_of_parent() {
  static const pid_t first = ::getpid();
  return ::getpid() != first;
}

void check(cl_int result, const char* call, const char* file, int line) {
  if (result == CL_SUCCESS) return;
  std::string_view name = file;
  name.remove_prefix(name.rfind('/') + 1);
  const bool no_memory = result == CL_MEM_OBJECT_ALLOCATION_FAILURE || result == CL_OUT_OF_HOST_MEMORY;
  throw Error(fmt::format("OpenCL: {} ({}) in {}, {}:{}{}", error_name(result), result, call, name, line,
                          advice(result)),
              no_memory ? ErrorKind::memory : ErrorKind::run);
}

std::string device_text(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  MOOREA_CL(clGetDeviceInfo, device, what, 0, nullptr, &size);
  std::string text(size, '\0');
  MOOREA_CL(clGetDeviceInfo, device, what, size, text.data(), nullptr);
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

const std::vector<Device>& devices() { return found().devices; }

const std::string& left_out() { return found().left_out; }

kernels::OpenClTraits traits_of(const Device& device) {
  kernels::OpenClTraits traits;
  traits.cpu = (device_info<cl_device_type>(device.id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  traits.compute_units = static_cast<int>(device_info<cl_uint>(device.id, CL_DEVICE_MAX_COMPUTE_UNITS));
  cl_uint major = 0, minor = 0;
  // Other platforms may report the attributes too, but have another compiler
  if (device.platform_name == "NVIDIA CUDA" &&
      functions().clGetDeviceInfo(device.id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, sizeof major, &major,
                                  nullptr) == CL_SUCCESS &&
      functions().clGetDeviceInfo(device.id, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, sizeof minor, &minor,
                                  nullptr) == CL_SUCCESS)
    traits.compute_capability = static_cast<int>(10 * major + minor);
  return traits;
}

cl_context context_of(const Device& device) {
  static std::mutex guard;
  static std::vector<cl_context> contexts(devices().size());
  const std::lock_guard lock(guard);
  cl_context& context = contexts[device.number];
  if (context == nullptr) {
    cl_int error = CL_SUCCESS;
    context = functions().clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &error);
    check(error, "clCreateContext", __FILE__, __LINE__);
  }
  return context;
}

Queue make_queue(const Device& device) {
  cl_int error = CL_SUCCESS;
  Queue queue(functions().clCreateCommandQueue(context_of(device), device.id, 0, &error));
  check(error, "clCreateCommandQueue", __FILE__, __LINE__);
  return queue;
}

}  // namespace moorea::opencl
