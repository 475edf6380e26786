// SPDX-License-Identifier: MIT
// Applies the messages of controlling clients: verbs of the editor and of the player, and questions.
#pragma once

#include <optional>
#include <string>

#include "live/player.h"
#include "live/world_editor.h"
#include "serve/messages.h"
#include "serve/replies.h"

namespace app {

class Controls {
 public:
  /// Remembers the kernel and the pace that the command line set.
  Controls(WorldEditor& editor, Player& player)
      : editor_(editor),
        player_(player),
        own_kernel_(editor.engine().kernel),
        first_exponent_(player.exponent()) {}

  /// Returns the answer if the message is a question. Throws moorea::Error if it cannot be applied; the world
  /// is as it was then. View requests and searches have no effect here.
  std::optional<Reply> apply(const ClientMessage& message);

 private:
  struct Visitor;

  WorldEditor& editor_;
  Player& player_;
  const std::string own_kernel_;
  const int first_exponent_;
};

}  // namespace app
