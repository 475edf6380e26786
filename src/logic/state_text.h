// SPDX-License-Identifier: MIT
// What becomes of cells with more than two states, as text for code that is compiled at run time.
#pragma once

#include <string>

#include "moorea/rule.h"

namespace moorea {

/// Two functions over the type `word`, in the common subset of C++, CUDA and OpenCL C, with the operators
/// & | ^ ~ only, for a rule of Generations, of wires or with history, or of Larger than Life with more than
/// two states. A cell is an array of the binary digits of its state, the lowest first. live_cells(cell)
/// returns the cells that their neighbours count; advance_states(cell, lives) replaces cells by their next
/// states.
std::string state_text(const Rule& rule);

/// These functions with gates of three inputs: the macro LUT3 of common/networks.h. States of more than three
/// digits, which are counted up, have the operators.
std::string state_gates_text(const Rule& rule);

}  // namespace moorea
