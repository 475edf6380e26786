// SPDX-License-Identifier: MIT
// Prints src/kernels/common/networks.h: make_networks_header > src/kernels/common/networks.h
#include <cstdio>
#include <string>

#include "logic/emit_c.h"

int main() {
  const std::string text = moorea::networks_header();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
