// SPDX-License-Identifier: MIT
#include "moorea/big_box.h"

namespace moorea {

std::optional<Box> BigBox::as_box() const {
  const BigInteger limit(max_coordinate);
  for (const BigInteger* each : {&left, &top, &right, &bottom})
    if (*each < -limit || *each >= limit) return {};
  return Box{*left.as_signed(), *top.as_signed(), *width().as_signed(), *height().as_signed()};
}

}  // namespace moorea
