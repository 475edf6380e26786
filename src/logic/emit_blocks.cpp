// SPDX-License-Identifier: MIT
// The inner loop of kernels/cpu/blocks: four vectors with the cells of a vector's number of blocks become
// four others, each a function of four inputs, by two- or three-input instructions in fixed registers.
#include "logic/emit_blocks.h"

#ifdef MOOREA_XBYAK

#include <array>
#include <cstdint>
#include <vector>

#include "logic/block_network.h"
#include "logic/x86_encoder.h"

namespace moorea {
namespace {

using Xbyak::Label;

class BlockCode final : public MachineCode, private X86Encoder {
 public:
  BlockCode(const Rule::Blocks& next, VectorUnit unit)
      : X86Encoder(code_bytes, unit), network_(block_network(next)) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) cells_[cell] = cell_table(next, cell);
    blocks_ = make_loops();
    setProtectModeRE();
  }

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
      int to = first_result;
      if (wide_)
        to += put_gates(network_[static_cast<std::size_t>(cell)]) - 1;
      else
        put_choices(cells_[static_cast<std::size_t>(cell)], 4, to);
      move(ptr[(cell < 2 ? rdx : rcx) + cell % 2 * bytes_], at(to));
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

  // Inputs have the numbers of their registers. Returns the number of gates.
  int put_gates(const std::vector<FourGate>& gates) {
    int to = first_result;
    for (const FourGate& gate : gates) {
      vmovdqa64(at(to), at(gate.inputs[0]));
      vpternlogq(at(to), at(gate.inputs[1]), at(gate.inputs[2]), static_cast<std::uint8_t>(gate.table));
      ++to;
    }
    return to - first_result;
  }

  // With two inputs: a choice by the last of `inputs` cells between functions of those before it. Uses the
  // registers from `to` on.
  void put_choices(FourTable function, int inputs, int to) {
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

  static constexpr int first_result = four_inputs_first_gate;  // register: gates' inputs are registers
  BlockNetwork network_;
  std::array<FourTable, 4> cells_{};
  const void* blocks_ = nullptr;
};

}  // namespace

std::shared_ptr<const MachineCode> make_block_code(const Rule& rule, VectorUnit unit) {
  return std::make_shared<BlockCode>(*rule.blocks(), unit);
}

}  // namespace moorea

#endif
