// SPDX-License-Identifier: MIT
#include "choose/plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "choose/backend.h"
#include "choose/cost_model.h"
#include "choose/device_groups.h"
#include "choose/kernel_table.h"
#include "choose/out_of_core.h"
#include "choose/parts.h"
#include "choose/tuning_file.h"
#include "devices/traits.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// Whether the options say anything about how a world is run.
bool is_anything_named(const Options& options) {
  const Options none;
  return options.kernel != none.kernel || options.device != none.device || options.threads != none.threads ||
         options.tile || options.schedule || options.placement || options.wide_share || options.block ||
         options.bytes_a_thread || options.numbering || options.generations_a_pass || options.out_of_core;
}

// Why no prediction is asked for, whatever was measured; empty if one is.
std::string reason_against_prediction(const RunPlan& plan, const Options& options) {
  if (is_anything_named(options)) return "how it runs was named";
  if (!options.use_tuning) return "Moorea's own choice: the measurements of moorea tune are not to be used";
  if (plan.world.width == 0)
    return "Moorea's own choice: a plane that grows has no size that times could be predicted for";
  if (plan.world.rule.states() > 2) return "Moorea's own choice: moorea tune measures rules of two states";
  if (!plan.world.rule.has_nine_cells())
    return "Moorea's own choice: moorea tune measures rules of a cell and its eight neighbours";
  if (plan.world.is_surface()) return "Moorea's own choice: moorea tune measures flat worlds";
  if (plan.generations == 0) return "Moorea's own choice: there is nothing to compute";
  return "";
}

const Estimate* taken(const std::vector<Estimate>& estimates) {
  const auto found =
      std::find_if(estimates.begin(), estimates.end(), [](const Estimate& each) { return each.taken; });
  return found == estimates.end() ? nullptr : &*found;
}

// The plan's options and those that leave the choice open.
Options merged(Options plan, const Options& options) {
  plan.memory = options.memory;
  plan.generations = options.generations;
  plan.use_tuning = options.use_tuning;
  return plan;
}

// With the rows that a part has, halo rows excluded.
double cells_per_second(const WorldSpec& world, std::int64_t rows, std::int64_t halo,
                        const PartSpeed& speed) {
  const auto own = static_cast<double>(rows);
  return own * static_cast<double>(world.width) /
         speed.seconds_per_generation(own + 2 * static_cast<double>(halo));
}

std::vector<PlannedPart> parts_of(const WorldSpec& world, const Choice& choice) {
  std::vector<PlannedPart> parts;
  const std::vector<double> shares =
      choice.shares.empty() ? std::vector<double>(choice.parts.size(), 1.0) : choice.shares;
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (std::size_t i = 0; i < choice.parts.size(); ++i) {
    const Choice& part = choice.parts[i];
    parts.push_back({part.device.str(), part.kernels().str(), part.threads, shares[i] / all});
  }
  if (world.width == 0 || parts.empty()) return parts;
  const PartPlans divided = divide(world, choice);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].rows = divided.division.rows[i];
    parts[i].share = static_cast<double>(parts[i].rows) / static_cast<double>(world.height);
    if (!choice.speeds.empty())
      parts[i].cells_per_second =
          cells_per_second(world, parts[i].rows, divided.division.halo, choice.speeds[i]);
  }
  return parts;
}

// How the cells of an unbounded plane are stored, if not densely.
std::string plane_text(const Choice& choice) {
  if (!has_sparse_plane(choice)) return "";
  const std::string tiles = "; tiles exist where something lives, so that memory follows the live cells";
  if (choice.quiet == nullptr) return tiles;
  return fmt::format("{}, and {} replaces them with a dense plane while that is measured to cost less{}",
                     tiles, choice.entry->name,
                     choice.may_be_tree ? "; hashlife replaces both while it is measured to be faster" : "");
}

PlannedChoice chosen(RunPlan plan) {
  PlannedChoice result{std::move(plan), {}};
  result.choice = choose(result.plan.world, result.plan.options);
  if (result.plan.world.width != 0) require_board(result.plan.world, result.choice);
  if (result.plan.world.is_unbounded()) result.plan.reason += plane_text(result.choice);
  result.plan.parts = parts_of(result.plan.world, result.choice);
  result.plan.out_of_core = result.choice.out_of_core;
  result.plan.kernel = result.choice.kernel_names();
  result.plan.device = result.plan.options.device = result.choice.device_names();
  return result;
}

