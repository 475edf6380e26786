// SPDX-License-Identifier: MIT
// Frequencies in files of Linux. Files stay open, since they are read a hundred times per second.
#include "lab/frequency_sources.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

namespace moorea {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(OpenFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile() {
    if (file_ >= 0) ::close(file_);
  }

  // The content of now; empty if it cannot be read.
  std::string_view text() {
    std::size_t size = 0;
    for (;;) {
      if (buffer_.size() < size + min_room) buffer_.resize(2 * (size + min_room));
      const ssize_t got =
          ::pread(file_, buffer_.data() + size, buffer_.size() - size, static_cast<off_t>(size));
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
    }
    return std::string_view(buffer_).substr(0, size);
  }

 private:
  static constexpr std::size_t min_room = 64;
  int file_;
  std::string buffer_;
};

// The number at the beginning of a text, rounded; 0 if there is none.
int number_of(std::string_view text) {
  const double number = std::strtod(std::string(text.substr(0, 32)).c_str(), nullptr);
  return number > 0 && number < 1e6 ? static_cast<int>(std::lround(number)) : 0;
}

int megahertz_of_kilohertz(std::string_view text) {
  const double number = std::strtod(std::string(text.substr(0, 32)).c_str(), nullptr);
  return number > 0 && number < 1e9 ? static_cast<int>(std::lround(number / 1000)) : 0;
}

class CpufreqSource final : public FrequencySource {
 public:
  CpufreqSource(const std::vector<int>& cpus, const std::string& root) {
    for (const int cpu : cpus)
      files_.emplace_back(fmt::format("{}/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq", root, cpu));
  }

  const char* name() const override { return "cpufreq"; }

  void read(std::vector<int>& megahertz) override {
    for (std::size_t i = 0; i < files_.size(); ++i) megahertz[i] = megahertz_of_kilohertz(files_[i].text());
  }

 private:
  std::vector<OpenFile> files_;
};

// The value of a line "key\t: value", or nothing if the line has another key.
std::string_view value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return {};
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view between = line.substr(key.size(), colon - key.size());
  if (between.find_first_not_of(" \t") != std::string_view::npos) return {};
  return line.substr(colon + 1);
}

class CpuinfoSource final : public FrequencySource {
 public:
  CpuinfoSource(const std::vector<int>& cpus, const std::string& root, bool nominal)
      : file_(root + "/proc/cpuinfo"), nominal_(nominal) {
    for (std::size_t i = 0; i < cpus.size(); ++i) places_[cpus[i]] = i;
  }

  const char* name() const override { return nominal_ ? "nominal" : "cpuinfo"; }

  void read(std::vector<int>& megahertz) override {
    std::fill(megahertz.begin(), megahertz.end(), 0);
    auto place = places_.end();
    for_each_line([&](std::string_view line) {
      if (const std::string_view number = value_of(line, "processor"); !number.empty()) {
        place = places_.find(std::atoi(std::string(number).c_str()));
      } else if (const std::string_view value = value_of(line, "cpu MHz");
                 !value.empty() && place != places_.end()) {
        megahertz[place->second] = number_of(value);
      }
    });
  }

  bool has_nominal_values() {
    bool has_flags = false, measured = false;
    for_each_line([&](std::string_view line) {
      const std::string_view flags = value_of(line, "flags");
      has_flags = has_flags || !flags.empty();
      measured = measured || flags.find(" aperfmperf") != std::string_view::npos;
    });
    return has_flags && !measured;
  }

 private:
  template <class Visit>
  void for_each_line(const Visit& visit) {
    const std::string_view text = file_.text();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      visit(text.substr(at, end - at));
      at = end + 1;
    }
  }

  OpenFile file_;
  bool nominal_;
  std::map<int, std::size_t> places_;  // in `megahertz`, by CPU
};

bool reads_any(FrequencySource& source, std::size_t cpus) {
  std::vector<int> megahertz(cpus);
  source.read(megahertz);
  return std::any_of(megahertz.begin(), megahertz.end(), [](int value) { return value > 0; });
}

}  // namespace

SourceSearch find_cpufreq(const std::vector<int>& cpus, const std::string& root) {
  auto source = std::make_unique<CpufreqSource>(cpus, root);
  if (reads_any(*source, cpus.size())) return {std::move(source), ""};
  return {nullptr, fmt::format("no CPU has {}/sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq", root)};
}

SourceSearch find_cpuinfo(const std::vector<int>& cpus, const std::string& root, bool nominal) {
  auto source = std::make_unique<CpuinfoSource>(cpus, root, nominal);
  if (!reads_any(*source, cpus.size()))
    return {nullptr, fmt::format("{}/proc/cpuinfo has no line \"cpu MHz\"", root)};
  if (source->has_nominal_values() != nominal) {
    return {nullptr,
            fmt::format("\"cpu MHz\" in {}/proc/cpuinfo is {}", root,
                        nominal ? "measured"
                                : "the nominal frequency, because the processor's flags lack aperfmperf")};
  }
  return {std::move(source), ""};
}

}  // namespace moorea
