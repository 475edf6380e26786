// SPDX-License-Identifier: MIT
// Contract of CPU kernels for rules with more than two states, which advance rows from one buffer to another.
#pragma once

#include "moorea/kernel.h"

namespace moorea::kernels {

/// Inner loop for one rule, which may be machine code generated at run time: advances `pairs` pairs of rows
/// by one generation, in `columns` columns. `from` is the first column of the row above the first pair, `to`
/// that of the first result; `from_row` and `to_row` are the distances of successive rows in bytes.
using StepPlanes = void (*)(const void* from, void* to, std::ptrdiff_t from_row, std::ptrdiff_t to_row,
                            std::int64_t columns, std::int64_t pairs);

/// The next state of a cell by its own and by those of its neighbours: a decision tree as Transitions::Tree,
/// which asks for cells in the order that is there.
struct TransitionTree {
  const std::int32_t* nodes = nullptr;  ///< null: a rule of Generations
  std::int64_t root = 0;
  int states = 0;
  bool corners = false;  ///< asks for all eight neighbours, otherwise for four
};

/// Some rows of a world. A row has a halo column, `columns` columns and another halo column. With a byte per
/// cell a column is the state of a cell. In the layout planes it is a vector of each plane: those of a rule
/// of Generations are first the live cells (state 1), then the binary digits of the age of dying cells, which
/// is 1 in state 2 and grows by one in each later state. Bit i of the vectors in column j is the cell in
/// column j + columns * i of the world, as in the strided layout.
struct StateRows {
  const std::byte* from;    ///< first column of the row above the first one, whose halo columns are filled
  std::byte* to;            ///< first column of the first row
  std::ptrdiff_t from_row;  ///< bytes from row to row
  std::ptrdiff_t to_row;
  std::int64_t width;  ///< cells in a row
  std::int64_t columns;
  std::int64_t pairs;          ///< pairs of rows to compute
  bool torus;                  ///< left and right edges are joined; otherwise cells beyond them are dead
  int states;                  ///< 3 or more
  int planes;                  ///< vectors in a column
  bool wires;                  ///< Rule::is_wires()
  RuleMask rule;               ///< births and survivals
  const std::uint64_t* table;  ///< as Block::table, of births and survivals that do not count; else null
  StepPlanes code;             ///< for StatesBinding::runs_code
  TransitionTree tree;         ///< for rules by transitions
  void* memory;                ///< StatesContract::memory_bytes, shared by all calls of a board
};

/// Computes rows and fills their halo columns.
using StepStates = void (*)(const StateRows& rows);

/// Fills the halo columns of `rows` rows from `to` on; `pairs` is not used.
using FillStateHalo = void (*)(const StateRows& rows, std::int64_t count);

struct StatesBinding {
  StepStates step = nullptr;
  FillStateHalo fill_halo_columns = nullptr;
  bool runs_code = false;  ///< step runs StateRows::code
};

struct StatesContract {
  StatesBinding (*bind)(RuleMask rule) = nullptr;
  int lanes = 0;  ///< cells per vector in the layout planes; 1: a byte per cell
  /// Memory, zero at first, that the kernel keeps from call to call; null: none.
  std::int64_t (*memory_bytes)(const TransitionTree& tree) = nullptr;
};

}  // namespace moorea::kernels
