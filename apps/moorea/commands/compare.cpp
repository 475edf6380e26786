// SPDX-License-Identifier: MIT
// moorea compare: compares two results files, configuration by configuration.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cli/app.h"
#include "moorea/error.h"
#include "report/relative.h"
#include "report/results.h"
#include "report/row_schema.h"
#include "report/statistics.h"

namespace app {
namespace {

struct CompareOptions {
  std::string before, now;
  double min_difference = 2;  // percent
  std::string relative_to;
  bool json = false;
};

// "+12.3%", or "10,500 x" for a factor of ten or more.
std::string change_text(double speed) {
  return speed < 10 ? fmt::format("{:+.1f}%", 100 * (speed - 1)) : human_number(speed) + " x";
}

class Compare {
 public:
  explicit Compare(const CompareOptions& options) : options_(options) {}

  int run() {
    if (options_.before == "-" && options_.now == "-")
      throw moorea::Error("standard input can be one of the two files only", moorea::ErrorKind::usage);
    Results before = read_results(options_.before), now = read_results(options_.now);
    if (!options_.relative_to.empty()) {
      const Reference reference = Reference::parse(options_.relative_to);
      relate(before, reference);
      relate(now, reference);
    }
    json_ = {{"before", before.about}, {"now", now.about}, {"compared", Json::array()}};
    json_["only_before"] = Json::array();
    json_["only_now"] = Json::array();
    if (before.devices != now.devices)
      say(fmt::format("{} and {} were not measured on machines alike", options_.before, options_.now));
    for (const Measurement* old : latest(before)) {
      if (find(now, *old) == nullptr) json_["only_before"].push_back(old->configuration);
    }
    for (const Measurement* measurement : latest(now)) {
      if (const Measurement* old = find(before, *measurement)) {
        compare_one(*old, *measurement);
      } else {
        json_["only_now"].push_back(measurement->configuration);
      }
    }
    if (json_["compared"].empty())
      throw moorea::Error(
          fmt::format("no configuration is in both {} and {}", options_.before, options_.now));
    if (options_.json) {
      print_json(json_);
    } else {
      print_table();
    }
    return worse_ ? results_differ : ok;
  }

 private:
  // The last measurement of a configuration, or null.
  static const Measurement* find(const Results& results, const Measurement& wanted) {
    const auto found =
        std::find_if(results.measurements.rbegin(), results.measurements.rend(),
                     [&](const Measurement& each) { return each.configuration == wanted.configuration; });
    return found == results.measurements.rend() ? nullptr : &*found;
  }

  // The last measurement of each configuration.
  static std::vector<const Measurement*> latest(const Results& results) {
    std::vector<const Measurement*> list;
    for (const Measurement& each : results.measurements) {
      if (find(results, each) == &each) list.push_back(&each);
    }
    return list;
  }

  void compare_one(const Measurement& before, const Measurement& now) {
    Json row = now.configuration;
    Comparison comparison;
    if (!before.seconds.samples.empty() && !now.seconds.samples.empty()) {
      comparison = compare(before.seconds, now.seconds, options_.min_difference / 100);
      row["cells_per_second_before"] = before.cells / summarise(before.seconds.samples).median;
      row["cells_per_second_now"] = now.cells / summarise(now.seconds.samples).median;
      row["speed"] = comparison.speed;
      row["faster_pairs"] = comparison.faster_pairs;
    }
    if (!options_.relative_to.empty()) {
      row["relative_to"] = options_.relative_to;
      row["times_reference_before"] = before.row.at("times_reference");
      row["times_reference_now"] = now.row.at("times_reference");
    }
    row["samples_before"] = before.seconds.samples.size();
    row["samples_now"] = now.seconds.samples.size();
    if (before.seconds.samples.empty() || now.seconds.samples.empty())
      comparison.reason = "a file has no samples, only their median";
    const bool old_busy = is_busy(before.row), new_busy = is_busy(now.row);
    if (old_busy || new_busy) {
      comparison.verdict = Verdict::unclear;
      comparison.reason = fmt::format("other processes used the CPUs {}", old_busy && new_busy ? "both times"
                                                                          : old_busy           ? "before"
                                                                                               : "now");
    }
    row["verdict"] = to_string(comparison.verdict);
    if (comparison.verdict == Verdict::unclear) row["reason"] = comparison.reason;
    worse_ = worse_ || comparison.verdict == Verdict::worse;
    json_["compared"].push_back(std::move(row));
  }

