// SPDX-License-Identifier: MIT
#include "cli/plane_changes.h"

#include <fmt/core.h>

#include "cli/numbers.h"
#include "cli/trees.h"

namespace app {
namespace {

const char* form_after(const moorea::PlaneChange& change) { return change.to_tree ? "hashlife" : "cells"; }

bool is_compared(const moorea::PlaneChange& change) {
  return change.cells_speed > 0 && change.tree_speed > 0;
}

std::string reason_of(const moorea::PlaneChange& change) {
  if (is_compared(change))
    return fmt::format("measured {} generations/s by hashlife and {} as cells", human_rate(change.tree_speed),
                       human_rate(change.cells_speed));
  return change.to_tree ? "the plane had to be a tree" : "the nodes of the tree did not fit into memory";
}

}  // namespace

void add_plane_changes(Json& json, const std::vector<moorea::PlaneChange>& changes) {
  for (const moorea::PlaneChange& change : changes) {
    Json entry = {{"generations", number_json(change.generations)},
                  {"to", form_after(change)},
                  {"seconds", change.seconds}};
    if (is_compared(change)) {
      entry["hashlife_generations_per_second"] = change.tree_speed;
      entry["cells_generations_per_second"] = change.cells_speed;
    }
    entry["reason"] = reason_of(change);
    json["changes"].push_back(std::move(entry));
  }
}

std::string plane_changes_text(const std::vector<moorea::PlaneChange>& changes) {
  std::string text;
  for (const moorea::PlaneChange& change : changes)
    text += fmt::format("{}{} after {} generations", text.empty() ? "  changes " : ", ", form_after(change),
                        change.generations.str());
  return text.empty() ? text : text + "\n";
}

void explain_plane_changes(const std::vector<moorea::PlaneChange>& changes) {
  for (const moorea::PlaneChange& change : changes)
    say(fmt::format("  {} after {} generations and {}: {}", form_after(change), change.generations.str(),
                    human_seconds(change.seconds), reason_of(change)));
}

}  // namespace app
