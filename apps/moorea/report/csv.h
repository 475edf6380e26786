// SPDX-License-Identifier: MIT
// CSV tables of the results of moorea bench, for other programs.
#pragma once

#include <string>

#include "cli/app.h"

namespace app {

/// One line for each row, in the columns of row_schema(), separated by commas. Numbers are as in the JSON.
std::string csv(const Json& document);

/// One line for each sample, in the columns of EasyPAP's files of experiments: separated by semicolons, times
/// in microseconds; `kernel` is the rule and `variant` the kernel.
std::string easypap_csv(const Json& document);

}  // namespace app
