// SPDX-License-Identifier: MIT
#include "moorea/lab/meters.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "devices/cuda.h"

namespace moorea {
namespace {

std::optional<double> number_in(const std::string& path) {
  std::ifstream file(path);
  double number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

std::string line_in(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

EnergyMeter::EnergyMeter(const std::string& device, std::string powercap) {
  const std::optional<DeviceRef> named = DeviceRef::parse(device);
  if (named && named->backend == Backend::cuda) {
    gpu_ = named->index;
    const std::optional<double> now = gpu_joules();
    gpu_last_ = now.value_or(0);
    if (!now) absent_ = "NVML does not report this GPU's energy";
    return;
  }
  if (!named || named->backend != Backend::cpu) {
    absent_ = "OpenCL devices do not report their energy";
    return;
  }
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(powercap, none)) {
    // Some machines list the package a second time, as intel-rapl-mmio:0
    const std::string folder = entry.path().string();
    if (!entry.path().filename().string().starts_with("intel-rapl:") ||
        !line_in(folder + "/name").starts_with("package-"))
      continue;
    const std::optional<double> now = number_in(folder + "/energy_uj"),
                                range = number_in(folder + "/max_energy_range_uj");
    if (!now || !range) absent_ = fmt::format("this user may not read {}/energy_uj", folder);
    counters_.push_back({folder + "/energy_uj", now.value_or(0), range.value_or(0)});
  }
  if (counters_.empty()) absent_ = fmt::format("there are no RAPL counters in {}", powercap);
}

std::optional<double> EnergyMeter::gpu_joules() const { return gpu_ >= 0 ? gpu_energy(gpu_) : std::nullopt; }

std::optional<double> EnergyMeter::joules() {
  if (!absent_.empty()) return std::nullopt;
  if (gpu_ >= 0) {
    const std::optional<double> now = gpu_joules();
    if (!now) return std::nullopt;
    return *now - std::exchange(gpu_last_, *now);
  }
  double microjoules = 0;
  for (Counter& counter : counters_) {
    const std::optional<double> now = number_in(counter.file);
    if (!now) return std::nullopt;
    const double since = *now - std::exchange(counter.last, *now);
    microjoules += since < 0 ? since + counter.range : since;
  }
  return microjoules / 1e6;
}

}  // namespace moorea
