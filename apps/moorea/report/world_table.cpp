// SPDX-License-Identifier: MIT
#include "report/world_table.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "cli/numbers.h"
#include "moorea/error.h"
#include "moorea/support/file_names.h"
#include "moorea/support/output_file.h"
#include "report/npz.h"
#include "report/parquet.h"

namespace app {
namespace {

constexpr const char* record_names[] = {"seed", "population", "hash", "changed", "box", "period"};

bool is_npz(const std::string& path) { return moorea::has_ending(path, ".npz"); }

bool is_parquet(const std::string& path) { return moorea::has_ending(path, ".parquet"); }

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw moorea::Error(fmt::format("{}: cannot {}: {}", path, what, std::strerror(error)));
}

void write_file(const std::string& path, const std::string& text) {
  moorea::OutputFile file(path);
  file.write(text);
  file.finish();
}

// Number of whole lines of a table after its header, and the bytes that they take with it.
struct TableLines {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string header, last;
};

// `kept` gets those of its rows.
TableLines lines_of(const std::string& path, std::map<std::uint64_t, std::string>* kept = nullptr) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "read", errno);
  TableLines lines;
  std::string line;
  while (std::getline(file, line) && !file.eof()) {
    (lines.bytes == 0 ? lines.header : lines.last) = line;
    if (lines.bytes != 0) {
      if (kept != nullptr && kept->contains(lines.rows)) kept->at(lines.rows) = line;
      ++lines.rows;
    }
    lines.bytes += line.size() + 1;
  }
  return lines;
}

}  // namespace

WorldColumns WorldColumns::parse(const std::vector<std::string>& names) {
  WorldColumns columns;
  bool* const values[] = {&columns.seed,    &columns.population, &columns.hash,
                          &columns.changed, &columns.box,        &columns.period};
  for (const std::string& name : names) {
    const auto found = std::find(std::begin(record_names), std::end(record_names), name);
    if (found == std::end(record_names))
      usage(fmt::format("--record \"{}\": expected some of {}", name, joined(record_names, ", ")));
    *values[found - std::begin(record_names)] = true;
  }
  return columns;
}

std::vector<std::string> WorldColumns::names() const {
  std::vector<std::string> list = {"world", "generation"};
  const auto add = [&](bool wanted, std::initializer_list<const char*> names) {
    if (wanted) list.insert(list.end(), names.begin(), names.end());
  };
  add(rule, {"rule"});
  add(seed, {"seed"});
  add(population, {"population"});
  add(hash, {"hash"});
  add(changed, {"changed"});
  add(box, {"x", "y", "width", "height"});
  add(period, {"period", "period_generation"});
  return list;
}

void WorldTable::check(const std::string& path) {
  if (is_parquet(path)) return require_parquet(path);
  if (!moorea::has_ending(path, ".csv") && !is_npz(path))
    usage(fmt::format("table \"{}\": expected a file whose name ends in .csv, .npz or .parquet", path));
}

WorldTable::WorldTable(const std::string& path, const WorldColumns& columns, const moorea::EnsembleSpec& spec,
                       const Json& survey)
    : path_(path),
      rows_path_(is_npz(path) || is_parquet(path) ? path + ".rows" : path),
      state_path_(path + ".survey"),
      columns_(columns),
      spec_(spec),
      survey_(survey) {
  check(path);
  lock_.emplace(path, "table");
}

WorldTable::~WorldTable() {
  if (file_ >= 0) ::close(file_);
}

void WorldTable::begin() {
  for (const std::string& file : {path_, state_path_})
    if (std::filesystem::is_regular_file(file))
      usage(fmt::format("{} exists: add --resume to continue an interrupted survey, or remove it", file));
  start();
}

