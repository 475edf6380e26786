// SPDX-License-Identifier: MIT
#include "lab/grading.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>

#include "cli/child.h"
#include "cli/kernel_watch.h"
#include "cli/numbers.h"
#include "lab/crash_trial.h"
#include "moorea/pattern.h"
#include "moorea/support/bytes.h"
#include "moorea/support/scratch_folder.h"

namespace app {
namespace {

constexpr const char* ended_program = "it ended the program before the last generation";

// What the program said, with a compiler's messages, without its name.
std::string message_of(std::string text) {
  constexpr std::string_view name = "moorea: ";
  constexpr std::size_t longest = 4000;
  if (text.starts_with(name)) text.erase(0, name.size());
  while (text.ends_with('\n')) text.pop_back();
  return text.size() <= longest ? text : text.substr(0, longest) + " ...";
}

// `option` is the one that the kernel is given with.
std::vector<std::string> verify_arguments(const char* option, const std::string& kernel,
                                          const std::string& rule, const GradedWorld& world,
                                          const moorea::ScratchFolder& folder) {
  std::vector<std::string> words = {"verify",
                                    option,
                                    kernel,
                                    "--rule",
                                    rule,
                                    "--size",
                                    fmt::format("{}x{}", world.width, world.height),
                                    "--topology",
                                    world.is_torus ? "torus" : "plane",
                                    "-g",
                                    std::to_string(world.generations),
                                    "--threads",
                                    std::to_string(world.threads),
                                    "--json"};
  if (world.density > 0) {
    words.insert(words.end(),
                 {"--random", fmt::format("{}", world.density), "--seed", std::to_string(world.seed)});
  } else {
    moorea::Pattern pattern;
    pattern.cells = gliders_of(world);
    const std::string path = folder.path() / "gliders.rle";
    moorea::write_pattern(pattern, path);
    words.push_back(path);
  }
  return words;
}

// Where the cells differ first, or what the kernel wrote outside its block, by the JSON of moorea verify.
std::string difference_of(const Json& json) {
  if (json.contains("outside_block")) {
    const Json &cell = json["outside_block"]["cell"], &block = json["outside_block"]["block"];
    return fmt::format(
        "after generation {} it writes to cell ({}, {}), outside its block of {} x {} cells from "
        "({}, {}) on",
        json["generation"].dump(), cell["x"].dump(), cell["y"].dump(), block["width"].dump(),
        block["height"].dump(), block["x"].dump(), block["y"].dump());
  }
  const bool alive = json.value("alive", Json::object()).value("kernel", false);
  return fmt::format(
      "at generation {} cell ({}, {}) is {}{}", json["generation"].dump(), json["cell"]["x"].dump(),
      json["cell"]["y"].dump(), alive ? "alive instead of dead" : "dead instead of alive",
      json.value("repeatable", true) ? "" : "; repeated, it was right: static data, or a race");
}

// CPU seconds of what is not the kernel in a trial of some generations of a world: the start of a process,
// the reference, and comparisons.
struct OwnTime {
  double seconds = 0, updates = 1;

  double of(const GradedWorld& world) const { return seconds * std::max(1.0, updates_of(world) / updates); }
  static double updates_of(const GradedWorld& world) {
    return static_cast<double>(world.width) * static_cast<double>(world.height) * world.generations;
  }
};

// What is common to all processes that run the kernel.
struct Trials {
  const std::string& file;
  const GradingOptions& options;
  OwnTime own = {};
  moorea::ScratchFolder folder = {};

