// SPDX-License-Identifier: MIT
// Register allocation for straight-line code with few registers, and the memory of machine code.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "jit/rule_code.h"
#include "logic/emit_x86.h"
#include "logic/registers.h"
#include "moorea/rule.h"

namespace moorea {
namespace {

using Word = std::uint64_t;

Word lut3(Word a, Word b, Word c, unsigned table) {
  Word result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  }
  return result;
}

Word computed(const Instruction& instruction, Word a, Word b, Word c) {
  switch (instruction.action) {
    case Action::gate:
      return lut3(a, b, c, instruction.table);
    case Action::conjunction:
      return a & b;
    case Action::disjunction:
      return a | b;
    case Action::exclusive:
      return a ^ b;
    case Action::and_not:
      return a & ~b;
    case Action::complement:
      return ~a;
    case Action::shift_left:
      return a << 1;
    case Action::shift_right:
      return a >> 1;
    default:
      return a;
  }
}

// Registers of the machine after running the code; place i of the memory holds memory[i].
std::vector<Word> run(const std::vector<Instruction>& code, std::vector<Word> registers,
                      std::vector<Word>& memory, int slots) {
  std::vector<Word> slot(static_cast<std::size_t>(slots));
  for (const Instruction& instruction : code) {
    const auto place = static_cast<std::size_t>(instruction.place);
    std::array<Word, 3> operands{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(operand_count(instruction.action)); ++k)
      operands[k] = registers.at(static_cast<std::size_t>(instruction.operands[k]));
    if (instruction.action == Action::store) {
      memory.at(place) = operands[0];
    } else if (instruction.action == Action::spill) {
      slot.at(place) = operands[0];
    } else {
      registers.at(static_cast<std::size_t>(instruction.result)) =
          instruction.action == Action::load ? memory.at(place)
          : instruction.action == Action::reload
              ? slot.at(place)
              : computed(instruction, operands[0], operands[1], operands[2]);
    }
  }
  return registers;
}

// Random instructions; `loop` values enter and as many leave.
StraightLine random_code(std::mt19937& random, int length, int loop, std::size_t places) {
  StraightLine code;
  const auto number = [&](int below) { return std::uniform_int_distribution<>(0, below - 1)(random); };
  const auto place = [&] { return number(static_cast<int>(places)); };
  for (int i = 0; i < loop; ++i) code.entering.push_back(code.values++);
  const int kept = std::max(loop, 1);
  for (int i = 0; i < length; ++i) {
    Instruction instruction{Action::load};
    if (code.values >= kept && number(4) != 0) instruction.action = static_cast<Action>(1 + number(8));
    for (int k = 0; k < operand_count(instruction.action); ++k) instruction.operands[k] = number(code.values);
    instruction.table = static_cast<std::uint8_t>(number(256));
    instruction.place = place();
    if (instruction.action != Action::store) instruction.result = code.values++;
    code.instructions.push_back(instruction);
  }
  while (code.values < loop) code.instructions.push_back({Action::load, code.values++, {}, 0, place()});
  for (int i = 0; i < loop; ++i) {
    int value = number(code.values);
    while (std::find(code.leaving.begin(), code.leaving.end(), value) != code.leaving.end())
      value = (value + 1) % code.values;
    code.leaving.push_back(value);
  }
  return code;
}

TEST(Registers, FewOfThemComputeTheSame) {
  constexpr std::size_t places = 9;
  std::mt19937 random(1);
  for (int trial = 0; trial < 20000; ++trial) {
    const int registers = 4 + trial % 13;
    const int loop = trial % (registers - 3);
    const StraightLine code = random_code(random, 5 + trial % 60, loop, places);
    const Assigned assigned = assign_registers(code, registers);

    std::vector<Word> memory(places), values(static_cast<std::size_t>(code.values));
    for (Word& word : memory) word = random() * 0x9E3779B97F4A7C15;
    std::vector<Word> entering(static_cast<std::size_t>(registers));
    for (Word& word : entering) word = random() * 0x9E3779B97F4A7C15;
    std::copy_n(entering.begin(), loop, values.begin());
    std::vector<Word> expected_memory = memory;
    const std::vector<Word> expected = run(code.instructions, values, expected_memory, 0);

    for (const Instruction& instruction : assigned.instructions) {
      if (instruction.action == Action::gate) {
        ASSERT_EQ(instruction.result, instruction.operands[0]) << "trial " << trial;
      }
    }
    const std::vector<Word> found = run(assigned.instructions, entering, memory, assigned.slots);
    ASSERT_EQ(memory, expected_memory) << "trial " << trial;
    for (std::size_t i = 0; i < code.leaving.size(); ++i)
      ASSERT_EQ(found[i], expected[code.leaving[i]]) << "trial " << trial << " leaving " << i;
  }
}

// Nothing is spilled if there are enough registers.
TEST(Registers, NoMemoryWhereThereAreEnough) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 1000; ++trial)
    EXPECT_EQ(assign_registers(random_code(random, 20, 3, 5), 32).slots, 0);
}

TEST(MachineCode, IsNeverWritableAndExecutable) {
  // Bytes, not the number of mappings: the system joins adjacent ones
  const auto mapped_bytes = [](const std::string& kind) {
    std::ifstream file("/proc/self/maps");
    std::uint64_t bytes = 0;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::uint64_t begin = 0, end = 0;
      char dash = 0;
      std::string permissions;
      words >> std::hex >> begin >> dash >> end >> permissions;
      if (permissions.substr(0, 3) == kind) bytes += end - begin;
    }
    return bytes;
  };
  const std::uint64_t executable = mapped_bytes("r-x");
  ASSERT_GT(executable, 0u);
  std::vector<std::shared_ptr<const MachineCode>> kept;
  const char* why = nullptr;
  for (const VectorUnit unit : {VectorUnit::avx2, VectorUnit::avx512}) {
    kept.push_back(MachineCode::make(Rule(0x0C8, 0x07C), unit, &why));
    if (!kept.back() && std::string(why).starts_with("this build")) GTEST_SKIP() << why;
    ASSERT_NE(kept.back(), nullptr) << why;
  }
  EXPECT_EQ(mapped_bytes("rwx"), 0u);
  EXPECT_GT(mapped_bytes("r-x"), executable);
}

TEST(MachineCode, IsMadeOnceForARule) {
  const Rule rule(0x0C8, 0x07E), other(0x0C8, 0x07D);
  for (const VectorUnit unit : {VectorUnit::avx2, VectorUnit::avx512}) {
    RuleCode first(rule), second(rule), third(other);
    if (!first.for_unit(unit).code) GTEST_SKIP() << first.for_unit(unit).reason;
    EXPECT_EQ(second.for_unit(unit).code, first.for_unit(unit).code);
    EXPECT_NE(third.for_unit(unit).code, first.for_unit(unit).code);
  }
  RuleCode code(rule);
  EXPECT_NE(code.for_unit(VectorUnit::avx2).code, code.for_unit(VectorUnit::avx512).code);
}

}  // namespace
}  // namespace moorea
