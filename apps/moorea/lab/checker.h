// SPDX-License-Identifier: MIT
// Comparison of a kernel's answer with that of others, before and after it is timed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "lab/configuration.h"
#include "lab/worlds.h"
#include "moorea/error.h"

namespace app {

/// A kernel's answer differs from the reference's.
class WrongAnswer : public moorea::Error {
  using moorea::Error::Error;
};

class Checker {
 public:
  explicit Checker(Worlds& worlds) : worlds_(worlds) {}

  /// Announces a configuration before the first check(): the check of its world covers a whole pass of its
  /// kernel.
  void announce(const Configuration& configuration);

  /// Steps a simulation of the configuration from its start and compares its state hash with the reference's.
  /// Returns the reference's name, or "" after an interruption. Throws WrongAnswer, and moorea::Error (run)
  /// if another kernel than the named one ran.
  std::string check(const Configuration& configuration, moorea::Simulation& simulation);

  /// Repeats check() for a kernel from a file, after all samples of a round, and compares the cells in its
  /// last generation with those that the kernel chosen by itself has then, from the start on. A file may have
  /// faults that begin after the calls of check(), such as one that stops to compute. Nothing for kernels of
  /// Moorea's own, which their tests compare. Throws WrongAnswer; returns early after an interruption.
  void confirm(const Configuration& configuration, const moorea::Simulation& simulation);

 private:
  struct Expected {
    std::uint64_t generations = 0, hash = 0;
    std::string reference;
  };
  const Expected& expected(const Start& start);
  /// check(), for which an error says when.
  std::string compare(const Configuration& configuration, moorea::Simulation& simulation,
                      std::string_view when);

  Worlds& worlds_;
  std::map<StartKey, std::uint64_t> min_generations_;  // by world
  std::map<StartKey, Expected> expected_;
};

}  // namespace app
