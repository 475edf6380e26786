// SPDX-License-Identifier: MIT
// Parser for the notations of a rule; it tracks the position of every character for error messages.
#include <fmt/core.h>
#include <regex.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "moorea/error.h"
#include "moorea/rule.h"
#include "moorea/support/nearest.h"
#include "moorea/world_spec.h"

namespace moorea {
namespace {

constexpr std::size_t longest_text = 200;

// A name without case, blanks and punctuation.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) plain += static_cast<char>(std::tolower(c));
  }
  return plain;
}

// Whether the whole text matches a POSIX extended regular expression. Uses the system's functions, because
// the templates of <regex> take seconds to compile and g++ 12 warns about them.
bool matches(const std::string& text, const std::string& pattern) {
  regex_t compiled;
  if (regcomp(&compiled, ("^(" + pattern + ")$").c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

// Returns the nearest named rule; null if most characters would have to change.
const NamedRule* nearest(std::string_view text) {
  const std::string plain = plain_name(text);
  const NamedRule* best = nullptr;
  std::size_t best_distance = 0;
  for (const NamedRule& entry : named_rules()) {
    const std::size_t distance = std::min(edit_distance(plain, plain_name(entry.name)),
                                          edit_distance(plain, plain_name(entry.rule.str())));
    if (best == nullptr || distance < best_distance) best = &entry, best_distance = distance;
  }
  return 2 * best_distance < plain.size() ? best : nullptr;
}

// Family of a rule that Moorea does not support; empty if unknown. The notations are Golly's and MCell's
// (LifeWiki, "Rulestring"). Moorea's own family is tried first.
std::string other_family(std::string_view core) {
  struct Family {
    const char* pattern;
    const char* name;
  };
  static constexpr Family families[] = {
      {"wireworld", "WireWorld, wires and electrons in four states"},
      {"brian'?s ?brain|star "
       "?wars|belzhab.*|bombers|fireworks|frogs|swirl|transers|xtasy|b?[0-8]*/s?[0-8]*/[cg]?[0-9]+|"
       "[bs][0-8]*[bs][0-8]*[cg][0-9]+|g[0-9]+/?b[0-8]*/?s[0-8]*",
       "Generations, whose cells age through several states"},
      {"(b[0-8]*/?s[0-8]*|s[0-8]*/?b[0-8]*|[0-8]*/[0-8]*)v", "Life-like on the von Neumann neighbourhood"},
      {"(b[0-8]*/?s[0-8]*|s[0-8]*/?b[0-8]*|[0-8]*/[0-8]*)h", "Life-like on the hexagonal neighbourhood"},
      {"(b[0-9xyz]*/?s[0-9xyz]*|[0-9xyz]*/[0-9xyz]*)l[a-z]?", "Life-like on a triangular neighbourhood"},
      {"b[-0-8ceaiknjqrytwz]*/?s[-0-8ceaiknjqrytwz]*|[-0-8ceaiknjqrytwz]+/[-0-8ceaiknjqrytwz]*|just "
       "?friends|tlife",
       "isotropic non-totalistic (Hensel notation), which looks at the shape of the neighbourhood"},
      {"map[a-z0-9+/]{6,}=*", "MAP, which has a bit for each of the 512 neighbourhoods"},
      {"r[0-9]+,[cbs][-.,0-9a-z]*|bosco|bugs|majorly",
       "Larger than Life, whose neighbourhoods have a wide range"},
      {"w[0-9]+|rule ?[0-9]+", "elementary (Wolfram's one-dimensional rules)"},
      {"m[0-9]+(,[0-9]+){15}|ms,d[0-9;]+|margolus|critters|tron|bbm", "block (Margolus)"},
      {"nw[0-9,]+.*|nw.*,rs.*", "weighted Life"},
      {"jvn-?29|nobili-?32|hutton-?32|codd2?|langtons?'?s?[- ]?(loops|ant)|lifehistory|banks-?i*|turmite.*",
       "that of rule tables, with several states"},
  };
  std::string text;
  for (const char c : core) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
  for (const Family& family : families) {
    if (matches(text, family.pattern)) return family.name;
  }
  return {};
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Rule rule() {
    if (text_.size() > longest_text) {
      throw Error(fmt::format("a rule of {} characters is too long", text_.size()), ErrorKind::usage);
    }
    const std::string_view core = text_.substr(0, text_.find(':'));
    const std::string plain = plain_name(core);
    for (const NamedRule& entry : named_rules()) {
      if (!plain.empty() && plain == plain_name(entry.name) && !looks_like_notation(core)) {
        at_ = core.size();
        return entry.rule;
      }
    }
    skip_blanks();
    const char first = lower();
    if (first == 't' && looks_like_notation(core)) return totals();
    if ((first == 'b' || first == 's') && looks_like_notation(core)) return birth_and_survival();
    if (first == '/' || std::isdigit(static_cast<unsigned char>(first))) return survival_then_birth();
    fail("expected a rule such as B3/S23, 23/3 or T46789, or a name");
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
          fmt::format("rule \"{}\" is of another family, {}: Moorea does not run it yet; it runs rules "
                      "that count the eight neighbours of cells with two states, such as B3/S23",
                      core, family),
          ErrorKind::usage);
    }
    const NamedRule* const guess = nearest(core);
    // Unprintable characters would move the caret
    std::string shown(text_);
    for (char& c : shown) {
      if (!std::isprint(static_cast<unsigned char>(c))) c = '?';
    }
    throw Error(fmt::format("rule \"{0}\", character {1}: {2}\n  {0}\n  {3}^{4}", shown, at_ + 1, expected,
                            std::string(at_, ' '),
                            guess == nullptr ? ""
                                             : fmt::format("\n  the nearest rule with a name is {}, {}",
                                                           guess->name, guess->rule.str())),
                ErrorKind::usage);
  }

 private:
  // Whether a letter is followed by what continues a notation such as B3/S23, S23/B3, T46789, not by a name.
  static bool looks_like_notation(std::string_view core) {
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    std::string word;
    for (char c : core) {
      if (!blank(c)) word += static_cast<char>(std::tolower(c));
    }
    const std::size_t letters = word.find_first_not_of("bst");
    const char next = letters < word.size() ? word[letters] : '\0';
    // Two letters can be adjacent when a set is empty: bs23, sb2
    return letters != 0 && letters <= 2 && (std::isdigit(static_cast<unsigned char>(next)) || next == '/');
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

  unsigned counts(char largest) {
    unsigned mask = 0;
    for (skip_blanks(); lower() >= '0' && lower() <= largest; skip_blanks())
      mask |= 1u << (text_[at_++] - '0');
    if (lower() == '9') fail("expected counts 0 to 8; totals that include the centre are written T46789");
    return mask;
  }

  Rule birth_and_survival() {
    std::optional<unsigned> birth, survival;
    while (!at_end()) {
      const char letter = lower();
      if (letter == 'b' && !birth) {
        ++at_;
        birth = counts('8');
      } else if (letter == 's' && !survival) {
        ++at_;
        survival = counts('8');
      } else {
        fail_after_counts(birth && survival ? "a count 0 to 8 or the end"
                          : birth           ? "a count 0 to 8, '/' or S"
                                            : "a count 0 to 8, '/' or B");
      }
      if (lower() == '/' && !(birth && survival)) ++at_;
    }
    if (!birth) fail("expected B and the counts of birth");
    return Rule(*birth, survival.value_or(0));
  }

  Rule survival_then_birth() {
    const unsigned survival = counts('8');
    if (lower() != '/') fail_after_counts("a count 0 to 8 or '/'");
    ++at_;
    const unsigned birth = counts('8');
    if (!at_end()) fail_after_counts("a count 0 to 8 or the end");
    return Rule(birth, survival);
  }

  Rule totals() {
    ++at_;
    unsigned mask = 0;
    for (skip_blanks(); std::isdigit(static_cast<unsigned char>(lower())); skip_blanks()) {
      mask |= 1u << (text_[at_++] - '0');
    }
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

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

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

std::string Rule::str() const {
  std::string text = "B";
  for (int n = 0; n <= 8; ++n) {
    if (birth_ >> n & 1) text += static_cast<char>('0' + n);
  }
  text += "/S";
  for (int n = 0; n <= 8; ++n) {
    if (survival_ >> n & 1) text += static_cast<char>('0' + n);
  }
  return text;
}

}  // namespace moorea
