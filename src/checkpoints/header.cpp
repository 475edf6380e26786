// SPDX-License-Identifier: MIT
#include "checkpoints/header.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "checkpoints/checksum.h"
#include "model/coordinates.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/support/nine_cells.h"
#include "moorea/world_spec.h"

namespace moorea {
namespace {

using HeaderJson = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "cells and index are stored as they are in memory");

// Headers end at multiples of the first, with room for numbers that are known only when all cells were
// written
constexpr std::size_t header_raster = 512, number_digits = 64;

std::string hexadecimal(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string first_line(int version, std::size_t bytes, std::uint64_t checksum) {
  return fmt::format("Moorea checkpoint {} {:08} {:016x}\n", version, bytes, checksum);
}

// Version 1 has no trees, which readers of that version would take for rows of cells.
int version_of(const CheckpointHeader& header) { return header.tree_words ? 2 : 1; }

HeaderJson json_of(const CheckpointHeader& header, std::size_t chunks) {
  HeaderJson json = {{"moorea", fmt::format("{} {}", version(), revision())},
                     {"rule", header.rule.str()},
                     {"topology", to_string(header.bounds.topology)},
                     {"width", header.bounds.width},
                     {"height", header.bounds.height}};
  if (!header.mesh.empty()) {
    json["mesh"] = {{"name", header.mesh},
                    {"adjacency", to_string(header.adjacency)},
                    {"checksum", hexadecimal(header.mesh_checksum)}};
  }
  json["generation"] = header.generation;
  json["population"] = header.population;
  json["hash"] = hexadecimal(header.hash);
  if (header.edge_met) json["edge_met"] = *header.edge_met;
  json["box"] = {header.box.x, header.box.y, header.box.width, header.box.height};
  if (header.tree_words) json["tree"] = {{"words", *header.tree_words}};
  json["chunks"] = chunks;
  json["notes"] = HeaderJson::parse(header.notes);
  return json;
}

std::string text_of_json(const HeaderJson& json) {
  return json.dump(-1, ' ', false, HeaderJson::error_handler_t::replace);
}

std::uint64_t from_hexadecimal(const std::string& text) {
  std::uint64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, 16).ptr;
  if (text.empty() || end != text.data() + text.size()) throw Error("a number is missing");
  return value;
}

// Throws nlohmann's exceptions and Error for a header that this version could not have written.
ParsedHeader header_of(const HeaderJson& json) {
  ParsedHeader parsed;
  CheckpointHeader& header = parsed.header;
  header.version = json.at("moorea").get<std::string>();
  header.rule = Rule::parse(json.at("rule").get<std::string>());
  require_two_states(header.rule, "a checkpoint");
  const std::string topology = json.at("topology");
  header.bounds.topology =
      topology == to_string(Topology::surface) ? Topology::surface : parse_topology(topology);
  header.bounds.width = json.at("width");
  header.bounds.height = json.at("height");
  if (header.bounds.topology == Topology::surface) {
    const HeaderJson& mesh = json.at("mesh");
    header.mesh = mesh.at("name").get<std::string>();
    header.adjacency = parse_adjacency(mesh.at("adjacency").get<std::string>());
    header.mesh_checksum = from_hexadecimal(mesh.at("checksum"));
  }
  header.generation = json.at("generation");
  header.population = json.at("population");
  header.hash = from_hexadecimal(json.at("hash"));
  if (json.contains("edge_met")) header.edge_met = json.at("edge_met").get<std::uint64_t>();
  const auto box = json.at("box").get<std::vector<std::int64_t>>();
  if (box.size() != 4) throw Error("the box has no four numbers");
  header.box = {box[0], box[1], box[2], box[3]};
  if (json.contains("tree")) header.tree_words = json.at("tree").at("words").get<std::int64_t>();
  parsed.chunks = json.at("chunks");
  header.notes = json.at("notes").dump();
  return parsed;
}

void require_possible(const CheckpointHeader& header) {
  require_box(header.box, "the saved cells");
  const Box world = {0, 0, header.bounds.width, header.bounds.height};
  require_box(world, "the world");
  if (header.generation > static_cast<std::uint64_t>(INT64_MAX)) throw Error("the generation is above 2^63");
  if (header.box.empty() && header.box.size() != Size{})
    throw Error("the saved cells have no width or height");
  if (!header.bounds.is_unbounded() && header.box != world) throw Error("the cells do not fill the world");
  if (header.tree_words && !header.bounds.is_unbounded()) throw Error("a world with a size is no tree");
  if (header.tree_words && *header.tree_words < 1) throw Error("the tree has no words");
}

struct IndexEntry {
  std::uint64_t rows, offset, bytes, checksum;
};
static_assert(sizeof(IndexEntry) == checkpoint_entry_bytes);

}  // namespace

void fail_damaged(const std::string& source, const std::string& where) {
  const std::string previous = previous_checkpoint(source);
  std::error_code error;
  throw Error(
      fmt::format("{}: the checkpoint is damaged, {}{}", source, where,
                  std::filesystem::exists(previous, error) ? "; " + previous + " is the one before it" : ""));
}

Size stored_size(const CheckpointHeader& header) {
  if (header.tree_words) return {64, *header.tree_words};
  return header.box.size();
}

