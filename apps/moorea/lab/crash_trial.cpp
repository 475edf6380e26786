// SPDX-License-Identifier: MIT
#include "lab/crash_trial.h"

#include <fmt/core.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "cli/child.h"
#include "cli/kernel_watch.h"
#include "moorea/error.h"

namespace app {
namespace {

constexpr int trial_generations = 64;  // as many as a check has
// Time that a kernel from a file has for them, in seconds: at least this, some budgets, and that of a speed
// at which few would be measured
constexpr double min_trial_seconds = 10, trial_budgets = 20, min_trial_speed = 5e6;

// The arguments of moorea run.
std::vector<std::string> run_arguments(const Configuration& configuration) {
  const moorea::Options& options = configuration.options;
  const Start& start = configuration.start;
  std::vector<std::string> words = {"run", "--json"};
  const auto add = [&](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  add("--random", "0.5");
  if (start.mesh != nullptr) {
    add("--mesh", start.mesh->name());
  } else {
    add("--size", fmt::format("{}x{}", start.size.width, start.size.height));
    add("--topology", std::string(moorea::to_string(start.topology)));
  }
  add("-g", std::to_string(trial_generations));
  add("--rule", start.rule.str());
  add("--device", options.device);
  add("--threads", std::to_string(options.threads));
  add(configuration.kernel.fingerprint != 0 ? "--kernel-file" : "--kernel", configuration.kernel.name);
  if (options.tile) add("--tile", fmt::format("{}x{}", options.tile->width, options.tile->height));
  if (options.schedule) add("--schedule", to_string(*options.schedule));
  if (options.block) add("--block", to_string(*options.block));
  return words;
}

}  // namespace

bool may_crash(const Configuration& configuration, const Devices& devices) {
  const moorea::KernelInfo& kernel = configuration.kernel;
  const bool has_chosen_block = kernel.backend == moorea::Backend::opencl && configuration.options.block;
  if (!has_chosen_block && kernel.fingerprint == 0) return false;
  if (kernel.backend == moorea::Backend::cpu) return true;
  return kernel.backend == moorea::Backend::opencl &&
         devices.can_be_opencl_on_cpus(configuration.options.device);
}

void try_apart(const Configuration& configuration, double budget) {
  const moorea::WorldSpec world = configuration.start.spec();
  const double cells = static_cast<double>(world.width) * static_cast<double>(world.height);
  // A driver may take minutes to compile its kernels
  const double seconds =
      configuration.kernel.fingerprint == 0
          ? std::numeric_limits<double>::infinity()
          : min_trial_seconds + trial_budgets * budget + trial_generations * cells / min_trial_speed;
  const ChildOutput child = read_child(run_arguments(configuration), seconds, 0, {});
  if (was_interrupted()) return;
  if (child.is_late) {
    throw moorea::Error(
        fmt::format("it does not compute {} generations in {:.0f} s, as a trial in a separate "
                    "process showed: it may be endless; not timed",
                    trial_generations, seconds));
  }
  // Of an error the program says more than nothing
  const bool has_ended_program =
      child.out.empty() && (child.error.empty() || child.error.find(ended_words) != std::string::npos);
  if (child.end.started && child.end.signal == 0 && has_ended_program) {
    throw moorea::Error(fmt::format("{} (it {}), as a trial in a separate process showed; not timed",
                                    crash_words, ended_words));
  }
  if (child.end.signal != 0) {
    throw moorea::Error(fmt::format("{} ({}), as a trial in a separate process showed; not timed",
                                    crash_words, strsignal(child.end.signal)));
  }
}

}  // namespace app
