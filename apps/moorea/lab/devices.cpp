// SPDX-License-Identifier: MIT
#include "lab/devices.h"

#include <algorithm>

namespace app {
namespace {

// Whether the text can select one of several devices: "auto", or a part of a name as in "opencl:pocl".
bool is_ambiguous(const std::string& requested) {
  return requested == "opencl" || !moorea::DeviceRef::parse(requested);
}

}  // namespace

bool Devices::uses_cpus(const std::string& name) const {
  const std::string names = "," + name + ",";
  return std::any_of(list_.begin(), list_.end(), [&](const auto& each) {
    return each.uses_cpus && names.find("," + each.name + ",") != std::string::npos;
  });
}

bool Devices::can_be_opencl_on_cpus(const std::string& requested) const {
  return std::any_of(list_.begin(), list_.end(), [&](const auto& each) {
    return each.uses_cpus && moorea::backend_of_device(each.name) == moorea::Backend::opencl &&
           (each.name == requested || is_ambiguous(requested));
  });
}

}  // namespace app
