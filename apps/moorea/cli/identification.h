// SPDX-License-Identifier: MIT
// What a pattern was identified as, in words and in JSON.
#pragma once

#include <string>

#include "cli/app.h"
#include "moorea/identify.h"

namespace app {

/// "period 4, c/2 orthogonal".
std::string motion_text(const moorea::Position& displacement, std::uint64_t period);

/// One line for what the pattern is: "puffer, period 140, c/2 orthogonal".
std::string verdict_text(const moorea::Identification& found);

/// All of it, with the census.
Json identification_json(const moorea::Identification& found);

}  // namespace app
