// SPDX-License-Identifier: MIT
// Pages of censuses: a table, and pictures of the objects with soups in which they occur.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "moorea/census.h"

namespace app {

/// Objects of a haul, the most frequent first.
struct CensusLine {
  std::string code;
  std::string name;  ///< empty if it has none
  moorea::CensusEntry entry;
};
std::vector<CensusLine> census_lines(const moorea::Haul& haul, const moorea::Rule& rule);

/// Number of soups that were cut off.
std::uint64_t cut_off_soups(const moorea::Haul& haul);
/// A sentence about them, for a census with a reach.
std::string cut_off_note(const moorea::Haul& haul, const moorea::CensusSpec& spec);

/// The command that prints a soup.
std::string soup_command(const moorea::CensusSpec& spec, std::uint64_t soup);

/// A complete HTML page.
std::string census_page(const moorea::Haul& haul, const moorea::CensusSpec& spec);

}  // namespace app
