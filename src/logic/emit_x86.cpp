// SPDX-License-Identifier: MIT
// The loops of kernels/cpu/strided.h, kernels/cpu/tiles.h and kernels/contract/states.h, with registers
// allocated for one network: two pairs of rows per iteration, the signals of the last two rows in the first
// registers between iterations.
#include "logic/emit_x86.h"

#ifdef MOOREA_XBYAK

#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "logic/emit_blocks.h"
#include "logic/emit_states.h"
#include "logic/straight_line.h"
#include "logic/x86_encoder.h"

namespace moorea {
namespace {

using Xbyak::Label;
using Xbyak::Reg64;

using straight_line::Place;
using straight_line::RowSignals;
using straight_line::Writer;

class Generated final : public MachineCode, private X86Encoder {
 public:
  Generated(const Rule& rule, VectorUnit unit) : X86Encoder(code_bytes, unit), writer_(rule, unit) {
    if (rule.states() > 2) {
      const auto states = static_cast<unsigned>(rule.states());
      planes_a_column_ = rule.has_history() ? std::bit_width(states - 1) : 1 + std::bit_width(states - 2);
      planes_ = make_planes();
      setProtectModeRE();
      return;
    }
    rightwards_ = make_pairs(1, false);
    leftwards_ = make_pairs(-1, false);
    if (!rule.is_life_like()) {
      rightwards_up_ = make_pairs(1, true);
      leftwards_up_ = make_pairs(-1, true);
      nine_ = make_nine();
    }
    window_ = make_window();
    setProtectModeRE();
  }

  const void* rightwards() const override { return rightwards_; }
  const void* leftwards() const override { return leftwards_; }
  const void* rightwards_up() const override { return rightwards_up_; }
  const void* leftwards_up() const override { return leftwards_up_; }
  const void* window() const override { return window_; }
  const void* planes() const override { return planes_; }
  const void* nine() const override { return nine_; }

 private:
  static constexpr std::size_t code_bytes = 512 << 10;

  // Arguments: rdi rule masks, rsi the first vector, rdx bytes from row to row, rcx columns, r8 pairs
  const void* make_pairs(int side, bool up) {
    side_ = side;
    writer_.mirror(side < 0, up);
    align(64);
    const auto* begin = getCurr();
    // Two columns at once share a part of their sums, if there are any and enough registers
    Label done;
    if (wide_ && writer_.counts()) {
      Label rest;
      columns_loop(2, rest);
      L(rest);
    }
    columns_loop(1, done);
    L(done);
    vzeroupper();
    ret();
    return begin;
  }

  void columns_loop(int columns, Label& out) {
    Label next, turn, tail, end;
    L(next);
    cmp(rcx, columns);
    jl(out, T_NEAR);
    mov(from_, rsi);
    lea(to_, ptr[rsi - side_ * bytes_]);
    mov(left_, r8);
    lea(from_second_, ptr[from_ + row_]);
    begin_rows([&](int row) { return writer_.strided_signals(row, columns); });
    lea(from_, ptr[from_ + 2 * row_]);
    L(turn);
    cmp(left_, 2);
    jl(tail, T_NEAR);
    lea(from_second_, ptr[from_ + row_]);
    lea(to_second_, ptr[to_ + row_]);
    strided_turn(columns, 2);
    lea(from_, ptr[from_ + 4 * row_]);
    lea(to_, ptr[to_ + 4 * row_]);
    sub(left_, 2);
    jmp(turn, T_NEAR);
    L(tail);
    test(left_, left_);
    jz(end, T_NEAR);
    strided_turn(columns, 1);
    L(end);
    add(rsi, columns * side_ * bytes_);
    sub(rcx, columns);
    jmp(next, T_NEAR);
  }

  // Computes the signals of the first two rows into the first registers.
  template <class Signals>
  void begin_rows(const Signals& signals) {
    std::vector<int> leaving;
    for (int row = 0; row < 2; ++row) add_values(leaving, signals(row));
    writer_.leave(leaving);
    put_down();
  }

  static void add_values(std::vector<int>& values, const std::vector<RowSignals>& rows) {
    for (const RowSignals& row : rows)
      values.insert(values.end(), row.values.begin(),
                    row.values.begin() + static_cast<std::ptrdiff_t>(row.count));
  }

  std::vector<RowSignals> entering_rows(std::size_t count) {
    std::vector<RowSignals> rows;
    for (std::size_t i = 0; i < count; ++i) rows.push_back(writer_.fresh_signals());
    std::vector<int> values;
    add_values(values, rows);
    writer_.enter(values);
    return rows;
  }

