// SPDX-License-Identifier: MIT
// A rule as kernels receive it.
#pragma once

#include <cstdint>

#include "moorea/kernel.h"
#include "moorea/rule.h"

namespace moorea {

inline kernels::RuleMask mask_of(const Rule& rule) {
  return {static_cast<std::uint16_t>(rule.birth()), static_cast<std::uint16_t>(rule.survival())};
}

}  // namespace moorea