  // Values of the configuration that differ between rows.
  std::string varied(const Json& row) const {
    std::string text;
    for (const RowKey& each : row_schema()) {
      const std::string key = each.name;
      if (!each.configures || key == "kernel" || key == "width" || key == "height") continue;
      const Json value = row.contains(key) ? row[key] : Json();
      const bool differs = std::any_of(
          json_["compared"].begin(), json_["compared"].end(),
          [&](const Json& other) { return (other.contains(key) ? other[key] : Json()) != value; });
      if (differs) text += fmt::format("  {} {}", key, words(value));
    }
    return text;
  }

  void print_table() const {
    std::size_t width = 24;
    for (const Json& row : json_["compared"])
      width = std::max(width, row["kernel"].get<std::string>().size());
    const std::string reference =
        options_.relative_to.empty() ? "" : fmt::format("  x {} before, now", options_.relative_to);
    const auto times = [&](const Json& row) {
      if (reference.empty()) return std::string();
      return fmt::format("  {:>{}}",
                         fmt::format("{}, {}", human_number(row["times_reference_before"].get<double>()),
                                     human_number(row["times_reference_now"].get<double>())),
                         reference.size() - 2);
    };
    const auto rate = [](const Json& row, const char* key) {
      return row.contains(key) ? short_number(row[key].get<double>(), 4) : std::string("-");
    };
    print(fmt::format("{:{}} {:>13} {:>14} {:>14} {:>8}{}  {}\n", "kernel", width, "size", "cells/s before",
                      "cells/s now", "change", reference, "verdict"));
    std::map<std::string, int> verdicts;
    for (const Json& row : json_["compared"]) {
      const auto verdict = row["verdict"].get<std::string>();
      ++verdicts[verdict];
      print(fmt::format(
          "{:{}} {:>13} {:>14} {:>14} {:>8}{}  {}{}\n", row["kernel"].get<std::string>(), width,
          fmt::format("{}x{}", row["width"].dump(), row["height"].dump()),
          rate(row, "cells_per_second_before"), rate(row, "cells_per_second_now"),
          row.contains("speed") ? change_text(row["speed"].get<double>()) : "-", times(row),
          row.contains("reason") ? fmt::format("{}: {}", verdict, row["reason"].get<std::string>()) : verdict,
          varied(row)));
    }
    std::string sum;
    for (const auto& [verdict, number] : verdicts)
      sum += fmt::format("{}{} {}", sum.empty() ? "" : ", ", number, verdict);
    print(sum + "\n");
    for (const auto& [key, which] :
         {std::pair{"only_before", &options_.before}, {"only_now", &options_.now}}) {
      if (!json_[key].empty()) print(fmt::format("{} only in {}\n", json_[key].size(), *which));
    }
  }

  const CompareOptions& options_;
  Json json_;
  bool worse_ = false;
};

}  // namespace

Action add_compare(CommandLine& line) {
  Command command = line.add_command(
      "compare", "Compare two results of bench: better, worse, no difference, or unclear", false);
  const auto options = std::make_shared<CompareOptions>();
  command
      .add_option("before", options->before,
                  "Older results of moorea bench -o or --json; - is standard input")
      .required();
  command.add_option("now", options->now, "Newer results of moorea bench -o or --json").required();
  command
      .add_option("--min-difference", options->min_difference,
                  "Percent by which medians must differ to count. Default: 2")
      .range(0.0, 1000.0)
      .type_name("PERCENT");
  command
      .add_option("--relative-to", options->relative_to,
                  "Show in addition the speeds of both files relative to this kernel's in the same file")
      .type_name("KERNEL[:THREADS]");
  command.add_flag("--json", options->json, "Print JSON");
  command.footer(
      "Configurations that are in both files are compared by their timing samples. One is better, or worse,\n"
      "if it wins, or loses, 95 % of all pairs of an old and a new sample and the medians differ by more\n"
      "than --min-difference and by more than the rounds of either file differ from each other; otherwise\n"
      "there is no difference. The verdict is \"unclear\", with the reason, if a file has fewer than six\n"
      "samples, if the medians are not known to within 10 % or drift by more from round to round, or if "
      "other processes\n"
      "used the CPUs during a measurement.\n"
      "A change of the machine between two runs is invisible in both files: measure one right after the "
      "other.\n"
      "Examples:\n"
      "  moorea bench --json > before.json\n"
      "  moorea bench --json > now.json\n"
      "  moorea compare before.json now.json\n"
      "Exits with 3 when something is worse.");
  return [options] { return Compare(*options).run(); };
}

}  // namespace app