  void leave_rows(const std::vector<RowSignals>& rows) {
    std::vector<int> values;
    add_values(values, rows);
    writer_.leave(values);
  }

  // Computes pairs of rows, in some columns, from the signals of the two rows before them and those of rows
  // from `first` on, which are relative to from_. pair(k, i, a, b, c, d) computes the pair b and c of column
  // i.
  template <class Pair>
  void turn_rows(int columns, int pairs, int first, const Pair& pair) {
    const auto count = static_cast<std::size_t>(columns);
    const std::vector<RowSignals> entering = entering_rows(2 * count);
    std::vector<RowSignals> a(entering.begin(), entering.begin() + columns),
        b(entering.begin() + columns, entering.end());
    for (int k = 0; k < pairs; ++k) {
      const std::vector<RowSignals> c = writer_.strided_signals(first + 2 * k, columns),
                                    d = writer_.strided_signals(first + 2 * k + 1, columns);
      for (int i = 0; i < columns; ++i) {
        const auto j = static_cast<std::size_t>(i);
        pair(k, i, a[j], b[j], c[j], d[j]);
      }
      a = c;
      b = d;
    }
    if (pairs == 2) {
      a.insert(a.end(), b.begin(), b.end());
      leave_rows(a);
    }
    put_down();
  }

  // Rows a and b are two rows before from_, so their centres are read relative to to_, which points to row a,
  // one column back against the sweep.
  void strided_turn(int columns, int pairs) {
    turn_rows(columns, pairs, 0,
              [&](int k, int i, const auto& a, const auto& b, const auto& c, const auto& d) {
                const Place centre_b = k == 0 ? Place{true, 1, i + 1} : Place{false, 1, i};
                writer_.pair(a, b, c, d, centre_b, {false, 2 * k, i}, {true, 2 * k, i}, {true, 2 * k + 1, i});
              });
  }

  // Arguments: rdi the row above the first, rsi the first result, rdx and rcx bytes from row to row of both,
  // r8 columns, r9 pairs
  const void* make_planes() {
    side_ = 1;
    writer_.mirror(false, false);
    to_ = rbx;
    to_second_ = r12;
    to_row_ = rcx;
    align(64);
    const auto* begin = getCurr();
    push(rbx);
    push(r12);
    Label done;
    if (wide_ && writer_.counts()) {
      Label rest;
      planes_loop(2, rest);
      L(rest);
    }
    planes_loop(1, done);
    L(done);
    pop(r12);
    pop(rbx);
    vzeroupper();
    ret();
    return begin;
  }

  void planes_loop(int columns, Label& out) {
    Label next, turn, tail, end;
    L(next);
    cmp(r8, columns);
    jl(out, T_NEAR);
    mov(from_, rdi);
    mov(to_, rsi);
    mov(left_, r9);
    begin_rows([&](int row) { return writer_.strided_signals(row, columns); });
    add(from_, row_);
    L(turn);
    cmp(left_, 2);
    jl(tail, T_NEAR);
    lea(from_second_, ptr[from_ + row_]);
    lea(to_second_, ptr[to_ + to_row_]);
    planes_turn(columns, 2);
    lea(from_, ptr[from_ + 4 * row_]);
    lea(to_, ptr[to_ + 4 * to_row_]);
    sub(left_, 2);
    jmp(turn, T_NEAR);
    L(tail);
    test(left_, left_);
    jz(end, T_NEAR);
    planes_turn(columns, 1);
    L(end);
    add(rdi, columns * planes_a_column_ * bytes_);
    add(rsi, columns * planes_a_column_ * bytes_);
    sub(r8, columns);
    jmp(next, T_NEAR);
  }

  // from_ points to the first row that is computed, to_ to its result.
  void planes_turn(int columns, int pairs) {
    turn_rows(columns, pairs, 1,
              [&](int k, int i, const auto& a, const auto& b, const auto& c, const auto& d) {
                writer_.states_pair(a, b, c, d, {false, 2 * k, i}, {false, 2 * k + 1, i});
              });
  }

  // Arguments: rdi the nine vectors, rsi the result
  const void* make_nine() {
    constexpr int distance = 64;  // bytes from one vector to the next
    side_ = 1;
    planes_a_column_ = distance / bytes_;
    writer_.mirror(false, false);
    align(64);
    const auto* begin = getCurr();
    lea(from_, ptr[rdi + distance]);  // the vector in the middle of the first row
    mov(to_, rsi);
    mov(row_, 3 * distance);
    const auto row = [&](int number) { return writer_.strided_signals(number, 1).front(); };
    writer_.single(row(0), row(1), row(2), {true, 0, 0});
    put_down();
    ret();
    planes_a_column_ = 1;
    return begin;
  }

