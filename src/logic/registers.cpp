// SPDX-License-Identifier: MIT
#include "logic/registers.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace moorea {
namespace {

constexpr int nowhere = -1;

// Table of a gate with operands 0 and `with` exchanged.
std::uint8_t exchanged(std::uint8_t table, int with) {
  unsigned result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned first = i >> 2 & 1, other = i >> (2 - with) & 1;
    const unsigned kept = i & ~(4u | 1u << (2 - with));
    result |= (table >> (kept | other << 2 | first << (2 - with)) & 1u) << i;
  }
  return static_cast<std::uint8_t>(result);
}

class Assignment {
 public:
  Assignment(const StraightLine& code, int registers)
      : code_(code),
        uses_(static_cast<std::size_t>(code.values)),
        next_use_(static_cast<std::size_t>(code.values)),
        register_of_(static_cast<std::size_t>(code.values), nowhere),
        slot_of_(static_cast<std::size_t>(code.values), nowhere),
        load_of_(static_cast<std::size_t>(code.values), nowhere),
        value_in_(static_cast<std::size_t>(registers), nowhere),
        locked_(static_cast<std::size_t>(registers)) {
    const int end = static_cast<int>(code.instructions.size());
    for (int i = 0; i < end; ++i) {
      const Instruction& instruction = code.instructions[i];
      for (int k = 0; k < operand_count(instruction.action); ++k) uses_[instruction.operands[k]].push_back(i);
      if (code.loads_again && instruction.action == Action::load) load_of_[instruction.result] = i;
    }
    for (const int value : code.leaving) uses_[value].push_back(end);
  }

  Assigned run() {
    for (std::size_t i = 0; i < code_.entering.size(); ++i) put(code_.entering[i], static_cast<int>(i));
    for (now_ = 0; now_ < static_cast<int>(code_.instructions.size()); ++now_) {
      step(code_.instructions[now_]);
    }
    leave();
    return std::move(result_);
  }

 private:
  int& register_of(int value) { return register_of_[value]; }
  int& value_in(int place) { return value_in_[place]; }

  void put(int value, int place) {
    register_of(value) = place;
    value_in(place) = value;
  }

  void take_away(int value) {
    if (register_of(value) != nowhere) value_in(register_of(value)) = nowhere;
    register_of(value) = nowhere;
  }

  // First instruction after this one that uses the value.
  int next_use(int value) {
    const std::vector<int>& uses = uses_[value];
    std::size_t& next = next_use_[value];
    while (next < uses.size() && uses[next] <= now_) ++next;
    return next < uses.size() ? uses[next] : std::numeric_limits<int>::max();
  }

  bool dead(int value) { return next_use(value) == std::numeric_limits<int>::max(); }

  // Register required for the value at the end.
  int home_of(int value) const {
    const auto found = std::find(code_.leaving.begin(), code_.leaving.end(), value);
    return found == code_.leaving.end() ? nowhere : static_cast<int>(found - code_.leaving.begin());
  }

  int free_register(int value) {
    const int home = home_of(value);
    if (home != nowhere && value_in(home) == nowhere && !locked_[home]) return home;
    // Search from the end, because leaving values need the first registers
    for (int place = static_cast<int>(value_in_.size()) - 1; place >= 0; --place) {
      if (value_in(place) == nowhere && !locked_[place]) return place;
    }
    int latest = nowhere;
    for (int place = 0; place < static_cast<int>(value_in_.size()); ++place) {
      if (locked_[place]) continue;
      if (latest == nowhere || next_use(value_in(place)) > next_use(value_in(latest))) latest = place;
    }
    assert(latest != nowhere);
    const int evicted = value_in(latest);
    int& slot = slot_of_[evicted];
    if (slot == nowhere && load_of_[evicted] == nowhere) {
      slot = result_.slots++;
      emit({Action::spill, nowhere, {latest, nowhere, nowhere}, 0, slot});
    }
    take_away(evicted);
    return latest;
  }

  void emit(const Instruction& instruction) { result_.instructions.push_back(instruction); }

  void bring(int value) {
    if (register_of(value) != nowhere) return;
    const int place = free_register(value);
    if (load_of_[value] != nowhere)
      emit({Action::load, place, {}, 0, code_.instructions[load_of_[value]].place});
    else
      emit({Action::reload, place, {}, 0, slot_of_[value]});
    put(value, place);
  }

  void step(const Instruction& instruction) {
    Instruction made = instruction;
    const int count = operand_count(instruction.action);
    for (int k = 0; k < count; ++k) {
      const int value = instruction.operands[k];
      bring(value);
      locked_[register_of(value)] = true;
    }
    for (int k = 0; k < count; ++k) made.operands[k] = register_of(instruction.operands[k]);
    if (instruction.action == Action::gate) overwrite(instruction, made);
    std::fill(locked_.begin(), locked_.end(), false);
    for (int k = 0; k < count; ++k) {
      const int value = instruction.operands[k];
      if (dead(value)) take_away(value);
    }
    if (instruction.action == Action::store) {
      emit(made);
      return;
    }
    if (instruction.action != Action::gate) made.result = free_register(instruction.result);
    emit(made);
    if (!dead(instruction.result)) put(instruction.result, made.result);
  }

  // Ensures that operand 0 of a gate may be overwritten.
  void overwrite(const Instruction& instruction, Instruction& made) {
    int dying = nowhere;
    for (int k = 0; k < 3 && dying == nowhere; ++k) {
      if (dead(instruction.operands[k])) dying = k;
    }
    if (dying == nowhere) {
      const int place = free_register(instruction.result);
      emit({Action::copy, place, {made.operands[0], nowhere, nowhere}, 0, 0});
      made.operands[0] = place;
    } else if (dying > 0) {
      std::swap(made.operands[0], made.operands[dying]);
      made.table = exchanged(made.table, dying);
    }
    made.result = made.operands[0];
  }

  // Moves leaving values to their registers.
  void leave() {
    for (std::size_t i = 0; i < code_.leaving.size(); ++i) {
      const int home = static_cast<int>(i), value = code_.leaving[i];
      if (register_of(value) == home) {
        locked_[i] = true;
        continue;
      }
      if (const int other = value_in(home); other != nowhere) {
        const int place = free_register(other);
        if (register_of(other) != nowhere) {
          emit({Action::copy, place, {home, nowhere, nowhere}, 0, 0});
          take_away(other);
          put(other, place);
        }
      }
      if (register_of(value) != nowhere) {
        emit({Action::copy, home, {register_of(value), nowhere, nowhere}, 0, 0});
      } else {
        emit({Action::reload, home, {}, 0, slot_of_[value]});
      }
      take_away(value);
      put(value, home);
      locked_[i] = true;
    }
  }

  const StraightLine& code_;
  std::vector<std::vector<int>> uses_;
  std::vector<std::size_t> next_use_;
  std::vector<int> register_of_, slot_of_;
  std::vector<int> load_of_;  // the instruction that can load a value again
  std::vector<int> value_in_;
  std::vector<bool> locked_;
  int now_ = 0;
  Assigned result_;
};

}  // namespace

int operand_count(Action action) {
  switch (action) {
    case Action::load:
    case Action::reload:
      return 0;
    case Action::gate:
      return 3;
    case Action::conjunction:
    case Action::disjunction:
    case Action::exclusive:
    case Action::and_not:
      return 2;
    default:
      return 1;
  }
}

Assigned assign_registers(const StraightLine& code, int registers) {
  return Assignment(code, registers).run();
}

}  // namespace moorea
