// SPDX-License-Identifier: MIT
// Study of generated code: rules that are compiled at run time.
#include <fmt/core.h>

#include "lab/studies.h"
#include "lab/study_findings.h"
#include "lab/study_occupancy.h"
#include "moorea/inventory.h"

namespace app {
namespace {

constexpr const char* unnamed_rule = "B3678/S345";

// `gates` is the ratio of Life's gates to the unnamed rule's.
std::string rule_text(const std::string& kernel, const Measurement& life, const Measurement& unnamed,
                      double gates) {
  if (!is_quiet(life) || !is_quiet(unnamed)) return fmt::format("{}: {}.", kernel, not_quiet);
  std::string sentence =
      fmt::format("{} runs it at {:.0f} % of Life's speed; by the gates alone it would be {:.0f} %", kernel,
                  100 * rate(unnamed) / rate(life), 100 * gates);
  if (life.row.contains("registers_per_thread"))
    sentence += fmt::format("; registers a thread {} and {}", life.row["registers_per_thread"].dump(),
                            unnamed.row["registers_per_thread"].dump());
  return sentence + ".";
}

std::string resources_text(const Measurement& each) {
  return fmt::format("{} registers a thread, {:.0f} % of the threads that a multiprocessor can hold",
                     each.row["registers_per_thread"].dump(), 100 * each.row["occupancy"].get<double>());
}

// Compares a kernel that tests the rule's family in each cell with one compiled for the family.
void study_rule_families(Report& report, const char* size) {
  const char *at_run_time = "cuda/ladder/09_runtime_rule", *by_template = "cuda/ladder/10_template_rule";
  Selection selection;
  selection.kernels = runnable({at_run_time, by_template});
  selection.sizes = {size};
  if (selection.kernels.size() < 2) return;
  const Results rungs = report.measure(selection);
  const Measurement *tested = fastest(of_kernel(rungs, at_run_time)),
                    *compiled = fastest(of_kernel(rungs, by_template));
  if (tested == nullptr || compiled == nullptr) return;
  report.find(
      "A byte per cell on a GPU, the rule's family tested in every cell or known when the kernel was "
      "compiled: " +
      comparison_text({by_template, *compiled}, {at_run_time, *tested}) +
      fmt::format(" It takes {}; tested, {}.", resources_text(*compiled), resources_text(*tested)));
  report.add_charts("The same kernel with the rule's family tested and known", rungs,
                    {ChartKind::bars, "", "", "", ""});
}

}  // namespace

void study_registers(Report& report) {
  const char* size = report.quick() ? "1024" : "16384";
  Selection selection;
  selection.kernels = runnable({"cpu/strided", "cpu/strided_avx2", "cpu/strided_avx512", "cuda/strided"});
  selection.sizes = {size};
  selection.threads = {"1"};
  selection.rules = {"Life", unnamed_rule};
  const Results results = report.measure(selection);
  const double named = moorea::gates_per_word(moorea::Rule()),
               unnamed = moorea::gates_per_word(moorea::Rule::parse(unnamed_rule));
  report.find(
      fmt::format("Life's network has {:.3g} gates per word and was compiled with the program; that of {} "
                  "has {:.3g} and was generated at run time.",
                  named, unnamed_rule, unnamed));
  for (const std::string& kernel : selection.kernels) {
    const Measurements rows = of_kernel(results, kernel);
    if (rows.size() >= 2) report.find(rule_text(kernel, *rows[0], *rows[1], named / unnamed));
  }
  report.add_charts("A rule compiled with the program against a rule compiled at run time", results,
                    {ChartKind::bars, "", "", "", ""});
  study_rule_families(report, size);
  study_occupancy(report);
}

}  // namespace app
