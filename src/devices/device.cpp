// SPDX-License-Identifier: MIT
#include "moorea/device.h"

#include <fmt/core.h>

#include <charconv>

namespace moorea {
namespace {

constexpr Backend backends[] = {Backend::cpu, Backend::cuda, Backend::opencl};

}  // namespace

std::string_view to_string(Backend backend) {
  switch (backend) {
    case Backend::cpu:
      return "cpu";
    case Backend::cuda:
      return "cuda";
    case Backend::opencl:
      return "opencl";
  }
  return "";
}

std::optional<Backend> backend_of_device(std::string_view name) {
  const std::string_view kind = name.substr(0, name.find(':'));
  for (const Backend backend : backends) {
    if (kind == to_string(backend) && (backend != Backend::cpu || kind == name)) return backend;
  }
  return std::nullopt;
}

std::optional<DeviceRef> DeviceRef::parse(std::string_view name) {
  const std::optional<Backend> backend = backend_of_device(name);
  if (!backend) return std::nullopt;
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return DeviceRef{*backend, 0};
  const std::string_view number = name.substr(colon + 1);
  int index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  const bool is_canonical = number.size() == 1 || !number.starts_with('0');
  if (error != std::errc() || end != number.data() + number.size() || index < 0 || !is_canonical)
    return std::nullopt;
  return DeviceRef{*backend, index};
}

std::string DeviceRef::str() const {
  return backend == Backend::cpu ? std::string(to_string(backend))
                                 : fmt::format("{}:{}", to_string(backend), index);
}

}  // namespace moorea