// The widest form of a portable kernel that this machine runs; empty if there is none, or for other kernels.
std::string_view wider_form(const std::string& kernel) {
  for (const char* const extension : {"_avx512", "_avx2"}) {
    const kernels::TableEntry* const wider = find_kernel(kernel + extension);
    if (wider != nullptr && unavailable_reason(*wider->kernel) == nullptr) return wider->name;
  }
  return {};
}

// Three digits.
std::string seconds_text(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return seconds < 1000 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

}  // namespace

const Estimate* RunPlan::prediction() const { return taken(estimates); }

bool RunPlan::uses_cpu() const {
  return device == "cpu" || std::ranges::any_of(parts, [](const auto& part) { return part.device == "cpu"; });
}

std::string RunPlan::explanation() const {
  std::string text;
  if (!estimates.empty())
    text = fmt::format(
        "{} generations{} of {} x {} cells, busy all over, as predicted from what was measured on {}:\n",
        generations, generations_assumed ? " (assumed)" : "", world.width, world.height, measured);
  for (const Estimate& each : estimates)
    text += fmt::format("{:>10}  {}: {}\n", seconds_text(each.seconds), each.name, each.verdict);
  text += fmt::format("{} on {}: {}", kernel, device, reason);
  if (const std::string_view wider = wider_form(kernel); !wider.empty())
    text += fmt::format("\n  {} is the portable form of {}, which is faster here", kernel, wider);
  if (out_of_core) text += explanation_of(*out_of_core);
  for (const PlannedPart& part : parts) {
    text += fmt::format("\n  {}{:.1f} %: {} on {}", part.rows > 0 ? fmt::format("{} rows, ", part.rows) : "",
                        100 * part.share, part.kernel, part.device);
    if (part.device == "cpu")
      text += fmt::format(", {} thread{}", part.threads, part.threads == 1 ? "" : "s");
    if (part.cells_per_second > 0) text += fmt::format(", {:.3g} G cells/s", part.cells_per_second / 1e9);
  }
  return text;
}

Options with_preferred_device(const WorldSpec& world, const Options& options) {
  if (!options.kernel.empty() || options.device != "auto") return options;
  Options preferred = options;
  const BuiltInPreferences preferences;
  const std::vector<Estimate> plans = compare(preferences.costs(world, default_generations), preferences);
  if (const Estimate* plan = taken(plans)) preferred.device = plan->options.device;
  return preferred;
}

PlannedChoice choose_planned(const WorldSpec& world, const Options& options) {
  RunPlan plan;
  plan.world = world;
  plan.generations = options.generations.value_or(default_generations);
  plan.generations_assumed = !options.generations;
  plan.options = options;
  const DeviceGroup group = devices_for(world, options);
  plan.options.device = group.devices;
  plan.reason = group.reason.empty() ? reason_against_prediction(plan, options) : group.reason;
  if (!plan.reason.empty()) return chosen(std::move(plan));
  const std::shared_ptr<const TuningFile> file = kept_tuning();
  if (!file->tuning) {
    plan.reason = "Moorea's own choice: " + file->reason;
    return chosen(std::move(plan));
  }
  const MeasuredCosts costs(*file->tuning);
  plan.measured = file->tuning->date;
  plan.estimates = compare(costs.costs(world, plan.generations), costs);
  const Estimate* const prediction = plan.prediction();
  if (prediction == nullptr) {
    plan.reason = "Moorea's own choice: no device that moorea tune measured is there";
    return chosen(std::move(plan));
  }
  plan.options = merged(prediction->options, options);
  plan.reason = "predicted to be done first";
  try {
    return chosen(plan);
  } catch (const Error& error) {
    return choose_instead(plan, options, error.what());
  }
}

PlannedChoice choose_instead(const RunPlan& failed, const Options& options, const std::string& error) {
  RunPlan plan = failed;
  for (Estimate& each : plan.estimates) {
    if (std::exchange(each.taken, false)) each.verdict = "cannot run here";
  }
  plan.options = options;
  plan.reason = fmt::format("Moorea's own choice, because the predicted plan cannot run here: {}", error);
  return chosen(std::move(plan));
}

RunPlan plan_run(const WorldSpec& world, const Options& options) {
  return choose_planned(world, options).plan;
}

}  // namespace moorea
