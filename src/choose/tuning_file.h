// SPDX-License-Identifier: MIT
// The tuning file of this user and machine.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "moorea/lab/tuning.h"

namespace moorea {

struct TuningFile {
  std::optional<Tuning> tuning;
  std::string reason;  ///< why there is none
};

/// Reads the file if it changed since the last call. Never throws for what the file contains.
std::shared_ptr<const TuningFile> kept_tuning();

}  // namespace moorea
