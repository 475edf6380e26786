// SPDX-License-Identifier: MIT
// moorea study: measures and answers a question in one page.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/app.h"
#include "cli/numbers.h"
#include "cli/paths.h"
#include "lab/studies.h"
#include "moorea/error.h"
#include "moorea/support/nearest.h"
#include "moorea/support/output_file.h"

namespace app {
namespace {

struct StudyOptions {
  std::string name;
  std::string output;
  std::string results;
  std::string relative_to;
  bool quick = false;
  bool resume = false;
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Study& study : studies()) all.emplace_back(study.name);
  return all;
}

int study(const StudyOptions& options) {
  const auto found = std::find_if(studies().begin(), studies().end(),
                                  [&](const Study& each) { return each.name == options.name; });
  if (found == studies().end())
    throw moorea::Error(fmt::format("there is no study \"{}\"; expected one of {}{}", options.name,
                                    joined(names(), ", "), moorea::did_you_mean(options.name, names())),
                        moorea::ErrorKind::usage);
  const bool relative = !options.relative_to.empty();
  if (relative && !found->has_kernels)
    usage(fmt::format("--relative-to {}: study {} times no kernels; leave it out", options.relative_to,
                      found->name));
  if (options.output != "-") require_page_name("-o", options.output);
  require_different_files("-o", options.output, "--results", options.results);
  catch_interruption();
  // Both files are opened before the first measurement, so that no hour is spent for one that cannot be
  // written
  moorea::OutputFile page(options.output);
  std::optional<moorea::OutputFile> results;
  if (!options.results.empty()) results.emplace(options.results);
  Report report(
      found->title, found->question,
      fmt::format("moorea study {}{}{} -o report.html", found->name, options.quick ? " --quick" : "",
                  relative ? " --relative-to " + options.relative_to : ""),
      options.quick);
  if (relative) report.set_reference(Reference::parse(options.relative_to));
  const bool to_stdout = options.output == "-";
  if (to_stdout && options.resume) usage("--resume needs -o with the name of the file to continue");
  if (!to_stdout)
    report.keep_parts(fmt::format("{}.{}{}", options.output, found->name, options.quick ? "-quick" : ""),
                      options.resume);
  try {
    found->run(report);
  } catch (const WrongAnswer& error) {
    say_error(error.what());
    report.remove_parts();
    return results_differ;
  } catch (const moorea::Error& error) {
    if (!was_interrupted()) {
      if (!moorea::is_run_error(error.kind())) report.remove_parts();
      throw;
    }
    if (report.has_parts()) say(fmt::format("{}; --resume continues it", interruption_text()));
    return interruption_exit();
  }
  page.write(report.html());
  page.finish();
  if (results && report.documents().empty()) {
    say(fmt::format("this study times nothing: {} is not written", options.results));
  } else if (results) {
    for (const Json& document : report.documents())
      results->write(document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    results->finish();
  }
  report.remove_parts();
  if (const std::string busy = report.busy_warning(); !busy.empty()) say(busy);
  for (const std::string& sentence : report.findings()) say(sentence);
  return ok;
}

std::string descriptions() {
  std::string text;
  for (const Study& study : studies()) text += fmt::format("  {:10} {}\n", study.name, study.question);
  return text;
}

}  // namespace

Action add_study(CommandLine& line) {
  Command command = line.add_command("study", "Measure and answer one question, as an HTML report");
  const auto options = std::make_shared<StudyOptions>();
  command.add_option("name", options->name, joined(names(), ", ")).required();
  command.add_option("-o,--output", options->output, "The report, an HTML page; - is standard output")
      .required()
      .type_name("FILE");
  command
      .add_option("--results", options->results,
                  "Write all measurements here, as moorea bench does (reduction: as moorea reduce --json)")
      .type_name("FILE");
  command
      .add_option(
          "--relative-to", options->relative_to,
          "Measure this kernel too, and relate the speeds in tables and charts to it; with :N, with N "
          "threads")
      .type_name("KERNEL[:THREADS]");
  command.add_flag("--quick", options->quick, "Small worlds and few samples: under a minute on two cores");
  command.add_flag("--resume", options->resume,
                   "Go on with an interrupted study: its measurements are not repeated");
  command.footer(
      "Studies:\n" + descriptions() +
      "A report has the question, findings from the numbers, pictures with their numbers, the machine, "
      "and a table\n"
      "of all measurements. It opens without a network.\n"
      "Examples:\n"
      "  moorea study ladder --quick -o ladder.html\n"
      "  moorea study tiles -o tiles.html --results tiles.json");
  return [options] { return study(*options); };
}

}  // namespace app
