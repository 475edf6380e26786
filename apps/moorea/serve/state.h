// SPDX-License-Identifier: MIT
// JSON about the world and the program for clients: the state of each update, and the first message to a new
// client.
#pragma once

#include "cli/app.h"
#include "live/player.h"
#include "live/world_editor.h"
#include "moorea/grid.h"
#include "moorea/rule.h"

namespace app {

/// Whether the whole world flips between dead and alive each generation under this rule.
bool strobes(const moorea::Rule& rule);

Json box_json(const moorea::Box& box);

/// The state of an update, without the population and the number of clients.
Json state_json(const WorldEditor& editor, const Player& player);

/// The rules, devices, formats and patterns of this program, with a random identifier of this process.
Json program_json();

}  // namespace app
