// SPDX-License-Identifier: MIT
// Parser for the notations of a rule; it tracks the position of every character for error messages.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <utility>

#include "moorea/error.h"
#include "moorea/rule.h"
#include "moorea/support/file_names.h"
#include "moorea/support/nearest.h"
#include "moorea/support/printable.h"
#include "moorea/world_spec.h"
#include "rules/neighbourhoods.h"
#include "rules/rule_definitions.h"
#include "rules/rule_families.h"
#include "rules/rule_folders.h"
#include "rules/states_letter.h"
#include "rules/suggestion.h"
#include "rules/wide_notation.h"

namespace moorea {
namespace {

using neighbourhoods::all_arrangements;
using neighbourhoods::Arrangements;
using neighbourhoods::Conditions;

constexpr std::size_t longest_text = 8192;  // a neighbourhood of radius 64 fits

class Reader {
 public:
  explicit Reader(std::string_view text, std::size_t at = 0, bool with_files = true)
      : text_(text), at_(at), with_files_(with_files) {}

  Rule rule() {
    if (text_.size() > longest_text)
      throw Error(fmt::format("a rule of {} characters is too long", text_.size()), ErrorKind::usage);
    const std::string_view core = text_.substr(0, text_.find(':'));
    if (has_ending(core, ".rule")) return rule_of_file(core);
    std::optional<Rule> whole = with_files_ ? given_rule(core) : std::nullopt;
    if (!whole) whole = history_rule(core);
    if (whole) {
      at_ = core.size();
      return *whole;
    }
    if (const std::optional<Rule> wide = wide_rule(core)) return *wide;
    const std::string plain = plain_name(core);
    for (const NamedRule& entry : named_rules()) {
      if (!plain.empty() && plain == plain_name(entry.name) && !looks_like_notation(core)) {
        at_ = core.size();
        return entry.rule;
      }
    }
    skip_blanks();
    if (core.substr(at_).starts_with("MAP")) return map();
    const char first = lower();
    if (first == 't' && looks_like_notation(core)) return totals();
    if (first == 'g' && core.find_first_of("0123456789") == at_ + 1) return states_first();
    if ((first == 'b' || first == 's') && looks_like_notation(core)) return birth_and_survival({});
    if (first == '/' || std::isdigit(static_cast<unsigned char>(first))) return survival_then_birth();
    return rule_of_file(core);
  }

  Bounds bounds() {
    skip_blanks();
    if (at_ == text_.size()) return {};
    if (text_[at_] != ':') fail("expected the end, or a bounded grid such as :T100,50");
    ++at_;
    Bounds result;
    if (lower() == 't') {
      result.topology = Topology::torus;
    } else if (lower() == 'p') {
      result.topology = Topology::plane;
    } else {
      fail("expected T (torus) or P (plane); other grids are not supported");
    }
    ++at_;
    result.width = result.height = size();
    if (lower() == ',') {
      ++at_;
      result.height = size();
    }
    skip_blanks();
    if (at_ != text_.size()) fail("expected the end; shifted and twisted edges are not supported");
    return result;
  }

  [[noreturn]] void fail(const std::string& expected) const {
    const std::string_view core = text_.substr(0, text_.find(':'));
    // (errors after the core of a rule concern its bounds)
    if (const std::string family = at_ <= core.size() ? other_family(core) : ""; !family.empty()) {
      throw Error(
          fmt::format(
              "rule \"{}\" is of another family, {}: Moorea does not run it yet; docs/rules.md has those "
              "that it runs, such as B3/S23, B2-a/S12, /2/3 and R5,C2,S33-57,B34-45",
              core, family),
          ErrorKind::usage);
    }
    const std::string shown = printable(text_);
    const auto characters = static_cast<std::size_t>(
        std::ranges::count_if(shown.substr(0, at_), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
    throw Error(fmt::format("rule \"{0}\", character {1}: {2}\n  {0}\n  {3}^{4}", shown, characters + 1,
                            expected, std::string(characters, ' '), suggestion(core)),
                ErrorKind::usage);
  }

 private:
  std::optional<Rule> wide_rule(std::string_view core) {
    try {
      const std::optional<Rule> rule = rule_of_wide_notation(core);
      if (rule) at_ = core.size();
      return rule;
    } catch (const NotationError& error) {
      at_ = error.at;
      fail(error.expected);
    }
  }

  Rule rule_of_file(std::string_view core) {
    if (!with_files_) fail("a rule in a file");
    if (const std::optional<Rule> rule = rule_in_files(core)) {
      at_ = core.size();
      return *rule;
    }
    std::string folders;
    for (const std::string& folder : rule_folders()) folders += (folders.empty() ? "" : " or ") + folder;
    if (has_ending(core, ".rule"))
      fail("there is no such file, nor one of that name in " + folders + nearest_file(std::string(core)));
    fail(fmt::format(
        "expected a rule such as B3/S23, 23/3 or T46789, a name, or that of a file NAME.rule in {}",
        folders));
  }

  // Whether a letter is followed by what continues a notation such as B3/S23, S23/B3, T46789, not by a name.
  static bool looks_like_notation(std::string_view core) {
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    std::string word;
    for (char c : core) {
      if (!blank(c)) word += static_cast<char>(std::tolower(c));
    }
    const std::size_t heads = word.find_first_not_of("bst");
    const char next = heads < word.size() ? word[heads] : '\0';
    // Two letters can be adjacent when a set is empty: bs23, sb2
    return heads != 0 && heads <= 2 && (std::isdigit(static_cast<unsigned char>(next)) || next == '/');
  }

  char lower() const {
    return at_ < text_.size() ? static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_])))
                              : '\0';
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool at_end() {
    skip_blanks();
    return at_ == text_.size() || text_[at_] == ':';
  }

