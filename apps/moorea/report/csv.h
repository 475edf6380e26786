// SPDX-License-Identifier: MIT
// Results of bench as a table for other programs.
#pragma once

#include <string>

#include "cli/app.h"

namespace app {

/// One line for each row, in columns of our own, separated by commas. Numbers are as JSON writes them.
std::string csv(const Json& document);

/// One line for each sample, in the columns of EasyPAP's files of experiments: separated by semicolons, times
/// in microseconds, `kernel` the rule and `variant` our kernel.
std::string easypap_csv(const Json& document);

}  // namespace app