  // Temporary files of processes that are killed end with the folder.
  ChildOutput run(std::vector<std::string> arguments, double seconds, std::uint64_t memory) const {
    return read_child(std::move(arguments), seconds, memory,
                      {"MOOREA_COMPILED_KERNEL=" + (folder.path() / "kernel.so").string(),
                       "TMPDIR=" + folder.path().string()});
  }
};

// A word as a shell reads it.
std::string shell_word(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+_./,:=@") ==
      std::string::npos)
    return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// A command that repeats the trial, with the gliders in it.
std::string repetition(const Trials& trials, const GradedWorld& world) {
  std::vector<std::string> words =
      verify_arguments("--kernel-file", trials.file, trials.options.rule, world, trials.folder);
  std::string before;
  if (world.density == 0) {
    moorea::Pattern pattern;
    pattern.cells = gliders_of(world);
    words.back() = "-";
    before = "echo " + shell_word(moorea::format_pattern(pattern)) + " | ";
  }
  std::erase(words, "--json");
  std::string text = before + "moorea";
  for (const std::string& word : words) text += " " + shell_word(word);
  return text;
}

GradedTrial try_for(const Trials& trials, const GradedWorld& world, double seconds) {
  // Not for a compiler, and drivers of GPUs reserve much more than they use
  const bool is_limited = trials.file.ends_with(".cpp") && world.generations > 0;
  const std::uint64_t memory = is_limited ? trials.options.memory : 0;
  const ChildOutput child =
      trials.run(verify_arguments("--kernel-file", trials.file, trials.options.rule, world, trials.folder),
                 seconds + trials.own.of(world), memory);
  GradedTrial trial{world, Outcome::correct, "", ""};
  if (child.is_late) {
    trial.outcome = Outcome::endless;
    trial.reason = fmt::format("it did not end within {}", human_seconds(seconds));
  } else if (!child.end.started) {
    trial.outcome = Outcome::failed;
    trial.reason = "its process could not be started";
  } else if (child.end.signal != 0) {
    trial.outcome = Outcome::crash;
    trial.reason = strsignal(child.end.signal);
    for (const char* const words : {"an exception leaves the kernel", "terminate called"}) {
      const std::size_t thrown = child.error.find(words);
      if (thrown == std::string::npos) continue;
      trial.reason += ": " + child.error.substr(thrown, child.error.find('\n', thrown) - thrown);
      break;
    }
    if (memory != 0 && trial.reason.find("bad_alloc") != std::string::npos)
      trial.reason +=
          fmt::format("; it may have {} of memory", moorea::human_bytes(static_cast<double>(memory)));
  } else {
    // A kernel may end the program by itself, with any exit code: what the program says decides
    const Json json = Json::parse(child.out, nullptr, false);
    if (json.is_object()) trial.warnings = json.value("warnings", "");
    const bool is_result = !json.is_discarded() && json.is_object() && json.contains("same");
    const bool is_error = child.error.find("moorea: ") != std::string::npos &&
                          child.error.find(ended_words) == std::string::npos;
    if (child.end.exit == results_differ && is_result &&
        (json.contains("cell") || json.contains("outside_block"))) {
      trial.outcome = Outcome::wrong;
      trial.reason = difference_of(json);
      trial.is_outside = json.contains("outside_block");
    } else if (child.end.exit == ok && is_result && json.value("generation", 0) == world.generations) {
      trial.outcome = Outcome::correct;
    } else if (child.end.exit != ok && child.end.exit != results_differ && is_error) {
      trial.outcome = child.end.exit == unavailable ? Outcome::refused : Outcome::failed;
      trial.reason = message_of(child.error);
    } else {
      trial.outcome = Outcome::crash;
      trial.reason = ended_program;
    }
  }
  if (trial.outcome != Outcome::correct) trial.repeat = repetition(trials, world);
  if (child.left_behind > 0)
    trial.reason += fmt::format("{}it started processes, of which {} still ran and {} ended",
                                trial.reason.empty() ? "" : "; ", child.left_behind,
                                child.left_behind == 1 ? "was" : "were");
  return trial;
}

GradedTrial try_world(const Trials& trials, GradedWorld world) {
  GradedTrial trial = try_for(trials, world, trials.options.seconds);
  if (trial.outcome != Outcome::wrong || trial.is_outside || world.threads == 1 || was_interrupted())
    return trial;
  world.threads = 1;
  if (try_for(trials, world, trials.options.seconds).outcome == Outcome::correct)
    trial.reason += "; right with one thread: static data, a race, or cells written far outside the block";
  return trial;
}

// Compiles and loads the kernel, which is not to count as its time; OpenCL and CUDA compile for the first
// generation. Returns a trial that says why this fails, and nothing if trials in worlds are to say it.
std::optional<GradedTrial> prepare(const Trials& trials, std::string& warnings) {
  constexpr double compile_seconds = 60;
  GradedWorld world;
  world.width = world.height = 64;
  world.density = 0.5;
  const bool runs = !trials.file.ends_with(".cpp");
  world.generations = runs ? 1 : 0;
  const double seconds = compile_seconds + (runs ? trials.options.seconds : 0);
  GradedTrial trial = try_for(trials, world, seconds);
  warnings = std::move(trial.warnings);
  if (trial.outcome == Outcome::endless && !runs) {
    trial.outcome = Outcome::failed;
    trial.reason = fmt::format("it was not compiled and loaded within {}", human_seconds(seconds));
  }
  if (trial.reason.starts_with("cannot run the C++ compiler"))  // whatever the kernel is
    throw moorea::Error(trial.reason, moorea::ErrorKind::unavailable);
  if (trial.outcome == Outcome::failed || trial.outcome == Outcome::endless) return trial;
  return std::nullopt;
}

// Measured with the reference in place of the kernel as well, so that it is too much rather than too little.
OwnTime own_time(const Trials& trials) {
  constexpr double limit = 60;
  GradedWorld world;
  world.width = world.height = 512;
  world.density = 0.5;
  world.generations = 16;
  const ChildOutput child = trials.run(
      verify_arguments("--kernel", "cpu/reference", trials.options.rule, world, trials.folder), limit, 0);
  return {child.cpu_seconds, OwnTime::updates_of(world)};
}

// The torus in which bench times a kernel.
GradedWorld timed_world(const GradingOptions& options) {
  GradedWorld world;
  const moorea::Size size = parse_size(options.size);
  world.width = size.width, world.height = size.height;
  world.is_torus = true;
  world.density = 0.5;
  world.seed = options.seed;
  world.threads = options.threads.empty() ? 0 : std::stoi(options.threads);
  return world;
}

// Adds a trial if the kernel fails where it is timed.
void time_kernel(Grade& grade, const Trials& trials) {
  constexpr double patience = 6;  // trials' times a kernel, for its compilation, check and samples
  // Cells of the largest torus in which a kernel that takes as long as a trial may is endless, not slow
  constexpr std::int64_t max_tried = 1 << 24;
  const GradingOptions& options = trials.options;
  GradedWorld first = timed_world(options);
  first.generations = 2;
  if (first.width * first.height <= max_tried) {
    GradedTrial trial = try_world(trials, first);
    if (was_interrupted()) return;
    if (trial.outcome != Outcome::correct && trial.outcome != Outcome::refused) {
      grade.trials.push_back(std::move(trial));
      return;
    }
  }
  std::vector<std::string> words = {"bench",      "--kernel-file", grade.file,   "--rule",
                                    options.rule, "--size",        options.size, "--budget",
                                    "0.5",        "--rounds",      "3",          "--json"};
  words.insert(words.end(), {"--seed", std::to_string(options.seed)});
  if (!options.against.empty()) words.insert(words.end(), {"--kernel", joined(options.against, ",")});
  if (!options.threads.empty()) words.insert(words.end(), {"--threads", options.threads});
  const ChildOutput child =
      trials.run(words, patience * options.seconds * static_cast<double>(1 + options.against.size()), 0);
  const Json json = Json::parse(child.out, nullptr, false);
  if (was_interrupted()) return;
  const auto fail = [&](Outcome outcome, const std::string& reason) {
    grade.trials.push_back({timed_world(options), outcome, reason, ""});
  };
  if (child.end.signal != 0) return fail(Outcome::crash, strsignal(child.end.signal));
  if (child.is_late) {
    grade.not_timed = "it did not end in time";
    return;
  }
  if (json.is_discarded() || !json.contains("results")) {
    grade.not_timed = message_of(child.error);
    // The program would say why
    if (grade.not_timed.empty() || grade.not_timed.find(ended_words) != std::string::npos) {
      grade.not_timed.clear();
      fail(Outcome::crash, ended_program);
    }
    return;
  }
  for (const Json& row : json["not_timed"]) {
    if (row.value("kernel", "") != grade.file) continue;
    const std::string reason = row.value("reason", "");
    if (reason.starts_with(crash_words))
      fail(Outcome::crash, reason);
    else if (child.end.exit == results_differ)
      fail(Outcome::wrong, reason);
    else
      grade.not_timed = reason;
    return;
  }
  const auto row_of = [&](const std::string& name) {
    for (const Json& row : json["results"])
      if (row.value("kernel", "") == name) return row;
    return Json::object();
  };
  const Json row = row_of(grade.file);
  grade.cells_per_second = row.value("cells_per_second", 0.0);
  if (grade.cells_per_second == 0) {
    grade.not_timed = message_of(child.error);
    return;
  }
  grade.spread = row.value("spread", 0.0);
  grade.is_busy = row.value("busy", false);
  for (const std::string& name : options.against)
    if (const double other = row_of(name).value("cells_per_second", 0.0); other > 0)
      grade.relative.emplace_back(name, grade.cells_per_second / other);
}

}  // namespace

const char* to_string(Outcome outcome) {
  constexpr const char* names[] = {"correct", "refused", "wrong", "crash", "endless", "failed"};
  static_assert(std::size(names) == static_cast<std::size_t>(Outcome::failed) + 1);
  return names[static_cast<std::size_t>(outcome)];
}

int Grade::count(Outcome outcome) const {
  return static_cast<int>(std::ranges::count(trials, outcome, &GradedTrial::outcome));
}

bool Grade::is_right_or_refused() const {
  const int correct = count(Outcome::correct);
  return correct > 0 && correct + count(Outcome::refused) == static_cast<int>(trials.size());
}

Grade grade_kernel(const std::string& file, const GradingOptions& options,
                   const std::function<void(const GradedTrial&)>& on_trial) {
  Grade grade;
  grade.file = file;
  Trials trials{file, options};
  if (std::optional<GradedTrial> failure = prepare(trials, grade.warnings); failure && !was_interrupted()) {
    grade.is_compiled = false;
    grade.trials.push_back(std::move(*failure));
    return grade;
  }
  trials.own = own_time(trials);
  if (was_interrupted()) return grade;
  for (const GradedWorld& world : graded_worlds(options.seed, options.worlds)) {
    GradedTrial trial = try_world(trials, world);
    if (was_interrupted()) return grade;
    on_trial(trial);
    grade.trials.push_back(std::move(trial));
    // What cannot be compiled or read is the same in every world, and an endless loop takes its time in each
    const Outcome outcome = grade.trials.back().outcome;
    if (outcome == Outcome::failed || outcome == Outcome::endless) break;
  }
  if (grade.is_right_or_refused()) time_kernel(grade, trials);
  return grade;
}

}  // namespace app
