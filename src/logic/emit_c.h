// SPDX-License-Identifier: MIT
// Networks as text in the common subset of C++, CUDA, NVRTC and OpenCL C.
#pragma once

#include <string>
#include <string_view>

#include "logic/cell_network.h"
#include "logic/network.h"
#include "logic/pair_network.h"
#include "logic/schedule.h"
#include "logic/two_input.h"

namespace moorea {

/// Returns a function `name` over the type `word` that computes the network. Gates are LUT3(a, b, c, table),
/// those of two operands are operators. Its parameters are the sums of rows t (y - 1), a (y), b (y + 1) and u
/// (y + 2), as ones and twos (t0, t1, ...), the centres ca and cb of a and b, and pointers to their next
/// states.
std::string c_text(const Network& network, std::string_view name);

/// Returns a function like c_text(const Network&), with the gates in the schedule's order.
std::string c_text(const Schedule& schedule, std::string_view name);

/// Returns a function like c_text(const Network&), with the operators & | ^ ~ only.
std::string c_text(const Circuit& circuit, std::string_view name);

/// Returns a function `name` over the type `word` that computes the network, with gates LUT3(a, b, c, table).
/// Its parameters are the nine cells row by row, c0 to c8, and it returns the next state of c4.
std::string c_text(const CellNetwork& network, std::string_view name);

/// Returns a function like c_text(const CellNetwork&), with the operators & | ^ ~ only.
std::string plain_c_text(const CellNetwork& network, std::string_view name);

/// Returns a function `name` over the type `word` that computes the network, with gates LUT3(a, b, c, table).
/// Its parameters are rows t (y - 1), a (y), b (y + 1) and u (y + 2), of each an array of the three cells
/// from west to east and the row's gates, and pointers to the next states of a and b. If the network has
/// gates of a row, there is also a function `name`_row of three cells and an array that receives those gates.
std::string c_text(const PairNetwork& network, std::string_view name);

/// Text of src/kernels/common/networks.h: the functions of every named rule.
std::string networks_header();

}  // namespace moorea
