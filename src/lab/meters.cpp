// SPDX-License-Identifier: MIT
#include "moorea/lab/meters.h"

#include <fmt/core.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>

#include "devices/cpu/placement.h"
#include "devices/cuda.h"
#include "model/statistics.h"

namespace moorea {
namespace {

constexpr auto frequency_interval = std::chrono::milliseconds(50);

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

struct FrequencyMeter::State {
  struct Core {
    int number;
    std::string file;
    std::vector<double> kilohertz;
  };
  std::vector<Core> cores;
  std::string absent;
  std::thread thread;
  std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false;

  void sample_until_stopped() {
    std::unique_lock lock(mutex);
    do {
      for (Core& core : cores) {
        if (const std::optional<double> now = number_in(core.file)) core.kilohertz.push_back(*now);
      }
    } while (!wake.wait_for(lock, frequency_interval, [this] { return stopping; }));
  }
};

FrequencyMeter::FrequencyMeter(const std::string& cpus) : state_(std::make_unique<State>()) {
  for (const int cpu : allowed_cpus()) {
    std::string file = fmt::format("{}/cpu{}/cpufreq/scaling_cur_freq", cpus, cpu);
    if (number_in(file)) state_->cores.push_back({cpu, std::move(file), {}});
  }
  if (state_->cores.empty())
    state_->absent = fmt::format("there is no {}/cpu*/cpufreq/scaling_cur_freq", cpus);
}

FrequencyMeter::~FrequencyMeter() { stop(); }

const std::string& FrequencyMeter::unavailable_reason() const { return state_->absent; }

void FrequencyMeter::start() {
  if (state_->cores.empty() || state_->thread.joinable()) return;
  state_->stopping = false;
  state_->thread = std::thread([this] { state_->sample_until_stopped(); });
}

void FrequencyMeter::stop() {
  if (!state_->thread.joinable()) return;
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_one();
  state_->thread.join();
}

std::map<int, double> FrequencyMeter::megahertz() const {
  std::map<int, double> medians;
  const std::lock_guard lock(state_->mutex);
  for (const State::Core& core : state_->cores) {
    if (!core.kilohertz.empty()) medians[core.number] = median(core.kilohertz) / 1000;
  }
  return medians;
}

}  // namespace moorea
