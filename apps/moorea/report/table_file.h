// SPDX-License-Identifier: MIT
// Tables of numbers that commands write row by row, as CSV with a line of heads.
#pragma once

#include <charconv>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace app {

class TableFile {
 public:
  /// Whether the first line of a regular file begins with these heads.
  static bool begins_with(const std::string& path, std::string_view heads);

  explicit TableFile(std::string path);
  const std::vector<std::string>& heads() const { return heads_; }
  /// Calls visit with the values of these columns of each row; it returns false if they are none. Throws
  /// Error (run) for such a row. One at the end without a line break, as of a command that was killed, is
  /// left out, which is said once. May be called again.
  void for_rows(std::span<const std::size_t> columns,
                const std::function<bool(std::span<const std::string_view>)>& visit);

 private:
  std::string path_;
  std::vector<std::string> heads_;
  bool has_said_ = false;
};

/// The value as a whole number, or as any number; empty if it is none.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace app