void WorldTable::start() {
  file_ = ::open(rows_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail(rows_path_, "write", errno);
  write_file(state_path_, survey_.dump() + "\n");
  const std::string header = joined(columns_.names(), ",") + "\n";
  if (::write(file_, header.data(), header.size()) != static_cast<ssize_t>(header.size()))
    fail(rows_path_, "write", errno);
}

std::uint64_t WorldTable::resume() {
  if (std::filesystem::exists(state_path_)) return continue_rows();
  if (!std::filesystem::exists(path_)) {
    start();
    return 0;
  }
  if (rows_path_ != path_) {
    throw moorea::Error(
        fmt::format("{} exists, and no {}: it is complete, or no survey's table; remove it to begin again",
                    path_, state_path_));
  }
  constexpr std::uint64_t number = 8;
  for (std::uint64_t i = 0; i < number; ++i) complete_rows_[(spec_.worlds() - 1) * i / (number - 1)];
  const TableLines lines = lines_of(path_, &complete_rows_);
  if (lines.header != joined(columns_.names(), ",") || lines.rows != spec_.worlds())
    throw moorea::Error(fmt::format("{} is not the table of this survey: remove it to begin again", path_));
  return lines.rows;
}

std::vector<std::uint64_t> WorldTable::compared_worlds() const {
  std::vector<std::uint64_t> worlds;
  for (const auto& [world, row] : complete_rows_) worlds.push_back(world);
  return worlds;
}

bool WorldTable::differs(const moorea::WorldRecord& record) const {
  return complete_rows_.at(record.world) + "\n" != row(record);
}

std::uint64_t WorldTable::continue_rows() {
  std::ifstream state(state_path_);
  const std::string text((std::istreambuf_iterator<char>(state)), std::istreambuf_iterator<char>());
  Json saved = Json::parse(text, nullptr, false), mine = survey_;
  // The table may have been moved, or its path may be written in another way
  for (Json* const each : {&saved, &mine}) {
    if (each->is_object()) each->erase("file");
  }
  if (saved != mine) {
    throw moorea::Error(fmt::format(
        "{} belongs to a different survey, described by {}: repeat its options, or remove both to "
        "begin again",
        path_, state_path_));
  }
  const TableLines lines = lines_of(rows_path_);
  const std::string last = fmt::format("{},", lines.rows - 1);
  if (lines.header != joined(columns_.names(), ",") || (lines.rows > 0 && !lines.last.starts_with(last)) ||
      lines.rows > spec_.worlds()) {
    throw moorea::Error(
        fmt::format("{}: the rows are not those of a survey; remove the table to begin again", rows_path_));
  }
  file_ = ::open(rows_path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  // A line that is not whole was being written when the survey ended
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(lines.bytes)) != 0) fail(rows_path_, "write", errno);
  return lines.rows;
}

std::string WorldTable::row(const moorea::WorldRecord& record) const {
  std::string line = fmt::format("{},{}", record.world, record.generation);
  const auto add = [&](const auto& value) { line += fmt::format(",{}", value); };
  if (columns_.rule) {
    std::uint64_t world = record.world;
    std::size_t group = 0;
    for (; world >= spec_.groups[group].worlds; ++group) world -= spec_.groups[group].worlds;
    add(group);
  }
  if (columns_.seed) add(moorea::world_seed(spec_.seed, record.world));
  if (columns_.population) add(record.population);
  if (columns_.hash) add(hash_text(record.hash));
  if (columns_.changed) add(record.changed.value_or(0));
  if (columns_.box) {
    const moorea::Box box = record.bounding_box.value_or(moorea::Box{});
    line += fmt::format(",{},{},{},{}", box.x, box.y, box.width, box.height);
  }
  if (columns_.period) line += fmt::format(",{},{}", record.period, record.period_generation.value_or(0));
  return line + "\n";
}

void WorldTable::add(std::span<const moorea::WorldRecord> records) {
  std::string lines;
  for (const moorea::WorldRecord& record : records) lines += row(record);
  for (std::string_view unwritten = lines; !unwritten.empty();) {
    const ssize_t put = ::write(file_, unwritten.data(), unwritten.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail(rows_path_, "write", errno);
    unwritten.remove_prefix(static_cast<std::size_t>(put));
  }
}

void WorldTable::finish() {
  if (::close(std::exchange(file_, -1)) != 0) fail(rows_path_, "write", errno);
  if (rows_path_ != path_) {
    std::vector<std::string> rules;
    if (columns_.rule) {
      for (const moorea::RuleGroup& group : spec_.groups) rules.push_back(group.rule.str());
    }
    if (is_npz(path_))
      write_npz(path_, rows_path_, spec_.worlds(), rules);
    else
      write_parquet(path_, rows_path_, rules);
    std::filesystem::remove(rows_path_);
  }
  std::filesystem::remove(state_path_);
}

}  // namespace app
