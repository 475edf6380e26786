// SPDX-License-Identifier: MIT
// Access by secret tokens: one for the clients that control the run, one for those that watch.
#pragma once

#include <string>
#include <string_view>

namespace app {

enum class Access { none, audience, control };

/// Compares a token with the two secrets, in a time that does not depend on them.
Access access_of(std::string_view token, std::string_view control, std::string_view audience);

/// Returns 128 random bits of the system as 32 hexadecimal digits.
std::string random_token();

}  // namespace app
