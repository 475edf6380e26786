// SPDX-License-Identifier: MIT
// Contracts of kernels. A kernel file includes this header, headers of its folder and of kernels/common, and
// its SDK, nothing else. It defines one constant named after its path (cpu/bits.cpp defines
// moorea::kernels::cpu_bits), from which the build generates the kernel table. The type of Kernel::contract
// is the kind of the kernel; contract/ has a header for each kind. Block kernels read a halo that the board
// has filled, and contain no code for edges unless their contract says so (wraps, plane_steps).
//
// All of it is constant data without member functions: the linker may select one file's copy of an inline
// function for all files, which must not be the copy of a file for an instruction set. The variants are
// therefore examined outside the kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "kernels/contract/block.h"
#include "kernels/contract/cuda.h"
#include "kernels/contract/mesh.h"
#include "kernels/contract/opencl.h"
#include "kernels/contract/states.h"
#include "kernels/contract/strided.h"
#include "kernels/contract/tiles.h"
#include "moorea/kernel.h"

namespace moorea::kernels {

/// Memory layout of a kernel's cells.
enum class Layout {
  bytes,      ///< a byte per cell, 0 or 1, or its state
  ints,       ///< a 32-bit integer per cell, 0 or 1 (CUDA)
  patches,    ///< 4 x 4 cells in 16 bits: bit 4 * (y mod 4) + x mod 4 of patch (x / 4, y / 4) (CUDA)
  bits,       ///< a bit per cell, 64 to a word: bit i of word j is column 64*j + i
  strided,    ///< a bit per cell: bit i of vector j is column j + stride * i, see Band
  planes,     ///< bits per cell for its state, see StateRows
  digits,     ///< strided, with a row for each binary digit of the state, the lowest first (CUDA, OpenCL)
  tiles,      ///< a bit per cell: columns of words of up to 52 cells, see Tile
  faces,      ///< a byte per face of a mesh, 0 or 1, in the order of the neighbour table
  face_bits,  ///< a bit per face of a mesh, in the order of the neighbour table
};

/// Families of rules, as bits. RuleMask is a rule of the first, has the births and survivals of one of
/// the third, and says nothing about the others.
enum RuleFamily : unsigned {
  life_like = 1,    ///< two states, outer-totalistic, Moore neighbourhood of radius 1
  nine_cells = 2,   ///< two states, any other function of a cell and its eight neighbours: Block::table, or
                    ///< code that is made for the rule
  generations = 4,  ///< more than two states: births and survivals of a life-like rule, and dying cells
  nine_cell_generations = 8,  ///< the same with any other births and survivals
  transitions = 16,           ///< more than two states, any function of a cell and its neighbours
  wires = 32,                 ///< such rules as Rule::is_wires()
  larger_than_life = 64,      ///< counts of a wider neighbourhood, two or more states: WideCounts
  blocks = 128,               ///< two states, blocks of 2 x 2 cells: StateRows::blocks
  history = 256,              ///< Rule::has_history(): births and survivals of a life-like rule
  nine_cell_history = 512,    ///< the same with any other births and survivals
};

/// Form of a rule by transitions that a kernel runs.
enum class TransitionForm {
  any,
  gpu_text,  ///< gpu_transitions(), which exists if its tables are not too large
  network,   ///< state_network(), which exists if it has few gates
};

/// Worlds that a kernel can compute. bind_kernel() refuses all others before it calls bind(), so that kernels
/// need not know the families that are added later.
struct RuleSupport {
  unsigned families = life_like;
  int max_states = 256;
  int max_reach = 500;  ///< Rule::reach(), which is 1 but for rules of Larger than Life
  bool plane = true;    ///< also as part of an unbounded world
  bool torus = true;
  bool surface = false;             ///< meshes
  bool births_from_nothing = true;  ///< rules with B0, under which empty space does not stay empty
  TransitionForm transition_form = TransitionForm::any;
  /// Returns why a rule of these families is unsupported, or null if it is supported. A null function
  /// supports all rules.
  const char* (*refuses)(RuleMask rule) = nullptr;
};

/// Instruction sets that a kernel needs, or that a CPU has.
struct InstructionSets {
  bool avx2 = false;
  bool avx512 = false;  ///< F, BW, DQ and VL, and the system saves the registers
};

using Contract = std::variant<BlockContract, StridedContract, TileContract, MeshContract, StatesContract,
                              CudaContract, OpenClContract>;

/// Why a kernel cannot run.
struct Refusal {
  const char* reason = "";
};

/// A kernel's functions for a rule, of the kind of its contract, or the refusal by bind_kernel().
using Binding = std::variant<Refusal, BlockBinding, StridedBinding, TileBinding, MeshBinding, StatesBinding,
                             CudaBinding, OpenClBinding>;

/// A kernel from a user's file. Its functions are bound when the file is read, for all rules.
struct FromFile {
  const char* path = nullptr;
  Binding binding;
  std::optional<RuleMask> only_rule;  ///< empty: any
  const char* other_rules = nullptr;  ///< refusal of the rules that are not `only_rule`
};

struct Kernel {
  const char* summary;  ///< one line
  Layout layout;
  int max_steps;  ///< maximum generations per call, at most 64
  RuleSupport supports = {};
  InstructionSets needs = {};
  Contract contract;
  const FromFile* file = nullptr;  ///< kernels from a user's file, whose contract has no bind()
};

/// One row of the table that the build makes; `name` is the path below src/kernels without its ending.
struct TableEntry {
  const char* name;
  const Kernel* kernel;
};

/// The kernels of this build, by name; ends with an entry of null pointers.
extern const TableEntry table[];

}  // namespace moorea::kernels
