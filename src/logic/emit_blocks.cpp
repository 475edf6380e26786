// SPDX-License-Identifier: MIT
// The inner loop of kernels/cpu/blocks: four vectors with the cells of a vector's number of blocks become
// four others, each a function of four inputs, by two- or three-input instructions in fixed registers.
#include "logic/emit_blocks.h"

#ifdef MOOREA_XBYAK

#include <array>
#include <cstdint>
#include <optional>

#include "logic/x86_encoder.h"

namespace moorea {
namespace {

using Xbyak::Label;

// A function of the four cells of a block, as a table: bit n is its value for block n.
using CellTable = unsigned;

// Inputs and the table of a three-input instruction, whose first input is the highest bit of the index.
struct Gate {
  std::array<int, 3> inputs;
  unsigned table;
};

constexpr int first_gate = 4;  // input of the second gate that is the result of the first one

// The function as the gate of some inputs, if it is one: value(i, n) is input i in block n.
template <class Value>
std::optional<Gate> as_gate(CellTable function, const std::array<int, 3>& inputs, const Value& value) {
  unsigned ones = 0, zeros = 0;
  for (unsigned n = 0; n < 16; ++n) {
    const unsigned at = value(inputs[0], n) << 2 | value(inputs[1], n) << 1 | value(inputs[2], n);
    ((function >> n & 1) != 0 ? ones : zeros) |= 1u << at;
  }
  if ((ones & zeros) != 0) return {};
  return Gate{inputs, ones};
}

unsigned cell_of(int input, unsigned block) { return block >> input & 1; }

// All cells but one.
constexpr std::array<int, 3> others_of(int cell) {
  return {cell == 0 ? 1 : 0, cell < 2 ? 2 : 1, cell < 3 ? 3 : 2};
}

class BlockCode final : public MachineCode, private X86Encoder {
 public:
  BlockCode(const Rule::Blocks& next, VectorUnit unit) : X86Encoder(code_bytes, unit) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      for (unsigned block = 0; block < 16; ++block)
        cells_[cell] |= static_cast<CellTable>(next[block] >> cell & 1) << block;
    }
    blocks_ = make_loops();
    setProtectModeRE();
  }

  const void* rightwards() const override { return nullptr; }
  const void* leftwards() const override { return nullptr; }
  const void* rightwards_up() const override { return nullptr; }
  const void* leftwards_up() const override { return nullptr; }
  const void* window() const override { return nullptr; }
  const void* planes() const override { return nullptr; }
  const void* blocks() const override { return blocks_; }

 private:
  static constexpr std::size_t code_bytes = 16 << 10;

  // Arguments: rdi and rsi the northern and the southern row, rdx and rcx those of the results or null, r8
  // the number of blocks
  const void* make_loops() {
    align(64);
    const auto* begin = getCurr();
    Label south, north, done;
    test(rdx, rdx);
    jz(south, T_NEAR);
    test(rcx, rcx);
    jz(north, T_NEAR);
    make_loop(0, 4, done);
    L(north);
    make_loop(0, 2, done);
    L(south);
    make_loop(2, 4, done);
    L(done);
    vzeroupper();
    ret();
    return begin;
  }

  // The next cells from `first` to `last` - 1.
  void make_loop(int first, int last, Label& done) {
    Label next;
    align(32);
    L(next);
    test(r8, r8);
    jz(done, T_NEAR);
    for (int cell = 0; cell < 4; ++cell) move(at(cell), ptr[(cell < 2 ? rdi : rsi) + cell % 2 * bytes_]);
    for (int cell = first; cell < last; ++cell) {
      const CellTable function = cells_[static_cast<std::size_t>(cell)];
      if (wide_)
        put_gates(function);
      else
        put_choices(function, 4, result);
      move(ptr[(cell < 2 ? rdx : rcx) + cell % 2 * bytes_], at(result));
    }
    for (const auto& row : {rdi, rsi}) add(row, 2 * bytes_);
    if (first == 0) add(rdx, 2 * bytes_);
    if (last == 4) add(rcx, 2 * bytes_);
    sub(r8, 1);
    jmp(next, T_NEAR);
  }

