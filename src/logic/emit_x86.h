// SPDX-License-Identifier: MIT
// A rule's network as machine code for this CPU, generated at run time.
#pragma once

#include <cstdint>
#include <memory>

#include "moorea/rule.h"

namespace moorea {

enum class VectorUnit { avx2, avx512 };

/// The next states of cells in a vector, stored at `next`, from nine vectors of their neighbourhoods, row by
/// row, the north western ones first, 64 bytes apart.
using StepNine = void (*)(const void* nine, void* next);

/// Inner loops of the strided and the tile kernels for one rule, or of the kernels of planes or of blocks;
/// the arguments are those of the function types in kernels/contract. Functions that a rule's kernels do not
/// call are null. The memory is writable while the code is generated and executable afterwards, never both.
class MachineCode {
 public:
  virtual ~MachineCode() = default;
  virtual const void* rightwards() const {
    return nullptr;
  }  ///< kernels::StepPairs, columns from left to right
  virtual const void* leftwards() const {
    return nullptr;
  }  ///< kernels::StepPairs, columns from right to left
  /// The same with rows from the lowest to the highest; null if the rule counts, so that it does not matter.
  virtual const void* rightwards_up() const { return nullptr; }
  virtual const void* leftwards_up() const { return nullptr; }
  virtual const void* window() const { return nullptr; }  ///< kernels::StepWindow
  virtual const void* planes() const { return nullptr; }  ///< kernels::StepPlanes, of more than two states
  virtual const void* blocks() const { return nullptr; }  ///< kernels::StepBlocks, of a rule of blocks
  virtual const void* nine() const { return nullptr; }    ///< StepNine, of two states that do not count

  /// Returns null, and the reason in `why`, if this build has no assembler or the system allows no new code.
  /// The CPU must have the unit.
  static std::shared_ptr<const MachineCode> make(const Rule& rule, VectorUnit unit, const char** why);
};

}  // namespace moorea
