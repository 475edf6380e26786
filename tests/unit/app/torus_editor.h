// SPDX-License-Identifier: MIT
// The world of the tests of WorldEditor: an empty torus on one CPU thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "live/world_editor.h"

namespace app {

constexpr std::int64_t torus_size = 32;

inline WorldEditor empty_torus(std::size_t max_history_bytes = 1 << 30) {
  WorldEditor::Settings settings;
  settings.start = [](const moorea::Options& options) {
    return moorea::Simulation(moorea::Rule(), moorea::Topology::torus, moorea::Grid(torus_size, torus_size),
                              options);
  };
  settings.engine.device = "cpu";
  settings.engine.threads = 1;
  settings.max_history_bytes = max_history_bytes;
  return WorldEditor(settings);
}

inline void go_to(WorldEditor& editor, std::uint64_t generation) { editor.advance(editor.seek(generation)); }

}  // namespace app
