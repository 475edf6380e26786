// SPDX-License-Identifier: MIT
// A rule's network as machine code for this CPU, generated at run time.
#pragma once

#include <cstdint>
#include <memory>

#include "moorea/rule.h"

namespace moorea {

enum class VectorUnit { avx2, avx512 };

/// Inner loops of the strided and the tile kernels for one rule, or of the kernels of planes; the arguments
/// are those of the function types in kernels/contract. The memory is writable while the code is generated
/// and executable afterwards, never both.
class MachineCode {
 public:
  virtual ~MachineCode() = default;
  virtual const void* rightwards() const = 0;  ///< kernels::StepPairs, columns from left to right
  virtual const void* leftwards() const = 0;   ///< kernels::StepPairs, columns from right to left
  /// The same with rows from the lowest to the highest; null if the rule counts, so that it does not matter.
  virtual const void* rightwards_up() const = 0;
  virtual const void* leftwards_up() const = 0;
  virtual const void* window() const = 0;  ///< kernels::StepWindow
  /// kernels::StepPlanes, of a rule with more than two states, which has none of the others.
  virtual const void* planes() const = 0;
  /// kernels::StepBlocks, of a rule of blocks, which has none of the others.
  virtual const void* blocks() const { return nullptr; }

  /// Returns null, and the reason in `why`, if this build has no assembler or the system allows no new code.
  /// The CPU must have the unit.
  static std::shared_ptr<const MachineCode> make(const Rule& rule, VectorUnit unit, const char** why);
};

}  // namespace moorea
