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
  SoupsOnCpu(const GpuSoupsSpec& spec, const std::string& folder) : spec_(spec) {
    const kernels::RuntimeSource source = soups_source(spec.size);
    const std::string path = folder + "moorea_soups_text.cpp";
    std::ofstream text(path);
    text << "#include \"" MOOREA_SOURCE_DIR "/tests/cuda_on_cpu.h\"\n" << gpu_text(source, spec.rule);
    text << "extern \"C\" __attribute__((visibility(\"default\"))) void run_on_cpu(const void* call) {\n"
         << "  cuda_on_cpu::run_grid({1, 1}, " << (spec.size == 512 ? 128 : 32)
         << ", [=] { run_soups(*static_cast<const SoupsCall*>(call)); "
            "});\n}\n";
    text.close();
    setenv("CXXFLAGS", "-O1 -w", 1);
    run_ = reinterpret_cast<Run>(compile_and_find(path, "run_on_cpu"));
    unsetenv("CXXFLAGS");
    std::filesystem::remove(path);
  }

  std::size_t max_soups() const override { return spec_.max_soups; }
  void set_clusters(std::span<const gpu_soups::SoupCluster> places) override {
    clusters_.assign(places.begin(), places.end());
  }
  void begin(std::span<const gpu_soups::word> soups, std::span<const gpu_soups::SoupStart> starts) override {
    const std::size_t count = soups.size() / spec_.start_words();
    current_ = 1 - current_;
    results_[current_].resize(count);
    boards_[current_].resize(spec_.max_boards * spec_.board_words());
    int next = 0, boards = 0;
    gpu_soups::SoupsCall call{};
    call.soups = soups.data();
    call.starts = starts.empty() ? nullptr : starts.data();
    call.results = results_[current_].data();
    call.next = &next;
    call.count = static_cast<int>(count);
    call.max_generations = static_cast<int>(spec_.max_generations);
    call.clusters = clusters_.data();
    call.places = static_cast<unsigned>(clusters_.size());
    call.boards = boards_[current_].data();
    call.board_count = &boards;
    call.max_boards = static_cast<int>(spec_.max_boards);
    run_(&call);
  }
  bool is_ready() override { return true; }
  std::span<const gpu_soups::SoupResult> results() override { return results_[last_ = current_]; }
  std::span<const gpu_soups::word> board(const gpu_soups::SoupResult& result) const override {
    return std::span(boards_[last_])
        .subspan((result.board - std::size_t{1}) * spec_.board_words(), spec_.board_words());
  }

 private:
  using Run = void (*)(const void*);
  GpuSoupsSpec spec_;
  std::size_t current_ = 0, last_ = 0;
  std::vector<gpu_soups::SoupCluster> clusters_;
  std::vector<gpu_soups::SoupResult> results_[2];
  std::vector<gpu_soups::word> boards_[2];
  Run run_;
};

}  // namespace moorea
