// SPDX-License-Identifier: MIT
// Hauls in the format of apgsearch: lines that begin with @ and a name, the census table, the most frequent
// objects first, and soups in which objects occurred.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "model/digest.h"
#include "moorea/census.h"
#include "moorea/error.h"
#include "moorea/version.h"

namespace moorea {
namespace {

// "B3/S23" as apgsearch writes it: "b3s23".
std::string apgsearch_rule(const Rule& rule) {
  std::string text;
  for (const char c : rule.str()) {
    if (c != '/') text += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return text;
}

class HaulReader {
 public:
  HaulReader(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  SavedHaul read() {
    const bool is_cut_off = !text_.empty() && !text_.ends_with('\n');
    std::optional<std::uint64_t> soups, objects;
    std::string_view md5_of_root;
    enum { head, table, samples } part = head;
    while (const std::optional<std::string_view> line = next_line()) {
      if (line->empty()) continue;
      if ((*line)[0] == '@') {
        const auto [name, value] = split(*line);
        if (name == "@VERSION") is_own_ = value.starts_with("moorea-");
        if (name == "@MD5") md5_of_root = value;
        if (name == "@ROOT") saved_.root = value;
        if (name == "@RULE") saved_.rule = value;
        if (name == "@SYMMETRY") saved_.symmetry = value;
        if (name == "@REACH") saved_.reach = reach(value);
        if (name == "@NUM_SOUPS") soups = number(value);
        if (name == "@NUM_OBJECTS") objects = number(value);
        if (name == "@CENSUS") part = table;
        if (name == "@SAMPLE_SOUPIDS") part = samples;
        continue;
      }
      const auto [code, rest] = split(*line);
      if (!is_code(code)) fail(fmt::format("expected an apgcode, not \"{}\"", code));
      if (part == table) add_count(code, rest);
      if (part == samples) add_samples(code, rest);
    }
    if (saved_.root.empty() || saved_.rule.empty() || saved_.symmetry.empty() || !soups || !objects)
      fail("this is no haul: @ROOT, @RULE, @SYMMETRY, @NUM_SOUPS or @NUM_OBJECTS is missing");
    saved_.haul.soups = *soups;
    if (saved_.reach == 0 && saved_.haul.objects.contains(std::string(cut_off_code)))
      fail(fmt::format("{} without @REACH, beyond which soups were cut off", cut_off_code));
    if (!md5_of_root.empty() && md5_of_root != md5(saved_.root)) fail("@MD5 is not that of @ROOT");
    if (part != samples) fail("the haul is incomplete: it ends before @SAMPLE_SOUPIDS");
    if (saved_.haul.object_count() != *objects)
      fail(fmt::format("the table has {} objects, @NUM_OBJECTS is {}", saved_.haul.object_count(), *objects));
    if (is_own_ && is_cut_off) fail("the haul is incomplete: its last line does not end");
    check_samples();
    return std::move(saved_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(fmt::format("{}:{}: {}", source_, std::max<std::size_t>(line_, 1), reason));
  }

  std::optional<std::string_view> next_line() {
    if (text_.empty()) return std::nullopt;
    ++line_;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  static std::pair<std::string_view, std::string_view> split(std::string_view line) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    return {line.substr(0, blank), line.substr(std::min(blank + 1, line.size()))};
  }

  static bool is_code(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    });
  }

  std::uint64_t number(std::string_view text) const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(fmt::format("expected a number, not \"{}\"", text));
    return value;
  }

  std::int64_t reach(std::string_view text) const {
    const std::uint64_t value = number(text);
    if (value < min_reach || value > max_reach || value % reach_step != 0)
      fail(fmt::format("@REACH {}: expected a multiple of {} from {} to {}", value, reach_step, min_reach,
                       max_reach));
    return static_cast<std::int64_t>(value);
  }

  void add_count(std::string_view code, std::string_view count) {
    const auto [entry, is_new] = saved_.haul.objects.try_emplace(std::string(code));
    if (!is_new) fail(fmt::format("the table has {} twice", code));
    entry->second.count = number(count);
  }

  void check_samples() const {
    if (!is_own_) return;
    for (const auto& [code, entry] : saved_.haul.objects)
      if (entry.soups.empty()) fail(fmt::format("the haul is incomplete: no soup of {} is listed", code));
  }

  void add_samples(std::string_view code, std::string_view soups) {
    const auto found = saved_.haul.objects.find(std::string(code));
    if (found == saved_.haul.objects.end())
      fail(fmt::format("@SAMPLE_SOUPIDS has {}, which is not in the table", code));
    CensusEntry& entry = found->second;
    while (!soups.empty()) {
      const auto [soup, rest] = split(soups);
      entry.soups.push_back(number(soup));
      soups = rest;
    }
  }

  std::string_view text_, source_;
  std::size_t line_ = 0;
  bool is_own_ = false;  // written by Moorea, which lists soups of each object
  SavedHaul saved_;
};

}  // namespace

std::vector<const Haul::Object*> Haul::by_count() const {
  std::vector<const Object*> sorted;
  for (const Object& object : objects) sorted.push_back(&object);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Object* a, const Object* b) { return a->second.count > b->second.count; });
  return sorted;
}

std::string haul_text(const Haul& haul, const CensusSpec& spec) {
  std::string text = fmt::format(
      "@VERSION moorea-{}.{}.{}\n@MD5 {}\n@ROOT {}\n@RULE {}\n@SYMMETRY {}\n{}@NUM_SOUPS {}\n@NUM_OBJECTS "
      "{}\n",
      MOOREA_VERSION_MAJOR, MOOREA_VERSION_MINOR, MOOREA_VERSION_PATCH, md5(spec.root), spec.root,
      apgsearch_rule(spec.rule), spec.symmetry, spec.reach > 0 ? fmt::format("@REACH {}\n", spec.reach) : "",
      haul.soups, haul.object_count());
  text += "\n@CENSUS TABLE\n";
  const std::vector<const Haul::Object*> lines = haul.by_count();
  for (const Haul::Object* line : lines) text += fmt::format("{} {}\n", line->first, line->second.count);
  text += "\n@SAMPLE_SOUPIDS\n";
  for (const Haul::Object* line : lines) {
    text += line->first;
    for (const std::uint64_t soup : line->second.soups) text += fmt::format(" {}", soup);
    text += '\n';
  }
  return text;
}

SavedHaul read_haul(std::string_view text, std::string_view source) {
  return HaulReader(text, source).read();
}

}  // namespace moorea
