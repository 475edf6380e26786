// SPDX-License-Identifier: MIT
// What a run must know to be continued by another process and to be repeated elsewhere: its start, its goal,
// and the hash of its cells at powers of two. Checkpoints carry it as their notes, receipts are made of it.
#pragma once

#include <cstdint>
#include <string>

#include "cli/app.h"
#include "cli/world.h"
#include "media/run_processes.h"
#include "moorea/simulation.h"

namespace app {

class RunRecord {
 public:
  /// A run that begins with the simulation's present state, for so many generations.
  RunRecord(const WorldOptions& options, const moorea::Simulation& simulation, std::uint64_t generations);
  /// A run that continues, from the notes of its checkpoint.
  explicit RunRecord(Json notes) : json_(std::move(notes)) {}

  /// Whether notes are those of a run, and not of another program.
  static bool is_in(const Json& notes);

  /// Records the hash at each generation that is a power of two, from now on. The record must exist as long
  /// as the simulation advances.
  void watch(moorea::Simulation& simulation);

  std::uint64_t begin() const { return json_["begin"]; }
  std::uint64_t goal() const { return json_["goal"]; }
  void set_goal(std::uint64_t generation) { json_["goal"] = generation; }
  const Json& json() const { return json_; }
  void set(const char* key, const Json& value) { json_[key] = value; }
  /// As JSON text, for CheckpointSaver::save().
  std::string notes() const { return json_.dump(-1, ' ', false, Json::error_handler_t::replace); }

  /// Whether a receipt can name the start: not if it is a large pattern from standard input.
  bool can_be_repeated() const;
  /// The receipt of the run up to the simulation's present generation.
  Json receipt(const moorea::Simulation& simulation) const;

 private:
  void watch_from(moorea::Simulation& simulation, std::uint64_t power);

  Json json_;
  moorea::Observation observation_;
};

/// The options of the command line that describe the start of a run, without those that were not given.
Json world_options_json(const WorldOptions& options);

/// The options of world_options_json() as they are typed.
std::string world_options_text(const Json& options);

/// Whether the start that options describe is that of the run that notes are of: its world and its cells,
/// however they are spelled.
bool is_start_of(const Json& notes, const WorldOptions& options, const DescribedStart& described);
/// Whether the notes are of one run, maybe at different generations.
bool is_one_run(const Json& notes, const Json& others);

/// The start of the run that a receipt is of. Throws moorea::Error (usage) for a text that is no receipt, and
/// (run) if the pattern or the mesh that it names has changed.
moorea::Simulation simulate_receipt(const Json& receipt, const moorea::Options& options);

/// Reads a receipt. Throws moorea::Error (run) for a file that cannot be read, (usage) for one that is no
/// receipt.
Json read_receipt(const std::string& path);

}  // namespace app
