// SPDX-License-Identifier: MIT
// Searches for networks of all 2^18 rules and writes src/logic/families.inc, whose format
// src/logic/network.cpp describes. A family is a network whose last gate has no table: its other gates divide
// the neighbourhoods into at most eight classes, and it serves every rule that is constant on each. Three
// searches find them:
//   exhaust  all networks of three more gates over a start, that is, gates that add up the cells;
//   aim      simulated annealing over a start for one rule that has no inexpensive network yet;
//   close    every known family with one of its gates replaced by every other.
// At the end a greedy cover keeps the required families. The search begins with the families on standard
// input, so that a table can be improved, or networks found otherwise added. docs/logic.md describes the
// results. Usage: find_networks SECONDS LEAST < families > families; LEAST: minimum number of rules that must
// gain from a new family.
#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "network_search.h"

namespace {

void read(Search& search) {
  Family family;
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t begin = line.find('"') + 1, end = line.find('"', begin);
    if (begin == 0 || end == std::string::npos) continue;
    const std::string text = line.substr(begin, end - begin);
    const auto digits = [&](std::size_t at, std::size_t count) {
      return static_cast<std::uint8_t>(std::stoul(text.substr(at, count), nullptr, 16));
    };
    family.gates.resize(digits(0, 1));
    std::size_t at = 1;
    if (family.gates.empty()) family.rows = digits(1, 1), family.shared = digits(2, 1), at = 3;
    for (; at < text.size(); at += 5)
      family.gates.push_back({digits(at, 1), digits(at + 1, 1), digits(at + 2, 1), digits(at + 3, 2)});
    search.consider(family, 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string phase = argc > 1 ? argv[1] : "";
  const double seconds = argc > 2 ? std::atof(argv[2]) : 0;
  const auto least = static_cast<std::size_t>(argc > 3 ? std::atol(argv[3]) : 1);
  Search search;
  const auto start = [&] { read(search), search.report("read"); };
  if (phase == "exhaust") {
    start();
    for (const Start& sums : sums_of_five()) search.exhaust(sums, least);
  } else if (phase == "aim") {
    start();
    search.aim(sum_of_ones(), 5, least, seconds / 2);
    search.aim(sum_of_two_rows(), 5, least, seconds / 2);
  } else if (phase == "close") {
    start();
    search.close(least, seconds);
  } else if (phase == "rest") {
    start();
    // Large families first, down to any size for the remaining rules
    for (const std::size_t count : {4u, 5u, 6u}) {
      for (const std::size_t many : {256u, 128u, 64u, 32u})
        search.aim(sums_of_five().front(), count, many, seconds / 12);
    }
    while (search.left() != 0) search.aim(sums_of_five().front(), 6, 1, 1);
  } else if (phase == "cover") {
    start();
  } else {
    std::fprintf(
        stderr,
        "usage: find_networks exhaust|aim|close|rest|cover [SECONDS [LEAST]] < families > families\n");
    return 2;
  }
  search.report(phase.c_str());
  search.print();
}
