// SPDX-License-Identifier: MIT
// State of a HashLife, which a FarPlane that has become a tree passes on.
#pragma once

#include <memory>
#include <utility>

#include "boards/tree_board.h"
#include "moorea/hashlife.h"

namespace moorea {

struct HashLife::State {
  std::unique_ptr<TreeBoard> board;
  TreeWorld& tree;

  explicit State(std::unique_ptr<TreeBoard> made) : board(std::move(made)), tree(board->tree()) {}
};

TreeFacts facts_of(TreeWorld& tree);

}  // namespace moorea
