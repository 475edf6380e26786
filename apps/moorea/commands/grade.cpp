// SPDX-License-Identifier: MIT
// moorea grade: kernels from files, as courses collect them, tried in worlds of many shapes and timed beside
// Moorea's own.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/input_files.h"
#include "cli/numbers.h"
#include "cli/paths.h"
#include "cli/status_line.h"
#include "cli/world.h"
#include "lab/grading.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/plan.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"
#include "moorea/support/bytes.h"
#include "moorea/support/nearest.h"
#include "moorea/support/output_file.h"
#include "report/csv.h"
#include "report/page.h"

namespace app {
namespace {

struct GradeCommand {
  std::vector<std::string> files;
  std::vector<std::string> against;
  std::string rule = "Life";
  std::string size = "1024";
  std::string threads;
  std::string seed = "0";
  std::string worlds = "24";
  std::string seconds = "10s";
  std::string memory = "4G";
  std::string output;
  std::string csv;
  bool json = false;
};

// Throws moorea::Error for a kernel that does not run here.
void require_kernel(const std::string& name, const moorea::Rule& rule) {
  std::vector<std::string> names;
  for (const moorea::KernelInfo& kernel : moorea::list_kernels(rule)) {
    if (kernel.name == name) {
      if (kernel.runs) return;
      throw moorea::Error(fmt::format("--against {}: {}", name,
                                      // Its remedy is for a command that has --kernel
                                      kernel.reason.substr(0, kernel.reason.find(": leave the kernel out"))),
                          moorea::ErrorKind::unavailable);
    }
    names.push_back(kernel.name);
  }
  usage(fmt::format("--against: there is no kernel \"{}\"{}", name, moorea::did_you_mean(name, names)));
}

// Throws moorea::Error (usage) for names that are no kernels' or no page's and for two uses of one file,
// (run) for a file that cannot be read.
void require_files(const GradeCommand& command) {
  if (!command.output.empty()) require_page_name("-o", command.output);
  if (command.json && command.csv == "-")
    usage("--csv - and --json both want standard output: name a file for the table");
  if (has_kernel_ending(command.csv))
    usage(fmt::format("--csv {}: it is named as a kernel; a table has another ending", command.csv));
  NamedFiles kernels;
  for (const std::string& file : command.files) kernels.emplace_back("the kernel", file);
  require_separate_files({{"--csv", command.csv}, {"-o", command.output}}, kernels);
  for (const std::string& file : command.files) {
    require_kernel_ending(file, "");
    if (::access(file.c_str(), R_OK) == 0) continue;
    const int error = errno;
    throw moorea::Error(fmt::format("{}: cannot be read: {}{}", file, std::strerror(error),
                                    error == ENOENT ? moorea::nearest_file(file) : ""));
  }
}

// Those that run the rule; if none does, the kernel by which Moorea runs it on a CPU.
std::vector<std::string> default_against(const moorea::Rule& rule) {
  std::vector<std::string> names;
  for (const std::string name : {"cpu/ladder/01_serial", "cpu/bits"})
    if (moorea::kernel_info(name, rule).runs) names.push_back(name);
  if (!names.empty()) return names;
  moorea::Options options;
  options.device = "cpu";
  constexpr std::int64_t side = 1024;
  const moorea::RunPlan plan = moorea::plan_run({rule, moorea::Topology::torus, side, side}, options);
  return {moorea::KernelPair::parse(plan.kernel).busy};
}

GradingOptions grading_options(const GradeCommand& command) {
  const moorea::Rule rule = moorea::Rule::parse(command.rule);
  GradingOptions options;
  options.against = command.against;
  if (options.against.empty()) options.against = default_against(rule);
  for (const std::string& name : options.against) require_kernel(name, rule);
  options.rule = command.rule;
  parse_size(command.size);
  options.size = command.size;
  if (!command.threads.empty()) parse_from_one(command.threads, "--threads", 4096);
  options.threads = command.threads;
  options.seed = parse_whole(command.seed, "--seed", INT64_MAX);
  options.worlds = static_cast<int>(parse_from_one(command.worlds, "--worlds", 10000));
  options.seconds = parse_duration(command.seconds, "--time-limit");
  options.memory = moorea::parse_bytes(command.memory, "memory");
  constexpr std::uint64_t min_memory = 64 << 20;  // the program itself has some
  if (options.memory < min_memory)
    usage(fmt::format("--memory-limit {}: expected at least 64M", command.memory));
  return options;
}

constexpr const char* busy_remark = ", other processes used the CPUs: measure again when they have ended";

// The first trial with the worst outcome, or null if the kernel is correct.
const GradedTrial* worst_trial(const Grade& grade) {
  if (grade.is_correct() || grade.trials.empty()) return nullptr;
  return &*std::ranges::max_element(grade.trials, {}, &GradedTrial::outcome);
}

std::string verdict(const Grade& grade) {
  const GradedTrial* const worst = worst_trial(grade);
  const int tried = static_cast<int>(grade.trials.size());
  const int number = worst == nullptr ? grade.count(Outcome::correct) : grade.count(worst->outcome);
  const auto in_worlds = [&](const char* what) {
    return fmt::format("{} in {} of {}", what, number, counted(static_cast<std::uint64_t>(tried), "world"));
  };
  switch (worst == nullptr ? Outcome::correct : worst->outcome) {
    case Outcome::wrong:
      return in_worlds("wrong");
    case Outcome::crash:
      return in_worlds("crashes");
    case Outcome::endless:
      return "does not end in time";
    case Outcome::failed:
      return "cannot be tried";
    case Outcome::refused:
      return number == tried ? "refuses all worlds"
                             : fmt::format("correct in {} of {} worlds, refused in the others",
                                           grade.count(Outcome::correct), tried);
    case Outcome::correct:
      break;
  }
  return tried == 0 ? "not tried" : in_worlds("correct");
}

// What cannot be compiled, or is refused everywhere, has no world to blame.
bool is_of_world(const Grade& grade) {
  return grade.is_compiled && grade.count(Outcome::failed) == 0 &&
         grade.count(Outcome::refused) != static_cast<int>(grade.trials.size());
}

std::string speed_text(const Grade& grade) {
  if (grade.cells_per_second == 0) return grade.not_timed.empty() ? "" : "not timed: " + grade.not_timed;
  std::string text = fmt::format("{} cells/s (spread {:.0f} %{})", human_rate(grade.cells_per_second),
                                 100 * grade.spread, grade.is_busy ? busy_remark : "");
  for (const auto& [name, factor] : grade.relative)
    text += fmt::format(", {} times {}", human_number(factor), name);
  return text;
}

std::string grade_text(const Grade& grade) {
  std::string text = fmt::format("{}: {}\n", grade.file, verdict(grade));
  if (const std::string speed = speed_text(grade); !speed.empty()) text += "  " + speed + "\n";
  if (const GradedTrial* const worst = worst_trial(grade); worst != nullptr) {
    text += fmt::format("  {}{}\n", is_of_world(grade) ? worst->world.str() + ": " : "", worst->reason);
    if (is_of_world(grade) && !worst->repeat.empty()) text += fmt::format("  repeat: {}\n", worst->repeat);
  }
  if (!grade.warnings.empty()) text += fmt::format("  the compiler warns:\n{}\n", grade.warnings);
  return text;
}

Json grade_json(const Grade& grade) {
  Json json = {{"file", grade.file},
               {"correct", grade.is_correct()},
               {"verdict", verdict(grade)},
               {"worlds", grade.trials.size()},
               {"correct_worlds", grade.count(Outcome::correct)},
               {"refused_worlds", grade.count(Outcome::refused)},
               {"cells_per_second", grade.cells_per_second == 0 ? Json() : Json(grade.cells_per_second)},
               {"relative", Json::object()},
               {"trials", Json::array()}};
  if (grade.cells_per_second != 0) json["spread"] = grade.spread, json["busy"] = grade.is_busy;
  if (!grade.not_timed.empty()) json["not_timed"] = grade.not_timed;
  if (!grade.warnings.empty()) json["warnings"] = grade.warnings;
  for (const auto& [name, factor] : grade.relative) json["relative"][name] = factor;
  for (const GradedTrial& trial : grade.trials) {
    const GradedWorld& world = trial.world;
    Json entry = {{"topology", world.is_torus ? "torus" : "plane"},
                  {"width", world.width},
                  {"height", world.height},
                  {"density", world.density},
                  {"seed", world.seed},
                  {"generations", world.generations},
                  {"threads", world.threads},
                  {"outcome", to_string(trial.outcome)}};
    if (!trial.reason.empty()) entry["reason"] = trial.reason;
    if (!trial.repeat.empty()) entry["repeat"] = trial.repeat;
    json["trials"].push_back(std::move(entry));
  }
  return json;
}

std::string page(const std::vector<Grade>& grades, const GradingOptions& options) {
  std::vector<std::vector<std::string>> lines = {{"kernel", "verdict", "cells/s", "spread"}};
  for (const std::string& name : options.against) lines[0].push_back("times " + name);
  std::string details;
  for (const Grade& grade : grades) {
    const bool is_timed = grade.cells_per_second != 0;
    std::vector<std::string> line = {
        grade.file, verdict(grade), is_timed ? short_number(grade.cells_per_second) : "-",
        is_timed ? fmt::format("{:.0f} %{}", 100 * grade.spread, grade.is_busy ? " (busy machine)" : "")
                 : "-"};
    for (const std::string& name : options.against) {
      std::string factor = "-";
      for (const auto& [other, times] : grade.relative)
        if (other == name) factor = human_number(times);
      line.push_back(factor);
    }
    lines.push_back(std::move(line));
    std::vector<std::vector<std::string>> trials = {{"world", "generations", "outcome", "reason"}};
    for (const GradedTrial& trial : grade.trials) {
      std::string reason = trial.reason.empty() ? "-" : trial.reason;
      if (!trial.repeat.empty() && is_of_world(grade)) reason += "\nrepeat: " + trial.repeat;
      trials.push_back({grade.is_compiled ? trial.world.str() : "-",
                        grade.is_compiled ? std::to_string(trial.world.generations) : "-",
                        to_string(trial.outcome), reason});
    }
    details += html_heading(grade.file);
    if (const std::string speed = speed_text(grade); !speed.empty()) details += html_note(speed);
    if (!grade.warnings.empty()) details += html_table({{"the compiler warns"}, {grade.warnings}});
    details += html_table(trials);
  }
  const Json machine = machine_json();
  const std::string facts = fmt::format(
      "Rule {}; seed {} of {}; timed in a torus of {} with {} on {}. Moorea {}, revision {}, {}.",
      options.rule, options.seed, counted(static_cast<std::uint64_t>(options.worlds), "world"), options.size,
      options.threads.empty() ? "all cores" : counted(std::stoull(options.threads), "thread"),
      moorea::list_devices().front().description, moorea::version(), moorea::revision(),
      machine["date"].get<std::string>());
  std::string heading = "<h1>Grades</h1>\n";
  if (was_interrupted()) heading += html_note("Interrupted: other kernels were to be graded, too.");
  return html_page("Grades", heading + html_table(lines) + html_note(facts) + details);
}

// A line for each kernel, for a spreadsheet.
std::string grades_csv(const std::vector<Grade>& grades, const GradingOptions& options) {
  const std::vector<const char*> keys = {
      "file",           "correct",          "verdict", "worlds", "correct_worlds",
      "refused_worlds", "cells_per_second", "spread",  "busy"};
  std::vector<Json> head(keys.begin(), keys.end());
  for (const std::string& name : options.against) head.push_back("times_" + name);
  head.push_back("reason");
  std::string text = csv_line(head);
  for (const Grade& grade : grades) {
    const Json json = grade_json(grade);
    std::vector<Json> line;
    for (const char* const key : keys) line.push_back(json.value(key, Json()));
    for (const std::string& name : options.against) line.push_back(json["relative"].value(name, Json()));
    const GradedTrial* const worst = worst_trial(grade);
    line.push_back(worst != nullptr ? worst->reason : grade.not_timed);
    text += csv_line(line);
  }
  return text;
}

int grade(const GradeCommand& command) {
  const GradingOptions options = grading_options(command);
  require_files(command);
  std::optional<moorea::OutputFile> report;  // opened before anything takes long
  std::optional<moorea::OutputFile> table;
  if (!command.output.empty()) report.emplace(command.output);
  if (!command.csv.empty()) table.emplace(command.csv);
  catch_interruption();
  std::vector<Grade> grades;
  StatusLine status;
  for (const std::string& file : command.files) {
    std::size_t tried = 0;
    status.show(fmt::format("{}: is compiled", file));
    grades.push_back(grade_kernel(file, options, [&](const GradedTrial&) {
      ++tried;
      if (status.due()) status.show(fmt::format("{}: world {} of {}", file, tried, options.worlds));
    }));
    status.clear();
    if (was_interrupted()) {
      grades.pop_back();  // part of a grade is none
      break;
    }
    if (!command.json && command.csv != "-") print(grade_text(grades.back()));
  }
  if (command.json) {
    Json json = machine_json();
    json["rule"] = options.rule;
    json["seed"] = options.seed;
    json["size"] = options.size;
    json["grades"] = Json::array();
    for (const Grade& each : grades) json["grades"].push_back(grade_json(each));
    if (was_interrupted()) add_interruption(json);
    print_json(json);
  }
  if (report && !grades.empty()) {
    report->write(page(grades, options));
    report->finish();
  }
  if (table && !grades.empty()) {
    table->write(grades_csv(grades, options));
    table->finish();
  }
  if (was_interrupted()) {
    const std::vector<std::string> rest(command.files.begin() + std::ssize(grades), command.files.end());
    say(fmt::format("{}; not graded: {}", interruption_text(), joined(rest, ", ")));
    return interruption_exit();
  }
  if (std::ranges::all_of(grades, [](const Grade& each) { return each.is_correct(); })) return ok;
  const bool any_wrong = std::ranges::any_of(grades, [](const Grade& each) {
    const int right = each.count(Outcome::correct) + each.count(Outcome::refused);
    return right != static_cast<int>(each.trials.size());
  });
  return any_wrong ? results_differ : unavailable;
}

}  // namespace

Action add_grade(CommandLine& line) {
  Command command =
      line.add_command("grade", "Try and time kernels from files, as courses collect them", false);
  const auto options = std::make_shared<GradeCommand>();
  command.add_repeated("files", options->files, "Kernels: .cpp, .cu or .cl (docs/your-own-kernel.md)")
      .required();
  command
      .add_list(
          "--against", options->against,
          "Kernels to which speeds are related. Default: cpu/ladder/01_serial,cpu/bits, or under a rule that "
          "neither runs, the one by which a CPU runs it")
      .type_name("NAME,...");
  command.add_option("-r,--rule", options->rule, "Rule. Default: Life").type_name("RULE");
  command
      .add_option("--seed", options->seed,
                  "Seed of the worlds in which they are tried: another one has other shapes and cells. "
                  "Default: 0")
      .type_name("S");
  command.add_option("--worlds", options->worlds, "Number of worlds. Default: 24").type_name("N");
  command
      .add_option("--time-limit", options->seconds,
                  "Maximum CPU time of a kernel in a world, and up to four times as long by the clock. Its\n"
                  "compilation has a minute before. Default: 10s")
      .type_name("TIME");
  command
      .add_option("--memory-limit", options->memory,
                  "Maximum memory of a kernel in C++ in a world. Default: 4G")
      .type_name("BYTES");
  command.add_option("--size", options->size, "Size of the torus in which they are timed. Default: 1024")
      .type_name("WxH");
  command.add_option("--threads", options->threads, "Threads with which they are timed. Default: all cores")
      .type_name("N");
  command.add_option("-o,--output", options->output, "Write a report as an HTML page").type_name("FILE");
  command.add_option("--csv", options->csv, "Write a table with a line for each kernel; - is standard output")
      .type_name("FILE");
  command.add_flag("--json", options->json, "Print the grades as JSON");
  command.footer(
      "Each trial is a process of its own: a crash and an endless loop are named, and end nothing else. The\n"
      "files are compiled and run with your rights: grade what strangers wrote in a container.\n"
      "Exit codes: 0 all are correct, 3 one is not, 4 some refuse worlds, as of another rule or device.\n"
      "Examples:\n"
      "  moorea grade mine.cpp\n"
      "  moorea grade submissions/*.cpp --against cpu/ladder/04_avx2 --seed 2026 -o grades.html");
  return [options] { return grade(*options); };
}

}  // namespace app
