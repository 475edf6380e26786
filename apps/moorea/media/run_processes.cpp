// SPDX-License-Identifier: MIT
#include "media/run_processes.h"

#include <algorithm>
#include <filesystem>

#include "cli/trees.h"

namespace app {
namespace {

class SingleSaver final : public RunSaver {
 public:
  explicit SingleSaver(const std::string& file) : saver_(file) {}

  void save(const moorea::Simulation& simulation, const std::string& notes) override {
    saver_.save(simulation, notes);
  }
  void advance() override {}
  bool busy() const override { return saver_.busy(); }
  void wait() override { saver_.wait(); }
  moorea::CheckpointSaver::Report report() const override { return saver_.report(); }

 private:
  moorea::CheckpointSaver saver_;
};

// A world of fixed size is hashed in bands, as it may be larger than the memory.
std::uint64_t hash_of_start(const World& world) {
  constexpr std::int64_t band_cells = 1 << 26;
  const moorea::WorldSpec& spec = world.spec();
  if (spec.is_unbounded() || spec.is_surface()) {
    moorea::Options options;
    options.device = "cpu";
    return world.simulate(options).hash();
  }
  std::uint64_t hash = 0;
  const std::int64_t band = std::max<std::int64_t>(1, band_cells / spec.width);
  for (std::int64_t y = 0; y < spec.height; y += band)
    hash = (hash + world.rows(y, std::min(band, spec.height - y)).hash({0, y})) % hash_modulus;
  return hash;
}

}  // namespace

bool RunProcesses::exists(const std::string& file) const {
  std::error_code error;
  return std::filesystem::exists(file, error);
}

void RunProcesses::verify(const std::string& file) const { moorea::CheckpointReader(file).verify(); }

DescribedStart RunProcesses::start_of(const WorldOptions& options) const {
  WorldOptions start = options;
  start.is_tree = begins_as_tree(options.pattern);
  const auto world = std::make_shared<World>(start);
  return {world->spec(), world->pattern() ? world->pattern()->generation : 0,
          [world] { return hash_of_start(*world); }};
}

std::unique_ptr<RunSaver> RunProcesses::make_saver(const std::string& file) const {
  return std::make_unique<SingleSaver>(file);
}

}  // namespace app
