// SPDX-License-Identifier: MIT
// The processes of one run. Here it is one; a run that is divided among several (ranks) has its own class,
// whose functions all processes call in the same order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "cli/app.h"
#include "cli/world.h"
#include "moorea/checkpoint.h"
#include "moorea/simulation.h"

namespace app {

/// Saves the cells of a run, as moorea::CheckpointSaver.
class RunSaver {
 public:
  RunSaver() = default;
  RunSaver(const RunSaver&) = delete;
  RunSaver& operator=(const RunSaver&) = delete;
  virtual ~RunSaver() = default;

  virtual void save(const moorea::Simulation& simulation, const std::string& notes) = 0;
  /// Call between passes.
  virtual void advance() = 0;
  virtual bool busy() const = 0;
  virtual void wait() = 0;
  virtual moorea::CheckpointSaver::Report report() const = 0;
};

/// The modulus of Grid::hash(): hashes of parts of a world add up to that of the world.
constexpr std::uint64_t hash_modulus = (std::uint64_t{1} << 61) - 1;

/// The start that options describe.
struct DescribedStart {
  moorea::WorldSpec world;
  std::uint64_t generation = 0;
  std::function<std::uint64_t()> hash;  ///< of its cells, which are read or made for it
};

class RunProcesses {
 public:
  RunProcesses() = default;
  RunProcesses(const RunProcesses&) = delete;
  RunProcesses& operator=(const RunProcesses&) = delete;
  virtual ~RunProcesses() = default;

  virtual bool are_several() const { return false; }
  /// Whether this process creates the files that all have in common.
  virtual bool leads() const { return true; }
  /// The bits that are set on any process.
  virtual std::uint64_t any(std::uint64_t bits) const { return bits; }
  virtual bool exists(const std::string& file) const;
  /// Reads the whole checkpoint; throws moorea::Error (run) if it is damaged anywhere.
  virtual void verify(const std::string& file) const;
  /// Reads the pattern; throws moorea::Error.
  virtual DescribedStart start_of(const WorldOptions& options) const;
  virtual std::unique_ptr<RunSaver> make_saver(const std::string& file) const;
};

}  // namespace app
