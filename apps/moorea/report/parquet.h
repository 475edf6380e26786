// SPDX-License-Identifier: MIT
// Tables as Parquet files, which Python's pyarrow writes: Debian has no library for the format.
#pragma once

#include <string>
#include <vector>

namespace app {

/// Throws moorea::Error (unavailable), with the remedy, if the python3 of PATH has no pyarrow; `path` is
/// named in it.
void require_parquet(const std::string& path);

/// Writes a Parquet file with the columns of a CSV file, whose first line has their names: 64-bit numbers,
/// signed in "x" and "y", unsigned otherwise. The column "hash" is hexadecimal in `csv`. With rules, the
/// file's metadata has them as "rules", a list in JSON. Any number of rows: only some are in memory. The file
/// appears when it is complete. Throws moorea::Error (run).
void write_parquet(const std::string& path, const std::string& csv, const std::vector<std::string>& rules);

}  // namespace app
