// SPDX-License-Identifier: MIT
// NumPy's archives of arrays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace app {

/// Largest archive, in bytes.
constexpr std::uint64_t max_npz_bytes = 0xFFFFFFFF;

/// Returns the bytes of an archive with so many columns and rows, approximately and not less.
std::uint64_t npz_bytes(std::uint64_t columns, std::uint64_t rows);

/// Writes an archive (.npz, numpy.load) with one array of 64-bit numbers for each column of a CSV file of
/// `rows` rows, whose first line has the columns' names. Numbers are decimal; the column "hash" is
/// hexadecimal. With rules, the archive has an array "rules" of strings. The file appears when it is
/// complete. Throws moorea::Error (run).
void write_npz(const std::string& path, const std::string& csv, std::uint64_t rows,
               const std::vector<std::string>& rules);

}  // namespace app