  Xmm at(int number) const {
    if (wide_) return Xbyak::Zmm(number);
    return Xbyak::Ymm(number);
  }

  void put_gate(int to, const Gate& gate) {
    const auto input = [&](std::size_t i) {
      return at(gate.inputs[i] == first_gate ? first_result : gate.inputs[i]);
    };
    vmovdqa64(at(to), input(0));
    vpternlogq(at(to), input(1), input(2), static_cast<std::uint8_t>(gate.table));
  }

  // By one, two or three gates.
  void put_gates(CellTable function) {
    for (int cell = 0; cell < 4; ++cell) {
      if (const auto gate = as_gate(function, others_of(cell), cell_of)) return put_gate(result, *gate);
    }
    // A gate of three cells, and one of its result, the fourth cell and one of the three
    for (int cell = 0; cell < 4; ++cell) {
      const std::array<int, 3> three = others_of(cell);
      for (unsigned table = 1; table < 255; ++table) {
        const auto value = [&](int input, unsigned block) {
          if (input != first_gate) return cell_of(input, block);
          return table >> (cell_of(three[0], block) << 2 | cell_of(three[1], block) << 1 |
                           cell_of(three[2], block)) &
                 1;
        };
        for (const int again : three) {
          const auto gate = as_gate(function, {first_gate, cell, again}, value);
          if (!gate) continue;
          put_gate(first_result, {three, table});
          return put_gate(result, *gate);
        }
      }
    }
    // A choice between two by the fourth cell
    const std::array<int, 3> three = {2, 1, 0};
    put_gate(first_result, {three, function & 0xFF});
    put_gate(result, {three, function >> 8});
    constexpr std::uint8_t choice = 0xE4;  // of the first input where the third is 1, else the second
    vpternlogq(at(result), at(first_result), at(3), choice);
  }

  // With two inputs: a choice by the last of `inputs` cells between functions of those before it. Uses the
  // registers from `to` on.
  void put_choices(CellTable function, int inputs, int to) {
    const unsigned entries = 1u << inputs, all = (1u << entries) - 1;
    function &= all;
    if (function == 0) return vpxor(at(to), at(to), at(to));
    if (function == all) return vpcmpeqd(Xbyak::Ymm(to), Xbyak::Ymm(to), Xbyak::Ymm(to));
    const unsigned half = (1u << entries / 2) - 1, without = function & half, with = function >> entries / 2;
    const Xmm cell = at(inputs - 1);
    if (with == without) return put_choices(without, inputs - 1, to);
    if (with == 0) {
      put_choices(without, inputs - 1, to);
      return vpandn(at(to), cell, at(to));
    }
    if (without == 0) {
      put_choices(with, inputs - 1, to);
      return vpand(at(to), at(to), cell);
    }
    if (with == half) {
      put_choices(without, inputs - 1, to);
      return vpor(at(to), at(to), cell);
    }
    put_choices(without, inputs - 1, to);
    if (with != (without ^ half)) {
      put_choices(with, inputs - 1, to + 1);
      vpxor(at(to + 1), at(to + 1), at(to));
      vpand(at(to + 1), at(to + 1), cell);
      return vpxor(at(to), at(to), at(to + 1));
    }
    vpxor(at(to), at(to), cell);
  }

  static constexpr int result = 4, first_result = 5;
  std::array<CellTable, 4> cells_{};
  const void* blocks_ = nullptr;
};

}  // namespace

std::shared_ptr<const MachineCode> make_block_code(const Rule& rule, VectorUnit unit) {
  return std::make_shared<BlockCode>(*rule.blocks(), unit);
}

}  // namespace moorea

#endif
