// SPDX-License-Identifier: MIT
#include "jit/code_cache.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/support/output_file.h"

namespace moorea {

std::string cache_folder() {
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder == '/')
    return (std::filesystem::path(folder) / "moorea").string();
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return (std::filesystem::path(home) / ".cache" / "moorea").string();
  return {};
}

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

namespace {

// Header of an entry: its format, and the fingerprint of the code that follows.
struct EntryHead {
  char magic[8] = {'M', 'o', 'o', 'r', 'e', 'a', '0', '1'};
  std::uint64_t checksum = 0;
};

// Recognises our files by name, including partially written ones: HASH[-VERSION].cubin.1234
bool is_entry(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const bool hash = name.size() > 16 && name.find_first_not_of("0123456789abcdef") == 16;
  return hash && (name.find(".opencl") != std::string::npos || name.find(".cubin") != std::string::npos ||
                  name.find(".cl") != std::string::npos);
}

// Sets the time of access, which records use even if the file system does not update it on reads; that of
// modification is kept.
void note_use(const std::filesystem::path& path) {
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  ::utimensat(AT_FDCWD, path.c_str(), times, 0);
}

std::filesystem::path keep(const std::string& name, std::string_view head, std::string_view bytes) {
  const std::filesystem::path folder(cache_folder());
  if (folder.empty()) return {};
  std::error_code ignored;  // without the folder the file cannot be created
  std::filesystem::create_directories(folder, ignored);
  const std::filesystem::path path = folder / name;
  try {
    OutputFile file(path.string());
    file.write(head);
    file.write(bytes);
    file.finish();
  } catch (const Error&) {
    return {};
  }
  return path;
}

}  // namespace

std::vector<char> cached_code(const std::string& name) {
  const std::filesystem::path folder(cache_folder());
  if (folder.empty()) return {};
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(folder / name, error);
  EntryHead head;
  if (error || size <= sizeof head) return {};
  std::vector<char> code(static_cast<std::size_t>(size) - sizeof head);
  std::ifstream file(folder / name, std::ios::binary);
  file.read(reinterpret_cast<char*>(&head), sizeof head);
  file.read(code.data(), static_cast<std::streamsize>(code.size()));
  const bool whole = file && std::memcmp(head.magic, EntryHead().magic, sizeof head.magic) == 0 &&
                     head.checksum == fingerprint({code.data(), code.size()});
  if (!whole) return {};
  note_use(folder / name);
  return code;
}

void keep_code(const std::string& name, const char* data, std::size_t size) {
  EntryHead head;
  head.checksum = fingerprint({data, size});
  const std::filesystem::path kept =
      keep(name, {reinterpret_cast<const char*>(&head), sizeof head}, {data, size});
  if (!kept.empty()) trim_cache(kept.parent_path(), max_cache_bytes);
}

std::filesystem::path keep_text(const std::string& name, const std::string& text) {
  return keep(name, "", text);
}

void trim_cache(const std::filesystem::path& folder, std::uintmax_t max_bytes) {
  struct Entry {
    std::pair<std::int64_t, std::int64_t> last_use;  // seconds, nanoseconds
    std::uintmax_t bytes;
    std::filesystem::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t sum = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    struct stat status {};
    if (!is_entry(file->path()) || ::lstat(file->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    const auto bytes = static_cast<std::uintmax_t>(status.st_size);
    entries.push_back({{status.st_atim.tv_sec, status.st_atim.tv_nsec}, bytes, file->path()});
    sum += bytes;
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.last_use < b.last_use; });
  for (const Entry& entry : entries) {
    if (sum <= max_bytes) return;
    if (std::filesystem::remove(entry.path, error)) sum -= entry.bytes;
  }
}

}  // namespace moorea
