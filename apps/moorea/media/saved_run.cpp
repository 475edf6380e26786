// SPDX-License-Identifier: MIT
#include "media/saved_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <utility>

#include "moorea/checkpoint.h"
#include "moorea/error.h"
#include "moorea/support/output_file.h"

namespace app {
namespace {

constexpr std::uint64_t default_generations = 1000;

// Distributes the values of --every: a time is for checkpoints, generations are for pictures.
void distribute_every(SavedRunOptions& options, DumpOptions& dump) {
  CheckpointOptions& checkpoint = options.checkpoint;
  for (const std::string& every : options.every) {
    const bool time = checkpoint.wanted() && is_duration(every);
    if (!time && dump.files.empty()) {
      usage(checkpoint.wanted()
                ? fmt::format(
                      "--every {}: expected a time such as 10m; --every-generations takes generations", every)
                : "--every and --dump-format are for --dump");
    }
    (time ? checkpoint.every : dump.every) = every;
  }
  if (!checkpoint.wanted() && !checkpoint.every_generations.empty())
    usage("--every-generations is for --checkpoint FILE");
}

// Where each rank computed which rows.
Json divided_json(const Json& ranks) {
  Json all = Json::array();
  for (const Json& rank : ranks) {
    Json& each = all.emplace_back(Json::object());
    for (const char* key : {"host", "device", "hardware", "kernel", "threads", "y", "rows"})
      if (rank.contains(key)) each[key] = rank[key];
  }
  return all;
}

}  // namespace

void add_saved_run_options(Command& command, SavedRunOptions& options) {
  command
      .add_repeated("--every", options.every,
                    "With --dump: the first generation and each that is a multiple of it, default 1. With "
                    "--checkpoint: a time between two checkpoints, such as 30s or 2h, default 10m")
      .type_name("N|TIME");
  command
      .add_option("--checkpoint", options.checkpoint.file,
                  "Save the run here at intervals, at its end, and on SIGTERM, SIGUSR1 and Ctrl-C; --resume "
                  "continues it (docs/checkpoints.md)")
      .type_name("FILE");
  command
      .add_option(
          "--every-generations", options.checkpoint.every_generations,
          "With --checkpoint: save each generation that is a multiple of it, instead of every 10 minutes")
      .type_name("N");
  command.add_flag(
      "--resume", options.checkpoint.resume,
      "Continue a run to its end: from the checkpoint that is named as the pattern; or, with "
      "--checkpoint FILE, from FILE if it exists, otherwise from the start. -g counts from the start "
      "of the run");
  command
      .add_option("--receipt", options.receipt,
                  "Write start, versions, devices and hashes of the run here, for moorea replay")
      .type_name("FILE.json");
}

NamedFiles output_files(const SavedRunOptions& options, const RunFiles& files) {
  NamedFiles outputs = {
      {"-o", files.output}, {"--populations", files.populations}, {"--receipt", options.receipt}};
  std::ranges::move(checkpoint_files(options.checkpoint), std::back_inserter(outputs));
  return outputs;
}

namespace {

// As require_separate_files(), but the checkpoint's own files are not compared with each other: another run
// that saves gives one of them the name of the next for a moment.
void require_separate_outputs(const NamedFiles& outputs, const NamedFiles& own, const NamedFiles& inputs) {
  NamedFiles others = outputs;
  std::erase_if(others, [&](const auto& file) { return std::ranges::find(own, file) != own.end(); });
  require_separate_files(others, inputs);
  for (const auto& file : own) {
    NamedFiles with_one = others;
    with_one.push_back(file);
    require_separate_files(with_one, inputs);
  }
}

}  // namespace

void require_own_files(SavedRunOptions& options, const WorldOptions& world, const RunFiles& files) {
  name_checkpoint(options.checkpoint, world);
  NamedFiles outputs = output_files(options, files);
  require_separate_outputs(outputs, checkpoint_files(options.checkpoint), files.inputs);
  if (options.checkpoint.is_pattern) return;
  // -o may replace the pattern: it is complete by then, and the run goes on in its own file
  std::erase_if(outputs, [](const auto& file) { return file.first == "-o"; });
  require_separate_outputs(outputs, checkpoint_files(options.checkpoint), {{"the pattern", world.pattern}});
}

SavedStart::SavedStart(const SavedRunOptions& given, const std::string& generations_text, WorldOptions& world,
                       DumpOptions& dump, const RunProcesses& all)
    : options(given),
      processes(all),
      generations(generations_text.empty() ? default_generations
                                           : parse_count(generations_text, "generations")) {
  distribute_every(options, dump);
  if (options.checkpoint.wanted() && processes.leads()) {
    if (const char* reason = moorea::checkpoints_unavailable_reason())
      throw moorea::Error(reason, moorea::ErrorKind::unavailable);
    lock.emplace(options.checkpoint.file, "checkpoint");
  }
  resumed = find_resumption(options.checkpoint, world, processes);
  if (!resumed || !RunRecord::is_in(resumed->notes)) return;
  const RunRecord record(resumed->notes);
  const std::uint64_t goal = generations_text.empty() ? record.goal() : record.begin() + generations;
  generations = goal - std::min(goal, resumed->header.generation);
  if (generations == 0)
    say(fmt::format("{}: the run ended at generation {}; -g counts from its start", resumed->file,
                    resumed->header.generation));
}

SavedRun::SavedRun(const SavedStart& start, const WorldOptions& world, moorea::Simulation& simulation)
    : options_(start.options), processes_(start.processes) {
  if (start.resumed) start.resumed->check(simulation);
  if (!options_.receipt.empty()) {
    if (processes_.leads()) {
      const moorea::OutputFile can_be_created(options_.receipt);
    }
  } else if (!options_.checkpoint.wanted()) {
    return;
  }
  if (start.resumed && RunRecord::is_in(start.resumed->notes)) {
    record_ = std::make_unique<RunRecord>(start.resumed->notes);
    record_->set_goal(simulation.generation() + start.generations);
  } else {
    record_ = std::make_unique<RunRecord>(world, simulation, start.generations);
  }
  if (!options_.receipt.empty() && !record_->can_be_repeated())
    usage(
        "--receipt: the start from standard input is too large for a receipt; save it in a file, and name "
        "that");
  record_->set("every", options_.checkpoint.every);
  record_->set("every_generations", options_.checkpoint.every_generations);
  record_->watch(simulation);
  if (!options_.checkpoint.wanted()) return;
  const bool saved = start.resumed && start.resumed->file == options_.checkpoint.file;
  checkpoints_.emplace(options_.checkpoint, SavedThings{*record_, simulation, processes_},
                       saved ? std::optional(simulation.generation()) : std::nullopt);
}

void SavedRun::keep_texts(const moorea::Pattern& pattern) {
  if (!record_ || (pattern.name.empty() && pattern.author.empty() && pattern.comments.empty())) return;
  constexpr std::size_t most = 65'536;  // bytes; the whole header is read at once
  std::size_t bytes = pattern.name.size() + pattern.author.size();
  for (const std::string& comment : pattern.comments) bytes += comment.size() + 8;
  if (bytes > most) return say("checkpoints keep no comments of more than 64 KiB");
  record_->set("about", {{"name", pattern.name}, {"author", pattern.author}, {"comments", pattern.comments}});
}

SaveNews SavedRun::poll() { return checkpoints_ ? checkpoints_->poll() : SaveNews(); }

void SavedRun::finish() {
  if (!checkpoints_) return;
  saved_ = checkpoints_->finish();
  if (!saved_) say_error(checkpoints_->result());
}

void SavedRun::report(Json& json, const moorea::Simulation& simulation) const {
  if (checkpoints_) json["checkpoints"] = checkpoints_->json();
  if (options_.receipt.empty()) return;
  Json receipt = record_->receipt(simulation);
  if (!processes_.leads()) return;
  if (json.contains("ranks")) receipt["ranks"] = divided_json(json["ranks"]);
  moorea::OutputFile file(options_.receipt);
  file.write(receipt.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  file.finish();
}

int SavedRun::end(const moorea::Simulation& simulation, int interruption) const {
  if (interruption != 0) {
    say(fmt::format("{} at generation {}{}", interruption_text(interruption), simulation.generation(),
                    saved_ ? fmt::format("; {}, --resume continues from it", checkpoints_->result()) : ""));
    // A scheduler that ended a run which is saved sees no failure
    return saved_ && interruption == 128 + SIGTERM ? int{ok} : interruption;
  }
  return checkpoints_ && !saved_ ? run_error : ok;
}

}  // namespace app
