// SPDX-License-Identifier: MIT
// Several states in planes of 512 strided columns per vector, by machine code for the rule.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

using word = __m512i;

#include "kernels/cpu/shifts_avx512.h"

#include "kernels/cpu/halo_columns.h"

#include "kernels/cpu/states/planes.h"

StatesBinding bind(RuleMask) {
  return {.step = step_planes_by_code, .fill_halo_columns = fill_planes_halo, .runs_code = true};
}

}  // namespace

extern const Kernel cpu_states_planes_avx512;
constexpr Kernel cpu_states_planes_avx512 = {
    .summary = "more than two states, 512 strided columns per vector with AVX-512, 16 generations per pass",
    .layout = Layout::planes,
    .max_steps = 16,
    .supports = {.families =
                     generations | nine_cell_generations | transitions | wires | history | nine_cell_history,
                 .transition_form = TransitionForm::network},
    .needs = {.avx512 = true},
    .contract = StatesContract{.bind = bind, .lanes = word_lanes},
};

}  // namespace moorea::kernels
