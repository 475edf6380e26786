// SPDX-License-Identifier: MIT
// Instructions of straight-line code for AVX2 or AVX-512.
#pragma once

#include <xbyak/xbyak.h>

#include "logic/emit_x86.h"
#include "logic/registers.h"

namespace moorea {

class X86Encoder : public Xbyak::CodeGenerator {
 protected:
  using Xmm = Xbyak::Xmm;
  using Address = Xbyak::Address;

  X86Encoder(std::size_t code_bytes, VectorUnit unit)
      : CodeGenerator(code_bytes, Xbyak::DontSetProtectRWE),
        wide_(unit == VectorUnit::avx512),
        bytes_(wide_ ? 64 : 32) {}

  Address slot(int number) { return ptr[rsp + number * bytes_]; }

  // Assembles an instruction; `place` is its operand in memory, if it has one.
  void put(const Instruction& in, const Address& place) {
    const auto operand = [&](std::size_t i) { return vector(in.operands[i]); };
    const Xmm result = vector(in.result < 0 ? 0 : in.result);
    switch (in.action) {
      case Action::load:
        move(result, place);
        break;
      case Action::store:
        move(place, operand(0));
        break;
      case Action::reload:
        move(result, place);
        break;
      case Action::spill:
        move(place, operand(0));
        break;
      case Action::copy:
        wide_ ? vmovdqa64(result, operand(0)) : vmovdqa(result, operand(0));
        break;
      case Action::gate:
        vpternlogq(result, operand(1), operand(2), in.table);
        break;
      case Action::conjunction:
        wide_ ? vpandq(result, operand(0), operand(1)) : vpand(result, operand(0), operand(1));
        break;
      case Action::disjunction:
        wide_ ? vporq(result, operand(0), operand(1)) : vpor(result, operand(0), operand(1));
        break;
      case Action::exclusive:
        wide_ ? vpxorq(result, operand(0), operand(1)) : vpxor(result, operand(0), operand(1));
        break;
      case Action::and_not:  // the instruction complements its first operand
        wide_ ? vpandnq(result, operand(1), operand(0)) : vpandn(result, operand(1), operand(0));
        break;
      case Action::complement:
        if (wide_) {
          vpternlogq(result, operand(0), operand(0), 0x55);
        } else {
          vpcmpeqd(ymm15, ymm15, ymm15);
          vpxor(result, operand(0), ymm15);
        }
        break;
      case Action::shift_left:
        vpsllq(result, operand(0), 1);
        break;
      case Action::shift_right:
        vpsrlq(result, operand(0), 1);
        break;
    }
  }

  void move(const Xmm& to, const Address& from) { wide_ ? vmovdqu64(to, from) : vmovdqu(to, from); }
  void move(const Address& to, const Xmm& from) { wide_ ? vmovdqu64(to, from) : vmovdqu(to, from); }

  bool wide_;
  int bytes_;  // of a vector

 private:
  Xmm vector(int number) const {
    if (wide_) return Xbyak::Zmm(number);
    return Xbyak::Ymm(number);
  }
};

}  // namespace moorea
