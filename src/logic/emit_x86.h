// SPDX-License-Identifier: MIT
// A rule's network as machine code for this CPU, made while the program runs.
#pragma once

#include <cstdint>
#include <memory>

#include "moorea/rule.h"

namespace moorea {

enum class VectorUnit { avx2, avx512 };

/// The inner loops of the strided and the tile kernels for one rule; the arguments are those of the functions
/// that kernels/kernel.h names. The memory is writable while the code is made and executable afterwards,
/// never both.
class MachineCode {
 public:
  virtual ~MachineCode() = default;
  virtual const void* rightwards() const = 0;  ///< kernels::StepPairs, columns from left to right
  virtual const void* leftwards() const = 0;   ///< the same from right to left
  virtual const void* window() const = 0;      ///< kernels::StepWindow

  /// Null, with the reason in `why`, where this build has no assembler or the system allows no new code. The
  /// CPU must have the unit.
  static std::shared_ptr<const MachineCode> make(const Rule& rule, VectorUnit unit, const char** why);
};

}  // namespace moorea
