// SPDX-License-Identifier: MIT
// CSV tables for other programs: of the results of moorea bench, and lines of others.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"

namespace app {

/// A line with its end: values separated by commas, as in RFC 4180; null is an empty one.
std::string csv_line(const std::vector<Json>& values);

/// One line for each row, in the columns of row_schema(), separated by commas. Numbers are as in the JSON.
std::string csv(const Json& document);

/// One line for each sample, in the columns of EasyPAP's files of experiments: separated by semicolons, times
/// in microseconds; `kernel` is the rule and `variant` the kernel.
std::string easypap_csv(const Json& document);

}  // namespace app
