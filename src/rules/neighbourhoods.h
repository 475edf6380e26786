// SPDX-License-Identifier: MIT
// Neighbourhoods of nine cells, their numbers in MAP strings, and their names in Hensel's notation: a count
// of live neighbours and a letter for their arrangement, the same for all rotations and reflections.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace moorea::neighbourhoods {

// Bit 8 of a number is the cell in the north west, 7 north, 6 north east, 5 west, 4 the centre, and so on.
constexpr unsigned centre = 1 << 4;
constexpr unsigned von_neumann = 0b010'111'010;  // with the centre
constexpr unsigned hexagonal = 0b110'111'011;

/// Letters of each count, in alphabetical order. Counts 0 and 8 have one arrangement, without a letter.
constexpr std::array<std::string_view, 9> letters = {
    "", "ce", "aceikn", "aceijknqry", "aceijknqrtwyz", "aceijknqry", "aceikn", "ce", ""};

/// Arrangements of a count, as many bits as it has letters (one without letters).
using Arrangements = std::uint16_t;

constexpr Arrangements all_arrangements(int count) {
  const std::size_t number = letters[static_cast<std::size_t>(count)].size();
  return static_cast<Arrangements>((1u << (number == 0 ? 1 : number)) - 1);
}

/// Neighbourhoods as a condition: the arrangements of each count.
using Conditions = std::array<Arrangements, 9>;

struct Name {
  std::uint8_t count = 0, letter = 0;  ///< number of live neighbours, and place in letters[count]
};

/// Name of the neighbourhood, whatever the centre is.
constexpr Name name_of(unsigned neighbourhood);

namespace details {

constexpr unsigned rotated(unsigned cells) {
  constexpr int from[] = {2, 5, 8, 1, 4, 7, 0, 3, 6};
  unsigned turned = 0;
  for (int i = 0; i < 9; ++i) turned |= (cells >> from[i] & 1) << i;
  return turned;
}

constexpr unsigned reflected(unsigned cells) {
  return (cells & 0b001'001'001) << 2 | (cells & 0b010'010'010) | (cells & 0b100'100'100) >> 2;
}

struct Drawing {
  char letter;
  const char* cells;  // row by row
};

// One arrangement of each letter, of up to four live neighbours. Those of more than four are complements of
// those with the same letter.
constexpr Drawing one[] = {{'c', "o.. ... ..."}, {'e', ".o. ... ..."}};
constexpr Drawing two[] = {{'a', "oo. ... ..."}, {'c', "o.o ... ..."}, {'e', ".o. o.. ..."},
                           {'i', ".o. ... .o."}, {'k', "o.. ..o ..."}, {'n', "o.. ... ..o"}};
constexpr Drawing three[] = {{'a', "oo. o.. ..."}, {'c', "o.o ... o.."}, {'e', ".o. o.o ..."},
                             {'i', "ooo ... ..."}, {'j', ".oo o.. ..."}, {'k', ".o. o.. ..o"},
                             {'n', "oo. ... o.."}, {'q', "oo. ... ..o"}, {'r', "oo. ... .o."},
                             {'y', "o.o ... .o."}};
constexpr Drawing four[] = {{'a', "ooo o.. ..."}, {'c', "o.o ... o.o"}, {'e', ".o. o.o .o."},
                            {'i', "oo. ... oo."}, {'j', ".oo o.. .o."}, {'k', "oo. ..o o.."},
                            {'n', "ooo ... o.."}, {'q', "oo. o.. ..o"}, {'r', "oo. o.. .o."},
                            {'t', "ooo ... .o."}, {'w', ".oo o.. o.."}, {'y', "o.o ... oo."},
                            {'z', "oo. ... .oo"}};

constexpr unsigned cells_of(const char* drawing) {
  unsigned cells = 0;
  for (; *drawing != '\0'; ++drawing) {
    if (*drawing != ' ') cells = cells << 1 | (*drawing == 'o' ? 1u : 0u);
  }
  return cells;
}

using Names = std::array<Name, 512>;

constexpr void add(Names& names, const Drawing& drawing) {
  unsigned cells = cells_of(drawing.cells);
  const int count = std::popcount(cells);
  const auto letter =
      static_cast<std::uint8_t>(letters[static_cast<std::size_t>(count)].find(drawing.letter));
  for (int turn = 0; turn < 8; ++turn) {
    cells = turn == 4 ? reflected(cells) : rotated(cells);
    for (const unsigned middle : {0u, centre}) {
      names[cells | middle] = {static_cast<std::uint8_t>(count), letter};
      if (count < 4)
        names[(~cells & 0x1FF & ~centre) | middle] = {static_cast<std::uint8_t>(8 - count), letter};
    }
  }
}

constexpr Names make_names() {
  Names names{};
  names[0x1FF] = names[0x1FF & ~centre] = {8, 0};
  for (const Drawing& drawing : one) add(names, drawing);
  for (const Drawing& drawing : two) add(names, drawing);
  for (const Drawing& drawing : three) add(names, drawing);
  for (const Drawing& drawing : four) add(names, drawing);
  return names;
}

inline constexpr Names names = make_names();

}  // namespace details

constexpr Name name_of(unsigned neighbourhood) { return details::names[neighbourhood]; }

/// Reads counts, each followed by letters of its arrangements or by a minus and those that are left out, from
/// `at` on, which moves to the first character that is not part of them. Case and blanks between counts do
/// not matter.
constexpr Conditions read_conditions(std::string_view text, std::size_t& at) {
  const auto here = [&] {
    const char c = at < text.size() ? text[at] : '\0';
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  Conditions conditions{};
  for (;; ++at) {
    while (here() == ' ' || here() == '\t') ++at;
    if (here() < '0' || here() > '8') return conditions;
    const auto count = static_cast<std::size_t>(here() - '0');
    const Arrangements all = all_arrangements(static_cast<int>(count));
    const bool left_out = at + 1 < text.size() && text[at + 1] == '-';
    if (left_out) ++at;
    Arrangements some = 0;
    for (++at; here() != '\0' && letters[count].find(here()) != std::string_view::npos; ++at)
      some = static_cast<Arrangements>(some | 1u << letters[count].find(here()));
    if (left_out && some == 0) return conditions;
    if (some == 0) some = all;
    conditions[count] = static_cast<Arrangements>(conditions[count] | (left_out ? all & ~some : some));
    --at;
  }
}

}  // namespace moorea::neighbourhoods
