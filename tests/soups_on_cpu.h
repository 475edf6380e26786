// SPDX-License-Identifier: MIT
// The kernel for soups, compiled for the CPU in place of a GPU.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "devices/cuda.h"
#include "devices/gpu_soups.h"
#include "jit/system_compiler.h"

namespace moorea {

class SoupsOnCpu final : public GpuSoups {
 public:
  /// `folder` is for the text, while it is compiled.
  SoupsOnCpu(const Rule& rule, std::int64_t size, std::uint64_t max_generations, std::size_t max_soups,
             const std::string& folder)
      : max_generations_(static_cast<int>(max_generations)), max_soups_(max_soups) {
    const kernels::RuntimeSource source = soups_source(size);
    const std::string path = folder + "moorea_soups_text.cpp";
    std::ofstream text(path);
    text << "#include \"" MOOREA_SOURCE_DIR "/tests/cuda_on_cpu.h\"\n" << gpu_text(source, rule);
    text << "extern \"C\" __attribute__((visibility(\"default\"))) void run_on_cpu(const void* call) {\n"
         << "  cuda_on_cpu::run_grid({1, 1}, 32, [=] { run_soups(*static_cast<const SoupsCall*>(call)); "
            "});\n}\n";
    text.close();
    setenv("CXXFLAGS", "-O1 -w", 1);
    run_ = reinterpret_cast<Run>(compile_and_find(path, "run_on_cpu"));
    unsetenv("CXXFLAGS");
    std::filesystem::remove(path);
  }

  std::size_t max_soups() const override { return max_soups_; }
  void set_clusters(std::span<const gpu_soups::SoupCluster> places) override {
    clusters_.assign(places.begin(), places.end());
  }
  void begin(std::span<const std::uint64_t> soups) override {
    const std::size_t count = soups.size() / gpu_soups::soup_side;
    results_[current_ = 1 - current_].resize(count);
    int next = 0;
    const gpu_soups::SoupsCall call = {reinterpret_cast<const unsigned long long*>(soups.data()),
                                       results_[current_].data(),
                                       &next,
                                       static_cast<int>(count),
                                       max_generations_,
                                       clusters_.data(),
                                       static_cast<unsigned>(clusters_.size())};
    run_(&call);
  }
  std::span<const gpu_soups::SoupResult> results() override { return results_[current_]; }

 private:
  using Run = void (*)(const void*);
  int max_generations_;
  std::size_t max_soups_, current_ = 0;
  std::vector<gpu_soups::SoupCluster> clusters_;
  std::vector<gpu_soups::SoupResult> results_[2];
  Run run_;
};

}  // namespace moorea
