// SPDX-License-Identifier: MIT
#include "logic/state_logic.h"

namespace moorea {

int next_state(const Rule& rule, int state, bool lives) {
  if (rule.has_history()) {
    constexpr int alive[] = {1, 1, 1, 3, 3, 5, 6}, dead[] = {0, 2, 2, 4, 4, 4, 6};
    return lives ? alive[state] : dead[state];
  }
  if (rule.is_wires()) return state == 3 && lives ? 1 : state == 0 || state == 3 ? state : state + 1;
  if (state >= 2) return (state + 1) % rule.states();
  return lives ? 1 : 2 * state;
}

}  // namespace moorea
