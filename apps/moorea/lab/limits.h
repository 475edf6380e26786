// SPDX-License-Identifier: MIT
// Speed limits of the machine's devices, measured once for each device and number of threads.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "cli/app.h"
#include "lab/devices.h"
#include "moorea/inventory.h"
#include "moorea/lab/ceilings.h"

namespace app {

class Limits {
 public:
  explicit Limits(const Devices& devices) : devices_(devices) {}

  /// Measures them at the first call for this device and number of threads.
  const moorea::Ceilings& of(const std::string& device, int threads);

  /// Limits measured so far, as the "ceilings" of a results file.
  const Json& json() const { return json_; }

  /// Adopts the "ceilings" of a results file. Throws Json::exception for anything else.
  void adopt(const Json& ceilings);

 private:
  const Devices& devices_;
  std::map<std::pair<std::string, int>, moorea::Ceilings> known_;
  Json json_ = Json::array();
};

}  // namespace app
