// SPDX-License-Identifier: MIT
// Ranges in lists of values, a short notation for the axes of a sweep.
#pragma once

#include <string>
#include <vector>

namespace app {

/// Numbers with their ranges written out: "1:4" is 1,2,3,4, "0:100:+25" steps by adding, "32:512:x2" by
/// multiplying; the end is included if a step meets it. `what` names the option in errors.
/// Throws moorea::Error (usage) for other texts and for more than 10,000 values.
std::vector<std::string> expand_numbers(const std::vector<std::string>& values, const std::string& what);

/// Sizes with their ranges written out, each as parse_size reads it: "1024:4096:x2" are squares, and
/// "8:32:x2x8:16:x2" is every width with every height. Other values are left as they are.
std::vector<std::string> expand_sizes(const std::vector<std::string>& values, const std::string& what);

}  // namespace app
