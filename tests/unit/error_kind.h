// SPDX-License-Identifier: MIT
// Kinds of errors, for tests.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "moorea/error.h"

namespace moorea::test {

/// The kind of the Error that a call throws; a failure if it throws none.
inline ErrorKind kind_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::run;
}

}  // namespace moorea::test
