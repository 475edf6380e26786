// SPDX-License-Identifier: MIT
// Starting worlds of a sweep, each made once and kept for its later rounds while memory allows.
#pragma once

#include <map>
#include <memory>

#include "lab/configuration.h"
#include "moorea/grid.h"

namespace app {

class Worlds {
 public:
  /// The cells after `start.after` generations, or after fewer if the user interrupts.
  std::shared_ptr<const moorea::Grid> at(const Start& start);

 private:
  std::map<StartKey, std::shared_ptr<const moorea::Grid>> kept_;
};

}  // namespace app
