// SPDX-License-Identifier: MIT
// Contract of CPU kernels that advance rows from one buffer to another: for rules with more than two states,
// wider neighbourhoods or blocks.
#pragma once

#include "moorea/kernel.h"

namespace moorea::kernels {

/// Inner loop for one rule, which may be machine code generated at run time: advances `pairs` pairs of rows
/// by one generation, in `columns` columns. `from` is the first column of the row above the first pair, `to`
/// that of the first result; `from_row` and `to_row` are the distances of successive rows in bytes.
using StepPlanes = void (*)(const void* from, void* to, std::ptrdiff_t from_row, std::ptrdiff_t to_row,
                            std::int64_t columns, std::int64_t pairs);

/// Inner loop for a rule of blocks, machine code: replaces `blocks` blocks, which begin in the first columns
/// of a northern and a southern row. A row of results may be null.
using StepBlocks = void (*)(const void* north, const void* south, void* to_north, void* to_south,
                            std::int64_t blocks);

/// Tables of StateLookups, which say the same as a TransitionTree.
struct LookupTables {
  int number = 0;                         ///< of look-ups; 0: there are no tables
  int cells[9] = {};                      ///< that each look-up asks for
  std::int32_t codes[9] = {};             ///< of their states, up to 2^16
  const std::uint16_t* nodes[9] = {};     ///< entries of each look-up but the last
  const std::uint8_t* results = nullptr;  ///< those of the last one
};

/// The next state of a cell by its own and by those of its neighbours: a decision tree as Transitions::Tree,
/// which asks for cells in the order that is there.
struct TransitionTree {
  const std::int32_t* nodes = nullptr;  ///< null: a rule of Generations
  std::int64_t root = 0;
  int states = 0;
  bool corners = false;  ///< asks for all eight neighbours, otherwise for four
  LookupTables tables;   ///< of at most StatesContract::max_table_bytes
};

/// Neighbours next to each other: columns `first` to `last` of row `dy`.
struct NeighbourRun {
  int dy, first, last;
};

/// From `count` live cells on, births or survivals, or both, are the other ones than below it.
struct CountLimit {
  std::int32_t count;
  bool birth, survival;
};

/// A rule of Larger than Life, whose cells count the live cells of a neighbourhood, their own included.
struct WideCounts {
  const NeighbourRun* runs = nullptr;  ///< row by row, with the centre
  std::int64_t run_count = 0;
  const CountLimit* limits = nullptr;  ///< ascending
  std::int64_t limit_count = 0;
  int cells = 0;  ///< of the neighbourhood, with the centre
};

/// The blocks of a rule of blocks, as Rule::Blocks, and where those of a call begin.
struct BlockTable {
  std::uint8_t next[16] = {};
  bool from_first_row = false;     ///< the first row of the call is the northern one of its blocks
  bool from_first_column = false;  ///< the first column of the world is the western one of its blocks
};

/// What the states of a cell are.
enum class StateKind {
  ages,        ///< of Generations and of Larger than Life
  wires,       ///< Rule::is_wires()
  history,     ///< Rule::has_history()
  transitions  ///< of all other rules by transitions
};

/// Some rows of a world. A row has `reach` halo columns, `columns` columns and `reach` halo columns. With a
/// byte per cell a column is the state of a cell. In the layout planes it is a vector of each plane: those of
/// a rule of Generations are first the live cells (state 1), then the binary digits of the age of dying
/// cells, which is 1 in state 2 and grows by one in each later state; those of rules with history and by
/// transitions are the binary digits of the states; with history the lowest are the live cells. Bit i of the
/// vectors in column j is the cell in column j + columns * i of the world, as in the strided layout.
struct StateRows {
  const std::byte* from;    ///< first column of the row `reach` rows above the first one, with filled halo
  std::byte* to;            ///< first column of the first row
  std::ptrdiff_t from_row;  ///< bytes from row to row
  std::ptrdiff_t to_row;
  int reach;           ///< rows and columns by which cells influence others in a generation
  std::int64_t width;  ///< cells in a row
  std::int64_t columns;
  std::int64_t pairs;  ///< pairs of rows to compute
  bool torus;          ///< left and right edges are joined; otherwise cells beyond them are dead
  int states;          ///< 2 or more
  int planes;          ///< vectors in a column
  StateKind kind;
  bool has_boundary;           ///< cells may be in state 6 of a rule with history, beside which live ones die
  RuleMask rule;               ///< births and survivals
  const std::uint64_t* table;  ///< as Block::table, of births and survivals that do not count; else null
  StepPlanes code;             ///< for StatesBinding::runs_code
  StepBlocks block_code;       ///< the same for rules of blocks
  TransitionTree tree;         ///< for rules by transitions
  WideCounts counts;           ///< for rules of Larger than Life
  BlockTable blocks;           ///< for rules of blocks
  void* memory;                ///< StatesContract::memory_bytes, shared by all calls of a board
  void* scratch;               ///< StatesContract::scratch_bytes, of the calling thread
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
  int lanes = 0;                     ///< cells per vector in the layout planes; 1: a byte per cell
  std::int64_t max_table_bytes = 0;  ///< of TransitionTree::tables; 0: the kernel reads none
  /// Memory, zero at first, that the kernel keeps from call to call; null: none.
  std::int64_t (*memory_bytes)(const TransitionTree& tree) = nullptr;
  /// Memory that each thread has for its calls, for rows of so many columns; null: none.
  std::int64_t (*scratch_bytes)(const WideCounts& counts, int reach, std::int64_t columns) = nullptr;
};

}  // namespace moorea::kernels