std::size_t header_bytes(const CheckpointHeader& header) {
  CheckpointHeader without_results = header;
  without_results.population = without_results.hash = 0;
  const std::size_t text = text_of_json(json_of(without_results, 0)).size();
  return (checkpoint_line_bytes + text + number_digits) / header_raster * header_raster + header_raster;
}

std::string write_header(const CheckpointHeader& header, std::size_t chunks) {
  if (header.generation > static_cast<std::uint64_t>(INT64_MAX))
    throw Error(fmt::format("a checkpoint holds generations up to 2^63 - 1, not {}", header.generation));
  const std::size_t bytes = header_bytes(header);
  if (bytes > max_checkpoint_header)
    throw Error(fmt::format("a checkpoint's header of {} bytes is too long: notes of at most {} bytes", bytes,
                            max_checkpoint_header),
                ErrorKind::usage);
  std::string text = text_of_json(json_of(header, chunks));
  text.resize(bytes - checkpoint_line_bytes, ' ');
  text.back() = '\n';
  return first_line(version_of(header), bytes, checksum_of(text)) + text;
}

std::size_t parse_first_line(std::string_view bytes, const std::string& source) {
  if (!CheckpointReader::recognises(bytes)) return 0;
  int found = 0;
  std::size_t length = 0;
  const std::string line(bytes.substr(0, checkpoint_line_bytes));
  if (std::sscanf(line.c_str(), "Moorea checkpoint %d %zu", &found, &length) != 2) return 0;
  if (found > max_checkpoint_version) {
    throw Error(fmt::format(
        "{}: a checkpoint of version {}, but this Moorea reads versions up to {}: use a newer one", source,
        found, max_checkpoint_version));
  }
  return length > checkpoint_line_bytes && length <= max_checkpoint_header ? length : 0;
}

ParsedHeader parse_header(std::string_view bytes, const std::string& source) {
  const std::string_view text = bytes.substr(std::min(bytes.size(), checkpoint_line_bytes));
  const std::string_view line = bytes.substr(0, checkpoint_line_bytes);
  const std::uint64_t checksum = checksum_of(text);
  int version = max_checkpoint_version;
  while (version > 0 && line != first_line(version, bytes.size(), checksum)) --version;
  if (version == 0) fail_damaged(source, "in its header");
  try {
    ParsedHeader parsed = header_of(HeaderJson::parse(text));
    require_possible(parsed.header);
    if (version_of(parsed.header) != version) throw Error("it has another version");
    return parsed;
  } catch (const std::exception& error) {
    fail_damaged(source, fmt::format("in its header ({})", error.what()));
  }
}

void take_texts(const CheckpointHeader& header, Pattern& pattern) {
  const HeaderJson notes = HeaderJson::parse(header.notes);
  if (!notes.is_object() || !notes.contains("about")) return;
  const HeaderJson& about = notes["about"];
  const auto text = [](const HeaderJson& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  if (!about.is_object()) return;
  pattern.name = text(about.value("name", HeaderJson()));
  pattern.author = text(about.value("author", HeaderJson()));
  for (const HeaderJson& comment : about.value("comments", HeaderJson::array()))
    pattern.comments.push_back(text(comment));
}

std::string write_index(std::span<const CheckpointChunk> chunks) {
  std::string bytes;
  bytes.reserve(chunks.size() * checkpoint_entry_bytes + checkpoint_index_end);
  for (const CheckpointChunk& chunk : chunks) {
    const IndexEntry entry = {static_cast<std::uint64_t>(chunk.rows), chunk.offset, chunk.bytes,
                              chunk.checksum};
    bytes.append(reinterpret_cast<const char*>(&entry), sizeof entry);
  }
  const std::uint64_t checksum = checksum_of(bytes);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return bytes;
}

std::vector<CheckpointChunk> parse_index(std::string_view bytes, const ChunkRoom& room,
                                         const std::string& source) {
  const std::string_view entries = bytes.substr(0, bytes.size() - checkpoint_index_end);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + entries.size(), sizeof checksum);
  if (checksum != checksum_of(entries)) fail_damaged(source, "in its index");
  std::vector<CheckpointChunk> chunks(entries.size() / checkpoint_entry_bytes);
  std::int64_t row = 0;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    IndexEntry entry{};
    std::memcpy(&entry, entries.data() + i * checkpoint_entry_bytes, sizeof entry);
    if (entry.rows == 0 || entry.rows > static_cast<std::uint64_t>(room.rows - row))
      fail_damaged(source, "in its index: rows are missing");
    // Within the chunks' part of the file, without a sum that could overflow
    if (entry.bytes > room.bytes - sum || (entry.bytes > 0 && entry.offset < room.offset) ||
        (entry.bytes > 0 && entry.offset - room.offset > room.bytes - entry.bytes))
      fail_damaged(source, "in its index: a chunk lies outside the file");
    const auto rows = static_cast<std::int64_t>(entry.rows);
    chunks[i] = {row, rows, entry.offset, entry.bytes, entry.checksum};
    row += rows;
    sum += entry.bytes;
  }
  if (row != room.rows || sum != room.bytes) fail_damaged(source, "its end is missing");
  return chunks;
}

}  // namespace moorea
