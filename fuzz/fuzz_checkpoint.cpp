// SPDX-License-Identifier: MIT
// Any bytes as a checkpoint: refused with an error, or readable in full and by windows; and a checkpoint that
// is accepted is refused with any of its bits flipped. Each input is also tried with correct checksums, which
// mutations rarely have, so that what lies behind them is reached.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "checkpoints/checksum.h"
#include "moorea/checkpoint.h"
#include "moorea/error.h"

namespace {

constexpr std::size_t line_bytes = 46, entry_bytes = 32, sum_bytes = 8;
constexpr std::size_t max_flipped_bytes = 1200;  // of larger inputs, so many in equal distances
constexpr std::int64_t max_cells = 1 << 24;      // larger worlds are valid, but take long here

// Whether the bytes are accepted; aborts for errors that no file may cause.
bool accepted(std::string_view bytes) {
  try {
    const moorea::CheckpointReader reader(bytes, "fuzz");
    reader.verify();
    return true;
  } catch (const moorea::Error& error) {
    if (!moorea::is_run_error(error.kind())) std::abort();
    return false;
  }
}

// The bytes with the checksums that header and index would have; empty if there is neither.
std::optional<std::string> repaired(std::string bytes) {
  int version = 0;
  std::size_t length = 0, chunks = 0;
  if (std::sscanf(bytes.c_str(), "Moorea checkpoint %d %zu", &version, &length) != 2) return std::nullopt;
  if (length <= line_bytes || length > bytes.size()) return std::nullopt;
  const std::string_view header = std::string_view(bytes).substr(line_bytes, length - line_bytes);
  char line[128];
  std::snprintf(line, sizeof line, "Moorea checkpoint %d %08zu %016llx\n", version, length,
                static_cast<unsigned long long>(moorea::checksum_of(header)));
  if (std::strlen(line) != line_bytes) return std::nullopt;
  const std::size_t key = header.find("\"chunks\":");
  if (key == header.npos || std::sscanf(header.data() + key, "\"chunks\":%zu", &chunks) != 1)
    return std::nullopt;
  const std::size_t room = bytes.size() - length;
  if (chunks > room / entry_bytes || chunks * entry_bytes + sum_bytes > room) return std::nullopt;
  const std::size_t end = bytes.size() - sum_bytes;
  const std::uint64_t sum =
      moorea::checksum_of(std::string_view(bytes).substr(end - chunks * entry_bytes, chunks * entry_bytes));
  std::memcpy(bytes.data(), line, line_bytes);
  std::memcpy(bytes.data() + end, &sum, sum_bytes);
  return bytes;
}

// Of cells that are saved as a tree.
void read_tree(const moorea::CheckpointReader& reader) {
  const moorea::CellTree tree = reader.tree();
  const moorea::Box box = reader.header().box;
  const moorea::Box corner = {box.x, box.y, 20, 20}, end = {box.right() - 20, box.bottom() - 20, 20, 20};
  for (const moorea::Box& part : {corner, end})
    if (!(reader.window(part) == tree.grid({part.x, part.y, part.right() - 1, part.bottom() - 1})))
      std::abort();
}

void read_windows(std::string_view bytes) {
  const moorea::CheckpointReader reader(bytes, "fuzz");
  if (reader.header().tree_words) read_tree(reader);
  const moorea::Box box = reader.header().box;
  if (box.area() > static_cast<double>(max_cells)) return;
  const moorea::Grid cells = reader.pattern().cells;
  if (cells.width() != box.width || cells.height() != box.height) std::abort();
  const moorea::Box part = {box.x + box.width / 3, box.y + box.height / 2, box.width / 2 + 2,
                            box.height / 3 + 2};
  if (!(reader.window(part) == cells.crop(part.translated(-box.position())))) std::abort();
}

void flip_bits(const std::string& bytes) {
  const std::size_t stride = 1 + bytes.size() / max_flipped_bytes;
  for (std::size_t at = 0; at < bytes.size(); at += stride) {
    std::string flipped = bytes;
    for (int bit = 0; bit < 8; ++bit) {
      flipped[at] = static_cast<char>(bytes[at] ^ 1 << bit);
      if (accepted(flipped)) std::abort();
    }
  }
}

}  // namespace

[[maybe_unused]] const int memory_is_limited = setenv("MOOREA_MEMORY", "64M", 1);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (moorea::checkpoints_unavailable_reason() != nullptr) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (accepted(bytes)) {
    read_windows(bytes);
    flip_bits(bytes);
  }
  if (const std::optional<std::string> valid = repaired(bytes); valid && accepted(*valid))
    read_windows(*valid);
  return 0;
}
