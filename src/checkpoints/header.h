// SPDX-License-Identifier: MIT
// The fixed parts of a checkpoint's file: a first line with the header's length and checksum, the header as
// JSON, padded with blanks, and at the end of the file the index of chunks and its checksum.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/checkpoint.h"

namespace moorea {

constexpr int max_checkpoint_version = 2;  // written for trees; other cells are version 1
constexpr std::size_t checkpoint_line_bytes = 46;
constexpr std::size_t max_checkpoint_header = 1 << 20;
constexpr std::size_t checkpoint_entry_bytes = 32;  // of the index, for each chunk
constexpr std::size_t checkpoint_index_end = 8;     // its checksum

/// What the chunks contain: the rows of the saved box, or those of a tree, which have one word each.
Size stored_size(const CheckpointHeader& header);

/// Bytes of first line and header, which depend on neither the cells nor the number of chunks.
std::size_t header_bytes(const CheckpointHeader& header);

/// First line and header, header_bytes(header) long.
std::string write_header(const CheckpointHeader& header, std::size_t chunks);

struct ParsedHeader {
  CheckpointHeader header;
  std::size_t chunks = 0;
};

/// Length of first line and header according to the first line; 0 unless it is one of this version. Throws
/// Error (run) for a line of a later version.
std::size_t parse_first_line(std::string_view bytes, const std::string& source);

/// Throws Error (run) if first line and header are damaged.
ParsedHeader parse_header(std::string_view bytes, const std::string& source);

/// Name, author and comments of the pattern that a run began with, if its program has left them in the notes.
void take_texts(const CheckpointHeader& header, Pattern& pattern);

std::string write_index(std::span<const CheckpointChunk> chunks);

/// What chunks must fill: the file's bytes between header and index, and the rows that are stored.
struct ChunkRoom {
  std::uint64_t offset = 0, bytes = 0;
  std::int64_t rows = 0;
};

/// Throws Error (run) for an index that is damaged or whose chunks do not fill the room.
std::vector<CheckpointChunk> parse_index(std::string_view bytes, const ChunkRoom& room,
                                         const std::string& source);

[[noreturn]] void fail_damaged(const std::string& source, const std::string& where);

}  // namespace moorea
