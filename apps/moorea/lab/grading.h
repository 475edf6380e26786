// SPDX-License-Identifier: MIT
// Grades of kernels from files: each is tried in worlds of many shapes and, if its cells are right, timed, in
// processes of their own, so that a crash and an endless loop end nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/app.h"
#include "lab/graded_worlds.h"

namespace app {

struct GradingOptions {
  std::vector<std::string> against;  ///< kernels to which speeds are related
  std::string rule = "Life";
  std::string size = "1024";  ///< of the world in which it is timed
  std::string threads;        ///< with which it is timed; empty: all cores
  std::uint64_t seed = 0;     ///< of the shapes and the cells
  int worlds = 24;
  double seconds = 10;       ///< maximum of each trial
  std::uint64_t memory = 0;  ///< maximum of each trial of a kernel in C++, in bytes
};

/// From good to bad. A kernel may refuse worlds, such as those of another rule; `failed` are those that
/// cannot be read or compiled.
enum class Outcome { correct, refused, wrong, crash, endless, failed };
const char* to_string(Outcome outcome);

struct GradedTrial {
  GradedWorld world;
  Outcome outcome = Outcome::correct;
  std::string reason;       ///< empty if it is correct and left no process behind
  std::string repeat;       ///< a command for the shell that repeats it; empty if it is correct
  bool is_outside = false;  ///< it wrote a cell outside its block
  std::string warnings{};   ///< the compiler's, if the trial compiled the kernel
};

struct Grade {
  std::string file;
  std::vector<GradedTrial> trials;  ///< up to the first that failed before the kernel ran, or did not end
  bool is_compiled = true;          ///< otherwise the only trial says why not
  std::string warnings;             ///< the compiler's
  double cells_per_second = 0;      ///< 0: not timed
  double spread = 0;                ///< between quartiles, relative to the median
  bool is_busy = false;             ///< other processes used the CPUs while it was timed
  std::vector<std::pair<std::string, double>> relative;  ///< to each kernel of GradingOptions::against
  std::string not_timed;                                 ///< why, if it is correct

  /// In all worlds, and in one at least.
  bool is_correct() const { return is_right_or_refused() && count(Outcome::refused) == 0; }
  /// In each world either correct or refused, and in one at least.
  bool is_right_or_refused() const;
  /// Number of trials with this outcome.
  int count(Outcome outcome) const;
};

/// Grades a kernel. `on_trial` is called after each trial. Less than all after an interruption. A kernel
/// whose answer is wrong, or that crashes, where it is timed has a further trial that says so. Throws
/// moorea::Error (run) if temporary files cannot be written.
Grade grade_kernel(const std::string& file, const GradingOptions& options,
                   const std::function<void(const GradedTrial&)>& on_trial);

}  // namespace app
