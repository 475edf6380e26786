// SPDX-License-Identifier: MIT
// Enumeration of OpenCL devices, or the reason why there is none.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include "devices/opencl.h"
#include "devices/opencl/runtime.h"

namespace moorea {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace

const char* opencl_unavailable_reason() {
  if (!opencl::functions().missing.empty()) return opencl::functions().missing.c_str();
  if (opencl::is_of_parent())
    return "OpenCL was used before this process was forked: use it in the first process alone, or start "
           "others by the method \"spawn\" of Python's multiprocessing";
  if (!opencl::devices().empty()) return nullptr;
  static const std::string reason =
      "OpenCL finds no device" +
      (opencl::left_out().empty() ? ": no platform is installed" : opencl::left_out());
  return reason.c_str();
}

std::vector<DeviceInfo> list_opencl() {
  std::vector<DeviceInfo> list;
  for (std::size_t i = 0; i < opencl::devices().size(); ++i) {
    const opencl::Device& device = opencl::devices()[i];
    const auto units = opencl::device_info<cl_uint>(device.id, CL_DEVICE_MAX_COMPUTE_UNITS);
    const auto bytes = opencl::device_info<cl_ulong>(device.id, CL_DEVICE_GLOBAL_MEM_SIZE);
    list.push_back({fmt::format("opencl:{}", i),
                    fmt::format("{}, {}, {} compute units", device.name, device.platform_name, units),
                    static_cast<int>(units), bytes, opencl_is_cpu(static_cast<int>(i))});
  }
  return list;
}

DeviceFacts opencl_facts(int device) {
  const cl_device_id id = opencl::devices()[static_cast<std::size_t>(device)].id;
  DeviceFacts facts;
  facts.driver = opencl::device_text(id, CL_DRIVER_VERSION);
  facts.api = opencl::device_text(id, CL_DEVICE_VERSION);
  facts.memory = opencl::device_info<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.cores.maximum = opencl::device_info<cl_uint>(id, CL_DEVICE_MAX_CLOCK_FREQUENCY);
  return facts;
}

int find_opencl(std::string_view name) {
  const std::vector<opencl::Device>& devices = opencl::devices();
  if (name == "opencl") return devices.empty() ? -1 : 0;
  if (!name.starts_with("opencl:")) return -1;
  name.remove_prefix(7);
  // Quotes around a name that has a comma or a plus sign
  if (name.size() >= 2 && name.starts_with('"') && name.ends_with('"'))
    name = name.substr(1, name.size() - 2);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size())
    return number < devices.size() ? static_cast<int>(number) : -1;
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const opencl::Device& device) {
    return !name.empty() && lower(device.names).find(lower(name)) != std::string::npos;
  });
  return found == devices.end() ? -1 : static_cast<int>(found - devices.begin());
}

bool opencl_is_cpu(int device) { return opencl::traits_of(opencl::devices()[device]).cpu; }

bool opencl_in_main_memory(int device) {
  const cl_device_id id = opencl::devices()[device].id;
  return opencl_is_cpu(device) || opencl::device_info<cl_bool>(id, CL_DEVICE_HOST_UNIFIED_MEMORY) == CL_TRUE;
}

}  // namespace moorea
