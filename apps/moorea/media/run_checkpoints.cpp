// SPDX-License-Identifier: MIT
#include "media/run_checkpoints.h"

#include <fmt/core.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cli/file_lock.h"
#include "cli/paths.h"
#include "moorea/error.h"
#include "moorea/support/nine_cells.h"
#include "moorea/support/output_file.h"

namespace app {
namespace {

constexpr const char* default_every = "10m";

volatile std::sig_atomic_t checkpoint_requested = 0;

// The last complete checkpoint of FILE and FILE.previous; empty if neither exists.
std::string last_complete(const std::string& file, const RunProcesses& processes) {
  std::string failure;
  for (const std::string& name : {file, moorea::previous_checkpoint(file)}) {
    if (!processes.exists(name)) continue;
    try {
      processes.verify(name);
      if (name != file)
        say(fmt::format("{}; the run continues from {}", failure.empty() ? file + " is missing" : failure,
                        name));
      return name;
    } catch (const moorea::Error& error) {
      if (failure.empty()) failure = error.what();
    }
  }
  if (!failure.empty()) throw moorea::Error(failure);
  return "";
}

bool is_checkpoint(const std::string& file) {
  try {
    // What a pipe has can be read only once
    std::error_code error;
    return std::filesystem::is_regular_file(file, error) &&
           !moorea::CheckpointReader(file).header().version.empty();
  } catch (const moorea::Error&) {
    return false;
  }
}

[[noreturn]] void refuse_other_run(const Json& notes, const std::string& file) {
  usage(fmt::format(
      "{} is the checkpoint of another run, moorea run {}: give the same start, or another --checkpoint",
      file, world_options_text(notes["command"])));
}

// Throws unless the options of a command describe the start of the run in a checkpoint.
void require_start(const Json& notes, const WorldOptions& world, const std::string& file,
                   const RunProcesses& processes) {
  const Json given = world_options_json(world);
  if (given.empty() || is_start_of(notes, world, processes.start_of(world))) return;
  if (notes["command"] != given || world.pattern.empty()) refuse_other_run(notes, file);
  usage(
      fmt::format("{} has changed since the run in {} began: give the same start, or leave it out as in "
                  "moorea run {} --resume",
                  world.pattern == "-" ? "standard input" : world.pattern, file, file));
}

// Throws unless the run in `file` is that of another checkpoint, or began with its cells.
void require_run_of(const std::string& checkpoint, const Json& notes, const std::string& file) {
  const moorea::CheckpointHeader header = moorea::CheckpointReader(checkpoint).header();
  const Json start = notes.at("start"), others = Json::parse(header.notes);
  const bool began_there = start.at("generation") == header.generation &&
                           start.at("hash") == hash_text(header.hash) &&
                           notes.at("rule") == header.rule.str();
  if (!began_there && !(RunRecord::is_in(others) && is_one_run(notes, others))) refuse_other_run(notes, file);
}

}  // namespace

void catch_checkpoint_request() {
  struct sigaction action {};
  action.sa_handler = [](int) { checkpoint_requested = 1; };
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
}

void Resumption::check(const moorea::Simulation& simulation) const {
  if (simulation.hash() == header.hash && simulation.population() == header.population) return;
  throw moorea::Error(fmt::format("{}: the cells have the hash {} after loading, but were saved with {}: {}",
                                  file, hash_text(simulation.hash()), hash_text(header.hash),
                                  "try another --device or --kernel"));
}

void name_checkpoint(CheckpointOptions& options, const WorldOptions& world) {
  if (!options.wanted()) return;
  options.is_pattern = options.file.empty() || (options.resume && same_file(options.file, world.pattern));
  if (options.file.empty()) options.file = world.pattern;
  if (options.file.empty())
    usage("--resume: name the checkpoint, as in moorea run FILE --resume, or add --checkpoint FILE");
  const char* option = options.is_pattern ? "--resume with the pattern" : "--checkpoint";
  if (options.file == "-")
    usage(fmt::format("{} -: a checkpoint is a file; standard input and output cannot be one", option));
  // A link stays, and its file is replaced
  std::error_code error;
  if (std::filesystem::is_symlink(options.file, error)) options.file = resolved_path(options.file);
  for (const auto& [name, file] : checkpoint_files(options)) {
    if (is_special_file(file))
      usage(fmt::format("{} {}: {} is a {}; name an ordinary file", option, options.file, file,
                        std::filesystem::is_directory(file, error) ? "folder" : "pipe or a device"));
  }
}

NamedFiles checkpoint_files(const CheckpointOptions& options) {
  if (options.file.empty()) return {};
  return {{"the checkpoint", options.file},
          {"the checkpoint before", moorea::previous_checkpoint(options.file)},
          {"the checkpoint that is written", options.file + ".partial"},
          {"the lock of the checkpoint", lock_of(options.file)}};
}

std::optional<Resumption> find_resumption(CheckpointOptions& options, WorldOptions& world,
                                          const RunProcesses& processes) {
  if (!options.resume) {
    if (options.file.empty()) return std::nullopt;
    const std::string before = moorea::previous_checkpoint(options.file);
    const bool continues = is_checkpoint(options.file) || is_checkpoint(before);
    for (const std::string& file : {options.file, before}) {
      if (!processes.exists(file)) continue;
      const std::string found =
          fmt::format("--checkpoint {}: {} exists", options.file, file == options.file ? "the file" : file);
      usage(found + (continues ? "; --resume continues from it, or remove it to begin again"
                               : ", and is not a checkpoint; name another one"));
    }
    return std::nullopt;
  }
  const bool of_pattern = options.is_pattern;
  std::string file = last_complete(options.file, processes);
  if (file.empty() && of_pattern) {
    throw moorea::Error(
        fmt::format("{}: there is no checkpoint, and no {}; begin the run with --checkpoint {}", options.file,
                    moorea::previous_checkpoint(options.file), options.file));
  }
  const bool continues_pattern = of_pattern || is_checkpoint(world.pattern);
  if (file.empty() && continues_pattern) file = world.pattern;
  if (file.empty()) return std::nullopt;
  WorldOptions start = world;
  if (continues_pattern) start.pattern.clear();
  if (continues_pattern && (!world_options_json(start).empty() || !start.seed.empty()))
    usage("--resume keeps the world of the checkpoint: leave the options of rule, size and start out");
  Resumption resumed = {file, moorea::CheckpointReader(file).header(), {}};
  resumed.notes = Json::parse(resumed.header.notes);
  if (resumed.header.edge_met) {
    say(fmt::format(
        "{}: memory ended the growth of this plane at generation {}; from here on it may grow again", file,
        *resumed.header.edge_met));
  }
  if (RunRecord::is_in(resumed.notes) && !of_pattern && file != world.pattern) {
    if (continues_pattern) {
      require_run_of(world.pattern, resumed.notes, file);
    } else {
      require_start(resumed.notes, world, file, processes);
    }
  }
  if (options.every.empty() && options.every_generations.empty()) {
    options.every = resumed.notes.value("every", "");
    options.every_generations = resumed.notes.value("every_generations", "");
  }
  world = {};
  world.pattern = file;
  return resumed;
}

RunCheckpoints::RunCheckpoints(const CheckpointOptions& options, const SavedThings& things,
                               std::optional<std::uint64_t> saved)
    : file_(options.file),
      record_(things.record),
      simulation_(things.simulation),
      processes_(things.processes),
      saver_(processes_.make_saver(options.file)),
      begun_(saved) {
  moorea::require_two_states(simulation_.rule(), "--checkpoint");
  if (processes_.leads()) {
    const moorea::OutputFile can_be_created(file_);
  }
  if (options.every_generations.empty()) {
    every_ = parse_duration(options.every.empty() ? default_every : options.every, "--every");
  } else {
    if (!options.every.empty()) usage("--every and --every-generations: leave one of them out");
    const std::uint64_t every = parse_count(options.every_generations, "--every-generations");
    if (every == 0) usage("--every-generations 0: expected at least 1");
    observation_ = simulation_.observe(every, [this](const moorea::Simulation&) { save(); });
  }
}

void RunCheckpoints::save() {
  last_ = Clock::now();
  begun_ = simulation_.generation();
  saver_->save(simulation_, record_.notes());
}

SaveNews RunCheckpoints::poll() {
  saver_->advance();
  if (const auto report = saver_->report(); report.failed > failures_said_) {
    failures_said_ = report.failed;
    return {fmt::format("{}; the run goes on, and tries again later", report.failure), true};
  }
  constexpr std::uint64_t requested = 1, due = 2;
  const bool is_due = every_ > 0 && since(last_) >= every_ && !saver_->busy();
  const std::uint64_t wanted =
      processes_.any((checkpoint_requested != 0 ? requested : 0) | (is_due ? due : 0));
  // Launchers send a signal to one process after the other: by the next call all have it
  const bool waits = (wanted & requested) != 0 && processes_.are_several() && !was_requested_;
  was_requested_ = waits;
  if ((wanted & requested) != 0 && !waits) {
    checkpoint_requested = 0;
    save();
    return {
        fmt::format("SIGUSR1: a checkpoint of generation {} goes to {}", simulation_.generation(), file_)};
  }
  if ((wanted & due) != 0) save();
  return {};
}

bool RunCheckpoints::finish() {
  observation_.remove();
  saver_->wait();
  if (begun_ != simulation_.generation() || !saver_->report().failure.empty()) {
    save();
    saver_->wait();
  }
  return saver_->report().failure.empty();
}

std::string RunCheckpoints::result() const {
  const auto report = saver_->report();
  if (report.failure.empty())
    return fmt::format("checkpoint of generation {} in {}", begun_.value_or(0), file_);
  return fmt::format("{}; the last state is not saved{}", report.failure,
                     report.written > 0 || processes_.exists(file_)
                         ? fmt::format(", an earlier one is in {}", file_)
                         : std::string());
}

Json RunCheckpoints::json() const {
  const auto report = saver_->report();
  Json json = {{"file", file_},
               {"written", report.written},
               {"failed", report.failed},
               {"generation", report.written > 0 ? report.generation : begun_.value_or(0)},
               {"bytes", report.bytes},
               {"pause_seconds", report.pause_seconds},
               {"longest_pause_seconds", report.longest_pause_seconds},
               {"write_seconds", report.write_seconds},
               {"copy_bytes", report.copy_bytes},
               {"copied_on_device", report.copied_on_device}};
  if (!report.failure.empty()) json["failure"] = report.failure;
  return json;
}

}  // namespace app
