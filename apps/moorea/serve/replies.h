// SPDX-License-Identifier: MIT
// Answers to the questions of a controlling client: rules, kernels, patterns and files. No cell changes.
#pragma once

#include <functional>
#include <string>

#include "cli/app.h"
#include "live/world_editor.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace app {

/// A message to one client.
struct Reply {
  Json json;
  std::string bytes;
};

Reply error_reply(const std::string& text);

/// Checks a rule as it is typed.
Reply rule_reply(const std::string& text, const moorea::Simulation& world);

/// Lists the kernels with whether each can run the world.
Reply kernels_reply(const moorea::WorldSpec& world);

/// Copies a box as RLE.
Reply copied_reply(const WorldEditor& editor, const moorea::Box& box);

/// Describes the pattern that `get` returns, with its cells as RLE, or the error that it throws.
Reply pattern_reply(const std::function<moorea::Pattern()>& get, const moorea::Rule& rule);

/// Writes the world as a file. Throws moorea::Error (run) if it is too large for a page.
Reply file_reply(const WorldEditor& editor, const std::string& format);

}  // namespace app
