// SPDX-License-Identifier: MIT
// A rule of blocks as machine code for this CPU, generated at run time.
#pragma once

#include <memory>

#include "logic/emit_x86.h"
#include "moorea/rule.h"

namespace moorea {

/// Code whose blocks() is that of a rule with Rule::blocks(). Throws Xbyak::Error.
std::shared_ptr<const MachineCode> make_block_code(const Rule& rule, VectorUnit unit);

}  // namespace moorea
