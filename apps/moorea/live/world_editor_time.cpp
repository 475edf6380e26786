// SPDX-License-Identifier: MIT
// WorldEditor in time: generations, the recorded past and its edits.
#include <algorithm>
#include <string>
#include <utility>

#include "live/world_editor.h"
#include "moorea/error.h"

namespace app {

// Advances within the time between two edits.
std::uint64_t WorldEditor::compute(std::uint64_t generations, const std::function<bool()>& go_on) {
  const double before = simulation_.cell_updates();
  ++version_;  // also if this fails halfway
  bounding_box_.reset();
  const std::uint64_t first = generation();
  if (tile_events_ != nullptr) {
    const std::vector<moorea::TileEvent> events = moorea::step_tracing(simulation_, generations, go_on);
    tile_events_->insert(tile_events_->end(), events.begin(), events.end());
  } else {
    simulation_.step(generations, go_on);
  }
  const std::uint64_t done = generation() - first;
  cell_updates_ += simulation_.cell_updates() - before;
  note_edge();
  return done;
}

std::string WorldEditor::record_tiles(std::vector<moorea::TileEvent>* events) {
  tile_events_ = nullptr;
  if (events == nullptr) return "";
  try {
    moorea::step_tracing(simulation_, 0);
  } catch (const moorea::Error& error) {
    return error.what();
  }
  tile_events_ = events;
  return "";
}

// Continues with the result of a recorded edit at the present generation.
void WorldEditor::apply_recorded_edit() {
  try {
    adopt(history_.checkpoint_for(generation())->second.make(engine_));
  } catch (...) {
    history_.discard_after(generation() - 1);  // the run goes on without this edit
    throw;
  }
}

std::uint64_t WorldEditor::advance(std::uint64_t generations, const std::function<bool()>& go_on) {
  commit_edits();
  std::uint64_t done = 0;
  while (done < generations && (done == 0 || !go_on || go_on())) {
    const std::uint64_t left = generations - done;
    const std::optional<std::uint64_t> edit = history_.next_edit(generation());
    const std::uint64_t part = edit ? std::min(left, *edit - generation()) : left;
    const std::uint64_t completed = compute(part, go_on);
    done += completed;
    if (completed < part) break;
    if (edit && generation() == *edit) apply_recorded_edit();
  }
  return done;
}

std::uint64_t WorldEditor::seek(std::uint64_t generation) {
  commit_edits();
  const auto checkpoint = history_.checkpoint_for(generation);
  if (generation < this->generation() || checkpoint->first > this->generation())
    adopt(checkpoint->second.make(engine_));
  return generation - std::min(generation, this->generation());
}

}  // namespace app
