// SPDX-License-Identifier: MIT
// Networks as text in the common subset of C++, CUDA, NVRTC and OpenCL C.
#pragma once

#include <string>
#include <string_view>

#include "logic/network.h"
#include "logic/two_input.h"

namespace moorea {

/// A function `name` over the type `word`, in an order that needs few copies. Gates are LUT3(a, b, c, table),
/// whose first operand is not needed afterwards where that can be; gates of two operands are operators. Its
/// parameters are the sums of rows t (y - 1), a (y), b (y + 1) and, for two rows, u (y + 2), as ones and twos
/// (t0, t1, ...), the centres ca and cb, and where to put the next states: of one row or of two.
std::string c_text(const Network& network, std::string_view name);

/// The same with the operators & | ^ ~ alone.
std::string c_text(const Circuit& circuit, std::string_view name);

/// src/kernels/step_networks.h: both texts for every rule that has a name.
std::string networks_header();

}  // namespace moorea
