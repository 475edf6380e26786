// SPDX-License-Identifier: MIT
// This machine's name.
#pragma once

#include <string>

namespace app {

/// The network name of this machine; "localhost" if it has none.
std::string host_name();

}  // namespace app
