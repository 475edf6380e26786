// SPDX-License-Identifier: MIT
#include "media/population_rows.h"

#include <fmt/core.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include "cli/app.h"
#include "cli/paths.h"
#include "moorea/error.h"
#include "moorea/support/file_names.h"

namespace app {
namespace {

std::string head_of(bool changes) {
  return fmt::format("generation,population{}", changes ? ",changed" : "");
}

std::optional<PopulationRow> parse_row(const std::string& line) {
  PopulationRow row;
  const char* const end = line.data() + line.size();
  const auto [comma, error] = std::from_chars(line.data(), end, row.generation);
  if (error != std::errc() || comma == end || *comma != ',') return std::nullopt;
  const auto [after, second_error] = std::from_chars(comma + 1, end, row.population);
  if (second_error != std::errc() || (after != end && *after != ',')) return std::nullopt;
  return row;
}

void require_head(const std::string& path, bool is_head, bool changes) {
  if (is_head) return;
  throw moorea::Error(
      fmt::format("{}: the run continues, and this is no table of its populations, which begins with \"{}\": "
                  "name another file",
                  path, head_of(changes)));
}

struct KeptRows {
  std::int64_t bytes = 0;  // with the head
  std::optional<PopulationRow> first, last;
};

// The rows up to a generation; a last line that does not end was being written when a run was killed.
KeptRows rows_until(const std::string& path, bool changes, std::uint64_t generation) {
  KeptRows kept;
  std::ifstream file(path, std::ios::binary);
  std::string line;
  while (std::getline(file, line) && !file.eof()) {
    if (kept.bytes == 0) {
      require_head(path, line == head_of(changes), changes);
    } else {
      const std::optional<PopulationRow> row = parse_row(line);
      if (!row) throw moorea::Error(fmt::format("{}: \"{}\" is no row of populations", path, line));
      if (row->generation > generation) break;
      if (!kept.first) kept.first = row;
      kept.last = row;
    }
    kept.bytes += static_cast<std::int64_t>(line.size()) + 1;
  }
  if (kept.bytes == 0) require_head(path, head_of(changes).starts_with(line), changes);
  return kept;
}

// A row of the table and the same generation of this run.
void require_equal(const std::string& path, const std::optional<PopulationRow>& row,
                   const std::optional<PopulationRow>& own) {
  if (!row || !own || row->generation != own->generation || row->population == own->population) return;
  throw moorea::Error(
      fmt::format("{}: generation {} has {} live cells there and {} in this run: name another file", path,
                  own->generation, row->population, own->population));
}

// Appends to the rows of the run's earlier starts.
void continue_rows(LineFile& file, const std::string& path, const KeptRows& kept, bool changes,
                   const ResumedTable& run, const PopulationRow& now) {
  require_equal(path, kept.first, run.start);
  require_equal(path, kept.last, now);
  file.keep(kept.bytes);
  if (kept.last && kept.last->generation == now.generation) return;
  if (kept.last && kept.last->generation + 1 < now.generation)
    say(fmt::format("{}: generations {} to {} are missing; an earlier start could not write them", path,
                    kept.last->generation + 1, now.generation - 1));
  file.write(fmt::format("{},{}{}\n", now.generation, now.population, changes ? "," : ""));
}

}  // namespace

std::optional<ResumedTable> table_of(const std::optional<Resumption>& resumed) {
  if (!resumed) return std::nullopt;
  const Json& notes = resumed->notes;
  const Json start = notes.is_object() ? notes.value("start", Json()) : Json();
  if (!start.is_object() || !start.value("generation", Json()).is_number_unsigned() ||
      !start.value("population", Json()).is_number_unsigned())
    return ResumedTable();
  return ResumedTable{PopulationRow{start.at("generation"), start.at("population")}};
}

void begin_populations(LineFile& file, const std::string& path, bool changes,
                       const std::optional<ResumedTable>& resumed, const PopulationRow& now) {
  std::error_code error;
  if (resumed && moorea::has_ending(path, ".gz") && std::filesystem::exists(path, error))
    usage(fmt::format("{}: a compressed table cannot be continued: name another file", path));
  if (resumed && path != "-" && !moorea::has_ending(path, ".gz") &&
      std::filesystem::is_regular_file(path, error)) {
    const KeptRows kept = rows_until(path, changes, now.generation);
    if (kept.bytes > 0) return continue_rows(file, path, kept, changes, *resumed, now);
  }
  // Nobody knows what the first generation changed
  file.write(
      fmt::format("{}\n{},{}{}\n", head_of(changes), now.generation, now.population, changes ? "," : ""));
}

}  // namespace app
