// SPDX-License-Identifier: MIT
// A loop over rows and their columns: loads of the digits of nine vectors, gates, and stores of the digits of
// the next states.
#include "logic/emit_states.h"

#ifdef MOOREA_XBYAK

#include <cstddef>
#include <vector>

#include "logic/line_writer.h"
#include "logic/x86_encoder.h"

namespace moorea {
namespace {

using Xbyak::Label;

using straight_line::LineWriter;
using straight_line::Place;

// The code of a column.
class ColumnWriter : public LineWriter {
 public:
  ColumnWriter(const StateNetwork& network, VectorUnit unit)
      : LineWriter(unit), network_(network), inputs_(network.inputs()) {
    load_again();
    for (const CellNetwork::Gate& gate : network.gates)
      gates_.push_back(cell_gate(gate, [&](std::uint16_t signal) { return value(signal); }));
    for (std::size_t k = 0; k < network.outputs.size(); ++k) {
      const int digit = value(network.outputs[k]);
      store({true, 0, 0, static_cast<int>(k)},
            network.complemented[k] ? one(Action::complement, digit) : digit);
    }
  }

 private:
  struct Input {
    int value = -1;
    std::size_t last_use = 0;  // number of instructions before it
  };

  // With few registers, inputs that were not used for long are loaded again: many loads take less time than
  // fewer loads and spills of gates.
  int value(std::uint16_t signal) {
    constexpr std::size_t kept_instructions = 16;
    if (signal >= inputs_.size()) return gates_[signal - inputs_.size()];
    Input& input = inputs_[signal];
    const std::size_t now = code().instructions.size();
    if (input.value < 0 || (!has_gates() && now > input.last_use + kept_instructions)) {
      const int cell = signal / network_.digits;
      input.value = load({false, cell / 3, cell % 3 - 1, signal % network_.digits});
    }
    input.last_use = now;
    return input.value;
  }

  const StateNetwork& network_;
  std::vector<Input> inputs_;
  std::vector<int> gates_;
};

class StateCode final : public MachineCode, private X86Encoder {
 public:
  StateCode(const StateNetwork& network, VectorUnit unit)
      : X86Encoder(code_bytes, unit), column_bytes_(network.digits * bytes_) {
    const ColumnWriter writer(network, unit);
    planes_ = make_loops(assign_registers(writer.code(), wide_ ? 32 : 15));
    setProtectModeRE();
  }

  const void* planes() const override { return planes_; }

 private:
  static constexpr std::size_t code_bytes = 256 << 10;

  // Arguments: rdi the row above the first, rsi the first result, rdx and rcx bytes from row to row of both,
  // r8 columns, r9 pairs of rows
  const void* make_loops(const Assigned& code) {
    align(64);
    const auto* begin = getCurr();
    Label next_row, next_column, end_of_row, done;
    if (code.slots > 0) sub(rsp, code.slots * bytes_);
    add(r9, r9);
    L(next_row);
    test(r9, r9);
    jz(done, T_NEAR);
    mov(from_, rdi);
    mov(to_, rsi);
    mov(r11, r8);
    L(next_column);
    test(r11, r11);
    jz(end_of_row, T_NEAR);
    for (const Instruction& instruction : code.instructions) {
      const bool is_place = instruction.action == Action::load || instruction.action == Action::store;
      put(instruction, is_place ? address(Place::of(instruction.place)) : slot(instruction.place));
    }
    add(from_, column_bytes_);
    add(to_, column_bytes_);
    sub(r11, 1);
    jmp(next_column, T_NEAR);
    L(end_of_row);
    add(rdi, rdx);
    add(rsi, rcx);
    sub(r9, 1);
    jmp(next_row, T_NEAR);
    L(done);
    if (code.slots > 0) add(rsp, code.slots * bytes_);
    vzeroupper();
    ret();
    return begin;
  }

  Address address(const Place& place) {
    const int offset = place.column * column_bytes_ + place.plane * bytes_;
    if (place.written) return ptr[to_ + offset];
    if (place.row == 0) return ptr[from_ + offset];
    return ptr[from_ + rdx * place.row + offset];
  }

  int column_bytes_;
  const Xbyak::Reg64 from_{Xbyak::Operand::RAX}, to_{Xbyak::Operand::R10};
  const void* planes_ = nullptr;
};

}  // namespace

std::shared_ptr<const MachineCode> make_state_code(const StateNetwork& network, VectorUnit unit) {
  return std::make_shared<StateCode>(network, unit);
}

}  // namespace moorea

#endif
