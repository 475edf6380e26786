// SPDX-License-Identifier: MIT
#include "devices/code_cache.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "moorea/inventory.h"

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

std::vector<char> cached_code(const std::string& name) {
  const std::filesystem::path folder(cache_folder());
  if (folder.empty()) return {};
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(folder / name, error);
  if (error) return {};
  std::vector<char> code(static_cast<std::size_t>(size));
  std::ifstream file(folder / name, std::ios::binary);
  file.read(code.data(), static_cast<std::streamsize>(size));
  return file ? code : std::vector<char>();
}

std::filesystem::path keep_code(const std::string& name, const char* data, std::size_t size) {
  const std::filesystem::path folder(cache_folder());
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path path = folder / name, beside = path.string() + fmt::format(".{}", getpid());
  std::ofstream file(beside, std::ios::binary);
  file.write(data, static_cast<std::streamsize>(size));
  file.close();
  if (file) std::filesystem::rename(beside, path, error);
  if (file && !error) return path;
  std::filesystem::remove(beside, error);
  return {};
}

}  // namespace moorea