  Conditions counts() {
    const std::size_t start = at_;
    const Conditions conditions = neighbourhoods::read_conditions(text_.substr(0, states_letter_), at_);
    if (at_ == states_letter_) return conditions;
    if (lower() == '9') fail("expected counts 0 to 8; totals that include the centre are written T46789");
    const bool needs_letter = at_ > start && text_[at_ - 1] == '-';
    if (needs_letter || std::string_view("-aceijknqrtwyz").find(lower()) != std::string_view::npos)
      fail_at_letter(start);
    return conditions;
  }

  // A letter, or what should be one, that does not belong to the count before it.
  [[noreturn]] void fail_at_letter(std::size_t start) {
    const std::size_t digit = text_.substr(start, at_ - start).find_last_of("012345678");
    if (digit == std::string_view::npos) fail("expected a count 0 to 8");
    const int count = text_[start + digit] - '0';
    const std::string_view known = neighbourhoods::letters[static_cast<std::size_t>(count)];
    fail(known.empty() ? fmt::format("expected a count: {} live neighbours have one arrangement", count)
                       : fmt::format("expected an arrangement of {} live neighbours, of {}", count, known));
  }

  // The letter of a neighbourhood after the counts or the number of states.
  Neighbours suffix(const Conditions& birth, const Conditions& survival) {
    if (lower() != 'v' && lower() != 'h') return Neighbours::moore;
    const Neighbours neighbours = lower() == 'v' ? Neighbours::von_neumann : Neighbours::hexagonal;
    const std::size_t largest = lower() == 'v' ? 4 : 6;
    const char* const name = lower() == 'v' ? "von Neumann" : "hexagonal";
    for (std::size_t count = 0; count < birth.size(); ++count) {
      const Arrangements all = all_arrangements(static_cast<int>(count));
      if ((birth[count] != 0 && birth[count] != all) || (survival[count] != 0 && survival[count] != all))
        fail(fmt::format("expected the end: on the {} neighbourhood counts have no letters", name));
    }
    for (std::size_t count = largest + 1; count < birth.size(); ++count) {
      if (birth[count] != 0 || survival[count] != 0)
        fail(fmt::format("expected the end: the {} neighbourhood has counts 0 to {}", name, largest));
    }
    ++at_;
    skip_blanks();
    return neighbours;
  }

  std::size_t find_states_letter() {
    try {
      return states_letter(text_.substr(0, text_.find(':')));
    } catch (const NotationError& error) {
      at_ = error.at;
      fail(error.expected);
    }
  }

  bool starts_states() const {
    return lower() == '/' || lower() == '_' || lower() == 'g' || at_ == states_letter_;
  }

  // The number of states of a cell, after a slash, a letter or both.
  int number_of_states() {
    if (lower() == '/' || lower() == '_') ++at_;
    skip_blanks();
    if (lower() == 'c' || lower() == 'g') ++at_;
    skip_blanks();
    const std::size_t start = at_;
    int count = 0;
    for (; std::isdigit(static_cast<unsigned char>(lower())); ++at_)
      count = std::min(10 * count + (lower() - '0'), Rule::max_states + 1);
    if (at_ == start || count < 2 || count > Rule::max_states) {
      at_ = start;
      fail(fmt::format("expected the number of states, 2 to {}", Rule::max_states));
    }
    skip_blanks();
    return count;
  }

  // The rule with such births and survivals, with what follows them.
  Rule completed(const Conditions& birth, const Conditions& survival, std::optional<int> states) {
    Neighbours neighbours = suffix(birth, survival);
    const bool has_states = !states && starts_states();
    if (has_states) states = number_of_states();
    if (has_states && neighbours == Neighbours::moore) neighbours = suffix(birth, survival);
    if (!at_end())
      fail(has_states || neighbours != Neighbours::moore ? "expected the end"
                                                         : "expected a count 0 to 8 or the end");
    return rule_with(birth, survival, neighbours).with_states(states.value_or(2));
  }

  // G4/B2/S345
  Rule states_first() {
    const int states = number_of_states();
    if (lower() == '/' || lower() == '_') ++at_;
    skip_blanks();
    return birth_and_survival(states);
  }

