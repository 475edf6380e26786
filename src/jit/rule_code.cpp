// SPDX-License-Identifier: MIT
#include "jit/rule_code.h"

#include <cstddef>
#include <utility>

#include "model/process_cache.h"

namespace moorea {

namespace {

constexpr std::size_t max_codes = 512;  // some kilobytes each

}  // namespace

const RuleCode::Made& RuleCode::for_unit(VectorUnit unit) {
  static ProcessCache<std::pair<Rule, VectorUnit>, MachineCode> known(max_codes);
  const auto [at, is_new] = made_.try_emplace(unit);
  Made& made = at->second;
  if (!is_new) return made;
  // A failure is not kept, because it may be temporary
  made.code = known.find_or_make({rule_, unit}, [&] { return MachineCode::make(rule_, unit, &made.reason); });
  return made;
}

}  // namespace moorea
