// SPDX-License-Identifier: MIT
// A rule by transitions as machine code for this CPU, generated at run time.
#pragma once

#include <memory>

#include "logic/emit_x86.h"
#include "logic/state_network.h"

namespace moorea {

/// Code whose planes() is that of the network: rows have the digits of states as planes, and filled halo
/// columns of all of them. Throws Xbyak::Error.
std::shared_ptr<const MachineCode> make_state_code(const StateNetwork& network, VectorUnit unit);

}  // namespace moorea
