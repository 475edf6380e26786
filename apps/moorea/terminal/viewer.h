// SPDX-License-Identifier: MIT
// A world in the terminal, moved and played by keys, which follow Golly where it has the same function.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cli/picture_options.h"
#include "live/player.h"
#include "live/world_editor.h"

namespace app {

/// Shows a world until a key or a signal ends it. It stops at the generation `last`. Of the options of
/// pictures those of colours count. Throws moorea::Error as Screen and the world do.
void show_in_terminal(WorldEditor& editor, Player& player, std::optional<std::uint64_t> last,
                      const PictureOptions& colours);

/// The keys and what they do, in lines.
std::span<const char* const> terminal_keys();

}  // namespace app
