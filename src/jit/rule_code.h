// SPDX-License-Identifier: MIT
// Machine code for rules without a compiled network in a CPU kernel.
#pragma once

#include <map>
#include <memory>

#include "logic/emit_x86.h"
#include "moorea/rule.h"

namespace moorea {

/// Machine code of a rule for each vector unit, generated at first use and kept for the process.
class RuleCode {
 public:
  explicit RuleCode(const Rule& rule) : rule_(rule) {}

  struct Made {
    std::shared_ptr<const MachineCode> code;
    const char* reason = nullptr;  ///< why there is none
  };
  const Made& for_unit(VectorUnit unit);
  const Rule& rule() const { return rule_; }

 private:
  Rule rule_;
  std::map<VectorUnit, Made> made_;
};

}  // namespace moorea
