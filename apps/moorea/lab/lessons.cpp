// SPDX-License-Identifier: MIT
#include "lab/lessons.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "report/svg.h"

namespace app {

extern const char* const ladder_document;  // made by the build from docs/ladder.md

namespace {

// The cells of a line of a table, without blanks at their ends.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  line.remove_prefix(1);
  for (std::size_t bar = 0; (bar = line.find('|')) != std::string_view::npos; line.remove_prefix(bar + 1)) {
    std::string_view cell = line.substr(0, bar);
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    cells.emplace_back(cell);
  }
  return cells;
}

// Replaces links by their texts.
std::string without_links(std::string text) {
  for (std::size_t middle = 0; (middle = text.find("](")) != std::string::npos;) {
    const std::size_t begin = text.rfind('[', middle), end = text.find(')', middle);
    if (begin == std::string::npos || end == std::string::npos) break;
    text.erase(middle, end + 1 - middle);
    text.erase(begin, 1);
  }
  return text;
}

// Names of kernels from those of their files: `ladder/07_a_avx2.cpp`, `..._avx512.cpp` are
// cpu/ladder/07_a_avx2 and cpu/ladder/07_a_avx512.
std::vector<std::string> kernels_of(std::string_view files) {
  std::vector<std::string> kernels;
  std::string first;
  for (std::size_t begin = 0; (begin = files.find('`', begin)) != std::string_view::npos;) {
    const std::size_t end = files.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    std::string name(files.substr(begin + 1, end - begin - 1));
    begin = end + 1;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string ending = name.substr(dot);
    const std::string backend = ending == ".cpp"  ? "cpu/"
                                : ending == ".cu" ? "cuda/"
                                : ending == ".cl" ? "opencl/"
                                                  : "";
    if (backend.empty()) continue;
    name.resize(dot);
    if (name.starts_with("...")) {
      name = first.substr(0, first.rfind('_')) + name.substr(3);
    } else {
      if (!name.starts_with(backend)) name.insert(0, backend);
      first = name;
    }
    kernels.push_back(name);
  }
  return kernels;
}

// HTML of Markdown whose only marks are backticks, as a sentence.
std::string sentence(std::string text) {
  if (!text.empty() && text[0] != '`')
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (!text.ends_with('.')) text += '.';
  std::string html = escaped(text);
  for (std::size_t at = 0, number = 0; (at = html.find('`', at)) != std::string::npos; ++number)
    html.replace(at, 1, number % 2 == 0 ? "<code>" : "</code>");
  return html;
}

}  // namespace

bool Lesson::is_of(std::string_view kernel) const {
  return std::ranges::any_of(kernels, [&](std::string_view pattern) {
    if (!pattern.ends_with('*')) return pattern == kernel;
    pattern.remove_suffix(1);
    return kernel.starts_with(pattern);
  });
}

std::vector<Lesson> lessons_in(std::string_view document) {
  std::vector<Lesson> found;
  while (!document.empty()) {
    const std::size_t end = std::min(document.find('\n'), document.size());
    const std::string_view line = document.substr(0, end);
    document.remove_prefix(std::min(end + 1, document.size()));
    if (!line.starts_with("| ")) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 5 || cells[0].find_first_not_of("0123456789") != std::string::npos) continue;
    Lesson lesson{kernels_of(cells[1]), without_links(cells[2]), without_links(cells[3]),
                  without_links(cells[4])};
    if (!lesson.kernels.empty()) found.push_back(std::move(lesson));
  }
  return found;
}

const std::vector<Lesson>& lessons() {
  static const std::vector<Lesson> all = lessons_in(ladder_document);
  return all;
}

std::string lesson_html(std::string_view kernel) {
  const auto lesson = std::ranges::find_if(lessons(), [&](const Lesson& each) { return each.is_of(kernel); });
  if (lesson == lessons().end()) return "";
  std::string html =
      fmt::format("<p><strong>{}</strong> {}", escaped(std::string(kernel)), sentence(lesson->idea));
  if (!lesson->cost.empty()) html += " What it costs: " + sentence(lesson->cost);
  if (!lesson->faster_if.empty()) html += " When it is faster: " + sentence(lesson->faster_if);
  return html + "</p>\n";
}

}  // namespace app
