// SPDX-License-Identifier: MIT
// The archive is a ZIP file whose members are stored without compression: a header, the bytes of the array in
// NumPy's format 1.0, and a directory at the end (PKWARE's APPNOTE, 4.3; numpy.lib.format).
#include "report/npz.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "moorea/error.h"
#include "moorea/support/output_file.h"

namespace app {
namespace {

constexpr std::size_t header_alignment = 64;
constexpr std::uint64_t bytes_around = 512;  // of a member: its two headers, the name and that of NumPy

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? value >> 1 ^ 0xEDB88320 : value >> 1;
    table[i] = value;
  }
  return table;
}

std::uint32_t crc32(std::string_view bytes) {
  static constexpr auto table = make_crc_table();
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char each : bytes) crc = table[(crc ^ static_cast<unsigned char>(each)) & 0xFF] ^ crc >> 8;
  return ~crc;
}

// Little-endian number of so many bytes.
void put(std::string& to, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

// Bytes of an array, with NumPy's header.
std::string array_bytes(const std::string& type, std::uint64_t count, const std::string& data) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, count);
  constexpr std::size_t prefix = 10;
  header.append(header_alignment - (prefix + header.size() + 1) % header_alignment, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  put(bytes, header.size(), 2);
  return bytes + header + data;
}

class ZipFile {
 public:
  explicit ZipFile(const std::string& path) : file_(path) {}

  void add(const std::string& name, const std::string& content) {
    std::string common;
    put(common, 0, 2);           // flags
    put(common, 0, 2);           // stored
    put(common, 0x00210000, 4);  // the first day of 1980, so that equal tables are equal files
    put(common, crc32(content), 4);
    put(common, content.size(), 4);
    put(common, content.size(), 4);
    put(common, name.size(), 2);
    put(common, 0, 2);  // extra field
    std::string local("PK\x03\x04", 4);
    put(local, 20, 2);
    local += common + name;
    directory_.append("PK\x01\x02", 4);
    put(directory_, 20, 2);
    put(directory_, 20, 2);
    directory_ += common;
    put(directory_, 0, 2);  // comment
    put(directory_, 0, 2);  // disk
    put(directory_, 0, 2);  // attributes
    put(directory_, 0, 4);
    put(directory_, size_, 4);
    directory_ += name;
    write(local);
    write(content);
    ++members_;
  }

  void finish() {
    const std::uint64_t begin = size_, length = directory_.size();
    std::string end("PK\x05\x06", 4);
    put(end, 0, 4);  // disks
    put(end, members_, 2);
    put(end, members_, 2);
    put(end, length, 4);
    put(end, begin, 4);
    put(end, 0, 2);  // comment
    write(directory_);
    write(end);
    file_.finish();
  }

 private:
  void write(const std::string& bytes) {
    file_.write(bytes);
    size_ += bytes.size();
  }

  moorea::OutputFile file_;
  std::string directory_;
  std::uint64_t size_ = 0, members_ = 0;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

// Value number `column` of a line.
std::uint64_t number_in(const std::string& line, std::size_t column, int base) {
  const char* begin = line.data();
  const char* const end = begin + line.size();
  for (; column > 0; --column) begin = std::find(begin, end, ',') + 1;
  std::uint64_t value = 0;
  std::from_chars(begin, end, value, base);
  return value;
}

std::string column_of(const std::string& csv, std::size_t column, int base) {
  std::ifstream file(csv);
  std::string line, data;
  std::getline(file, line);
  while (std::getline(file, line)) put(data, number_in(line, column, base), 8);
  if (file.bad()) throw moorea::Error(fmt::format("{}: cannot read: {}", csv, std::strerror(errno)));
  return data;
}

}  // namespace

std::uint64_t npz_bytes(std::uint64_t columns, std::uint64_t rows) {
  return columns * (8 * rows + bytes_around) + bytes_around;
}

void write_npz(const std::string& path, const std::string& csv, std::uint64_t rows,
               const std::vector<std::string>& rules) {
  std::ifstream file(csv);
  std::string header;
  std::getline(file, header);
  const std::vector<std::string> names = split(header);
  ZipFile zip(path);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string data = column_of(csv, i, names[i] == "hash" ? 16 : 10);
    zip.add(names[i] + ".npy", array_bytes("<u8", rows, data));
  }
  if (!rules.empty()) {
    std::size_t longest = 1;
    for (const std::string& rule : rules) longest = std::max(longest, rule.size());
    std::string data;
    for (const std::string& rule : rules) data += rule + std::string(longest - rule.size(), '\0');
    zip.add("rules.npy", array_bytes(fmt::format("|S{}", longest), rules.size(), data));
  }
  zip.finish();
}

}  // namespace app
