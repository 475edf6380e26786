// SPDX-License-Identifier: MIT
// What each rung of the ladder changes, from the tables of docs/ladder.md, which is part of the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// One line of a table: Markdown without links.
struct Lesson {
  std::vector<std::string> kernels;  ///< patterns of their names: a star at the end stands for any ending
  std::string idea, cost, faster_if;

  bool is_of(std::string_view kernel) const;
};

/// The lessons of all ladders, in the order of the document.
const std::vector<Lesson>& lessons();

/// Reads the tables of a document.
std::vector<Lesson> lessons_in(std::string_view document);

/// A paragraph of HTML on a kernel; empty if there is no lesson of it.
std::string lesson_html(std::string_view kernel);

}  // namespace app