  Rule birth_and_survival(std::optional<int> states) {
    std::optional<Conditions> birth, survival;
    if (!states) states_letter_ = find_states_letter();
    while (!at_end() && lower() != 'v' && lower() != 'h') {
      const char letter = lower();
      if (letter == 'b' && !birth) {
        ++at_;
        birth = counts();
      } else if (letter == 's' && !survival) {
        ++at_;
        survival = counts();
      } else if (birth && survival && !states && starts_states()) {
        break;
      } else {
        fail_after_counts(birth && survival ? "a count 0 to 8 or the end"
                          : birth           ? "a count 0 to 8, '/' or S"
                                            : "a count 0 to 8, '/' or B");
      }
      // Golly writes an underscore in names of files
      if ((lower() == '/' || lower() == '_') && !(birth && survival)) ++at_;
    }
    if (!birth) fail("expected B and the counts of birth");
    if (!survival) survival.emplace();
    return completed(*birth, *survival, states);
  }

  Rule survival_then_birth() {
    const Conditions survival = counts();
    if (lower() != '/') fail_after_counts("a count 0 to 8 or '/'");
    ++at_;
    return completed(counts(), survival, {});
  }

  // Whether so many digits of base64 are a table.
  static std::optional<Neighbours> neighbours_of_map(std::size_t digits) {
    for (const Neighbours neighbours : {Neighbours::moore, Neighbours::hexagonal, Neighbours::von_neumann})
      if (digits == static_cast<std::size_t>(map_digits(neighbours))) return neighbours;
    return {};
  }

  // MAP and base64 digits, of which the last may have bits that are not used, then '=', and a slash and the
  // number of states, which are digits of base64, too.
  Rule map() {
    at_ += 3;
    std::string values;
    for (; at_ < text_.size() && base64_value(text_[at_]) >= 0; ++at_)
      values += static_cast<char>(base64_value(text_[at_]));
    const std::size_t end = at_, slash = text_.substr(0, at_).rfind('/');
    if (!neighbours_of_map(values.size()) && slash != npos &&
        neighbours_of_map(slash - (end - values.size()))) {
      values.resize(slash - (end - values.size()));
      at_ = slash;
    }
    while (lower() == '=') ++at_;
    const std::optional<Neighbours> neighbours = neighbours_of_map(values.size());
    const int states = neighbours && lower() == '/' ? number_of_states() : 2;
    if (!at_end()) fail("expected a digit of base64 (A to Z, a to z, 0 to 9, + or /) or the end");
    if (neighbours) return rule_of_map(values, *neighbours).with_states(states);
    at_ = end;
    fail(fmt::format("expected 86 digits of base64 after MAP, 22 (hexagonal) or 6 (von Neumann), not {}",
                     values.size()));
  }

  Rule totals() {
    ++at_;
    unsigned mask = 0;
    for (skip_blanks(); std::isdigit(static_cast<unsigned char>(lower())); skip_blanks())
      mask |= 1u << (text_[at_++] - '0');
    if (!at_end()) fail_after_counts("a total 0 to 9 or the end");
    return Rule(mask, mask >> 1);
  }

  [[noreturn]] void fail_after_counts(const std::string& expected) const { fail("expected " + expected); }
  std::int64_t size() {
    skip_blanks();
    const std::size_t start = at_;
    std::int64_t value = 0;
    while (std::isdigit(static_cast<unsigned char>(lower()))) {
      value = value * 10 + (text_[at_] - '0');
      if (value > std::int64_t{1} << 40) {
        at_ = start;
        fail("expected a size of at most 2^40 cells");
      }
      ++at_;
    }
    if (at_ == start) fail("expected a size in cells");
    if (value == 0) {
      at_ = start;
      fail("expected a size of at least 1; grids without bounds have no suffix");
    }
    skip_blanks();
    return value;
  }

  static constexpr std::size_t npos = std::string_view::npos;

  std::string_view text_;
  std::size_t at_ = 0;
  bool with_files_ = true;
  std::size_t states_letter_ = npos;  // of a number of states that follows counts directly
};

}  // namespace

Rule parse_without_files(std::string_view core) { return Reader(core, 0, false).rule(); }

Rule Rule::parse(std::string_view text) {
  Reader reader(text);
  const Rule rule = reader.rule();
  if (text.find(':') != std::string_view::npos)
    reader.fail("expected the end: a bounded grid cannot be given here");
  return rule;
}

WorldSpec WorldSpec::parse(std::string_view text) {
  Reader reader(text);
  const Rule rule = reader.rule();
  const Bounds bounds = reader.bounds();
  return {rule, bounds.topology, bounds.width, bounds.height};
}

WorldSpec WorldSpec::in_bounds(const Rule& rule, std::string_view suffix) {
  const std::string name = rule.str(), text = name + std::string(suffix);
  const Bounds bounds = Reader(text, name.size()).bounds();
  return {rule, bounds.topology, bounds.width, bounds.height};
}

}  // namespace moorea
