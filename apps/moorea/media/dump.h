// SPDX-License-Identifier: MIT
// Generations as numbered pictures, written while a run goes on.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "cli/paths.h"
#include "media/background_queue.h"
#include "moorea/simulation.h"

namespace app {

struct DumpOptions {
  std::string files;  ///< a path with %d or %06d for the generation; empty: no pictures
  std::string every = "1";
  std::string format;
};

class Dump {
 public:
  /// Throws moorea::Error (usage) for a path without a number, for an unknown format, for an unbounded plane,
  /// whose pictures would have different sizes, and if a picture would replace one of `others`. The first
  /// generation has a picture, unless it is one in the middle of a run that is `resumed`.
  Dump(const DumpOptions& options, moorea::Simulation& simulation, const NamedFiles& others = {},
       bool resumed = false);

  /// The first failure, after which the run should stop; null if there is none.
  const std::exception_ptr& failure() const { return failure_; }

  /// Waits for the last picture. Throws the first failure.
  void finish();

 private:
  void add(const moorea::Simulation& simulation);
  std::string path_of(std::uint64_t generation) const;
  bool makes(const std::string& path) const;

  std::string before_, behind_, format_;
  int digits_ = 0;
  bool picture_ = false;  // PNG, not one of the patterns' formats
  std::exception_ptr failure_;
  BackgroundQueue queue_;
  moorea::Observation observation_;
};

}  // namespace app
