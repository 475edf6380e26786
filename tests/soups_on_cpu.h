// SPDX-License-Identifier: MIT
// The kernel for soups, compiled for the CPU in place of a GPU.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "devices/cuda.h"
#include "devices/gpu_soups.h"
#include "jit/system_compiler.h"

namespace moorea {

struct TableOnCpu final : GpuSoupTable {
  explicit TableOnCpu(std::span<const gpu_soups::SoupCluster> all) : places(all.begin(), all.end()) {}
  std::vector<gpu_soups::SoupCluster> places;
};

struct TablesOnCpu final : GpuSoupTables {
  std::shared_ptr<const GpuSoupTable> copy(std::span<const gpu_soups::SoupCluster> places) override {
    return std::make_shared<TableOnCpu>(places);
  }
};

class SoupsOnCpu final : public GpuSoups {
 public:
  /// `folder` is for the text, while it is compiled.
  SoupsOnCpu(const GpuSoupsSpec& spec, const std::string& folder) : spec_(spec) {
    const SoupsSource kept = soups_source(spec.size, spec.reach);
    const kernels::RuntimeSource source = kept.source();
    std::string text =
        "#include \"" MOOREA_SOURCE_DIR "/tests/cuda_on_cpu.h\"\n" + gpu_text(source, spec.rule);
    // Makes the soups before if there are names
    text += R"(
extern "C" __attribute__((visibility("default"))) void run_on_cpu(const void* call, const void* names,
                                                                   const void* numbers, void* soups) {
  const SoupsCall& all = *static_cast<const SoupsCall*>(call);
#if MOOREA_SOUP_SIZE == 128
  if (names != nullptr)
    cuda_on_cpu::run_grid({(static_cast<unsigned>(all.count) + 31) / 32, 1}, 32, [=] {
      make_soups(*static_cast<const SoupNames*>(names), static_cast<const unsigned long long*>(numbers),
                 all.count, static_cast<word*>(soups));
    });
#endif
  cuda_on_cpu::run_grid({1, 1}, 32, [=] { run_soups(all); });
}
)";
    run_ = compiled(text, folder);
  }

  std::size_t max_soups() const override { return spec_.max_soups; }
  void begin(std::span<const gpu_soups::word> soups, std::span<const gpu_soups::SoupStart> starts,
             std::shared_ptr<const GpuSoupTable> table) override {
    soups_.assign(soups.begin(), soups.end());
    run(starts, *table, nullptr, nullptr);
  }
  void begin(const gpu_soups::SoupNames& names, std::span<const std::uint64_t> numbers,
             std::shared_ptr<const GpuSoupTable> table) override {
    soups_.assign(numbers.size() * spec_.start_words(), 0);
    run({}, *table, &names, numbers.data());
  }
  bool is_ready() override { return true; }
  std::span<const gpu_soups::SoupResult> results() override {
    if (std::exchange(is_new_, false)) std::swap(current_, last_);
    return last_.results;
  }
  std::span<const gpu_soups::word> clusters(const gpu_soups::SoupResult& result) const override {
    return std::span(last_.clusters).subspan(result.first_cluster, result.cluster_count);
  }
  std::span<const gpu_soups::SoupShip> ships(const gpu_soups::SoupResult& result) const override {
    return std::span(last_.ships).subspan(result.first_ship, result.ship_count);
  }
  std::span<const gpu_soups::word> board(const gpu_soups::SoupResult& result) const override {
    return std::span(last_.boards)
        .subspan((result.board - std::size_t{1}) * spec_.board_words(), spec_.board_words());
  }

 private:
  using Run = void (*)(const void* call, const void* names, const void* numbers, void* soups);

  void run(std::span<const gpu_soups::SoupStart> starts, const GpuSoupTable& table,
           const gpu_soups::SoupNames* names, const std::uint64_t* numbers) {
    const std::size_t count = soups_.size() / spec_.start_words();
    const auto& places = static_cast<const TableOnCpu&>(table).places;
    current_.results.resize(count);
    current_.clusters.resize(spec_.max_clusters());
    current_.ships.resize(spec_.max_ships());
    current_.boards.resize(spec_.max_boards * spec_.board_words());
    gpu_soups::SoupCounters counters{};
    gpu_soups::SoupLists lists{};
    std::vector<gpu_soups::word> work(
        static_cast<std::size_t>(gpu_soups::soup_work_words(static_cast<int>(spec_.size))));
    gpu_soups::SoupsCall call{};
    call.soups = soups_.data();
    call.starts = starts.empty() ? nullptr : starts.data();
    call.results = current_.results.data();
    call.counters = &counters;
    call.count = static_cast<int>(count);
    call.max_generations = static_cast<int>(spec_.max_generations);
    call.clusters = places.data();
    call.places = static_cast<unsigned>(places.size());
    call.lists = &lists;
    call.work = work.data();
    call.clusters_of_all = current_.clusters.data();
    call.ships_of_all = current_.ships.data();
    call.max_clusters = static_cast<int>(spec_.max_clusters());
    call.max_ships = static_cast<int>(spec_.max_ships());
    call.boards = current_.boards.data();
    call.max_boards = static_cast<int>(spec_.max_boards);
    run_(&call, names, numbers, soups_.data());
    is_new_ = true;
  }

  // Each text once per process.
  static Run compiled(const std::string& text, const std::string& folder) {
    static std::map<std::string, Run> known;
    Run& run = known[text];
    if (run != nullptr) return run;
    // Of this process: shards run at the same time
    const std::string path = folder + "moorea_soups_text_" + std::to_string(getpid()) + ".cpp";
    std::ofstream(path) << text;
    setenv("CXXFLAGS", "-O1 -w", 1);
    run = reinterpret_cast<Run>(compile_and_find(path, "run_on_cpu"));
    unsetenv("CXXFLAGS");
    std::filesystem::remove(path);
    return run;
  }

  GpuSoupsSpec spec_;
  std::vector<gpu_soups::word> soups_;
  struct Results {
    std::vector<gpu_soups::SoupResult> results;
    std::vector<gpu_soups::word> clusters;
    std::vector<gpu_soups::SoupShip> ships;
    std::vector<gpu_soups::word> boards;
  };
  Results current_, last_;
  bool is_new_ = false;
  Run run_;
};

}  // namespace moorea