  // Arguments: rdi rule masks, rsi the window, edx the first row, ecx one past the last
  const void* make_window() {
    side_ = 1;
    writer_.mirror(false, false);
    align(64);
    const auto* begin = getCurr();
    Label turn, tail, end;
    movsxd(rdx, edx);
    movsxd(left_, ecx);
    sub(left_, rdx);
    shr(left_, 1);
    imul(rdx, rdx, bytes_);
    lea(from_, ptr[rsi + rdx - bytes_]);
    in_window_ = true;
    begin_rows([&](int row) { return std::vector<RowSignals>{writer_.tile_signals(row)}; });
    L(turn);
    cmp(left_, 2);
    jl(tail, T_NEAR);
    window_turn(2);
    add(from_, 4 * bytes_);
    sub(left_, 2);
    jmp(turn, T_NEAR);
    L(tail);
    test(left_, left_);
    jz(end, T_NEAR);
    window_turn(1);
    L(end);
    in_window_ = false;
    vzeroupper();
    ret();
    return begin;
  }

  // from_ points to the row above the first.
  void window_turn(int pairs) {
    const std::vector<RowSignals> entering = entering_rows(2);
    RowSignals a = entering[0], b = entering[1];
    for (int k = 0; k < pairs; ++k) {
      const int y = 2 * k + 1;
      const RowSignals c = writer_.tile_signals(y + 1), d = writer_.tile_signals(y + 2);
      writer_.pair(a, b, c, d, {false, y, 0}, {false, y + 1, 0}, {true, y, 0}, {true, y + 1, 0});
      a = c;
      b = d;
    }
    if (pairs == 2) leave_rows({a, b});
    put_down();
  }

  Address address(int number) {
    const Place place = Place::of(number);
    if (in_window_) return ptr[from_ + place.row * bytes_];
    const int offset = (place.column * side_ * planes_a_column_ + place.plane) * bytes_;
    const Reg64& row = place.written ? to_row_ : row_;
    if (place.row == 3) return ptr[(place.written ? to_second_ : from_second_) + row * 2 + offset];
    const Reg64& base = place.written ? to_ : from_;
    if (place.row == 0) return ptr[base + offset];
    return ptr[base + row * place.row + offset];
  }

  // Assembles the code written so far.
  void put_down() {
    const Assigned code = assign_registers(writer_.code(), wide_ ? 32 : 15);
    writer_.clear();
    if (code.slots > 0) sub(rsp, code.slots * bytes_);
    for (const Instruction& instruction : code.instructions) {
      const bool is_place = instruction.action == Action::load || instruction.action == Action::store;
      put(instruction, is_place ? address(instruction.place) : slot(instruction.place));
    }
    if (code.slots > 0) add(rsp, code.slots * bytes_);
  }

  Writer writer_;
  int side_ = 1;
  bool in_window_ = false;
  const Reg64 row_{Xbyak::Operand::RDX}, left_{Xbyak::Operand::R10};
  const Reg64 from_{Xbyak::Operand::RAX}, from_second_{Xbyak::Operand::R11};
  Reg64 to_{Xbyak::Operand::R9}, to_second_{Xbyak::Operand::RDI}, to_row_{Xbyak::Operand::RDX};
  int planes_a_column_ = 1;
  const void* rightwards_ = nullptr;
  const void* leftwards_ = nullptr;
  const void* rightwards_up_ = nullptr;
  const void* leftwards_up_ = nullptr;
  const void* window_ = nullptr;
  const void* planes_ = nullptr;
  const void* nine_ = nullptr;
};

}  // namespace

std::shared_ptr<const MachineCode> MachineCode::make(const Rule& rule, VectorUnit unit, const char** why) {
  try {
    if (rule.blocks() != nullptr) return make_block_code(rule, unit);
    if (rule.transitions() != nullptr && !rule.is_wires()) return make_state_code(*state_network(rule), unit);
    return std::make_shared<Generated>(rule, unit);
  } catch (const Xbyak::Error& error) {
    *why = error.what();
    return nullptr;
  }
}

}  // namespace moorea

#else

namespace moorea {

std::shared_ptr<const MachineCode> MachineCode::make(const Rule&, VectorUnit, const char** why) {
  *why = "this build has no run-time assembler (MOOREA_JIT)";
  return nullptr;
}

}  // namespace moorea

#endif
