// SPDX-License-Identifier: MIT
// Straight-line code over words of cells, and its register allocation: input of emit_x86.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace moorea {

/// Operation of one instruction. The last three are inserted by assign_registers().
enum class Action : std::uint8_t {
  load,         ///< result = the word at `place`
  store,        ///< the word at `place` = operand 0
  gate,         ///< result = three-input logic of operands 0 to 2 by `table`
  conjunction,  ///< result = operand 0 and operand 1
  disjunction,
  exclusive,
  and_not,     ///< operand 0 and not operand 1
  complement,  ///< not operand 0
  shift_left,  ///< operand 0, each 64-bit part by one bit
  shift_right,
  copy,    ///< register to register
  spill,   ///< operand 0 to the slot `place`
  reload,  ///< result from the slot `place`
};

/// Returns the number of operands of an action.
int operand_count(Action action);

/// `result` and `operands` are numbers of values, or of registers.
struct Instruction {
  Action action;
  int result = -1;
  std::array<int, 3> operands{-1, -1, -1};
  std::uint8_t table = 0;
  int place = 0;
};

/// Code in static single assignment form. The values `entering` are in registers 0, 1, ... before it; those
/// `leaving`, as many or none, are there after it, so that it can be a loop's body.
struct StraightLine {
  std::vector<Instruction> instructions;
  int values = 0;
  std::vector<int> entering, leaving;
  bool loads_again = false;  ///< what was loaded does not change, so that it need not be spilled
};

struct Assigned {
  std::vector<Instruction> instructions;  ///< over registers; a gate's result is its operand 0
  int slots = 0;                          ///< words of memory for spilled values
};

/// Assigns every value one of `registers` registers while it is live. A gate overwrites an operand that is
/// dead afterwards if there is one, otherwise a copy; if registers run out, the value whose next use is
/// furthest is spilled (Belady).
Assigned assign_registers(const StraightLine& code, int registers);

}  // namespace moorea
