// SPDX-License-Identifier: MIT
#include "meshes/tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "meshes/ranges.h"
#include "model/memory.h"

namespace moorea {
namespace {

using kernels::MeshTable;
using kernels::MeshWords;

constexpr std::int64_t pitch_alignment = 64;

// Neighbours by number. The number of faces, which stands for no neighbour, stays.
class Renumbered {
 public:
  Renumbered(const FaceNeighbours& neighbours, const std::vector<std::uint32_t>& numbers)
      : neighbours_(neighbours), numbers_(numbers), faces_(numbers.size()) {
    for (std::size_t i = 0; i < numbers.size(); ++i) faces_[numbers[i]] = static_cast<std::uint32_t>(i);
  }

  // Neighbours of the face with this number.
  std::size_t size_of(std::size_t number) const { return of(number).size(); }

  // Writes them, and returns how many there are.
  std::size_t copy(std::size_t number, std::vector<std::uint32_t>& to) const {
    const std::span<const std::uint32_t> list = of(number);
    to.assign(list.begin(), list.end());
    if (!numbers_.empty())
      for (std::uint32_t& each : to) each = each < numbers_.size() ? numbers_[each] : each;
    return to.size();
  }

 private:
  std::span<const std::uint32_t> of(std::size_t number) const {
    return neighbours_.of(faces_.empty() ? number : faces_[number]);
  }

  const FaceNeighbours& neighbours_;
  const std::vector<std::uint32_t>& numbers_;
  std::vector<std::uint32_t> faces_;
};

void make_structures(TableArrays& arrays, const Renumbered& renumbered) {
  const auto faces = static_cast<std::size_t>(arrays.faces);
  const Ranges ranges(faces);
  arrays.begins.resize(faces + 1);
  ranges.run([&](std::size_t, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i)
      arrays.begins[i + 1] = static_cast<std::uint32_t>(renumbered.size_of(i));
  });
  std::partial_sum(arrays.begins.begin(), arrays.begins.end(), arrays.begins.begin());
  arrays.neighbours.resize(arrays.begins.back());
  ranges.run([&](std::size_t, std::size_t first, std::size_t end) {
    std::vector<std::uint32_t> list;
    for (std::size_t i = first; i < end; ++i) {
      renumbered.copy(i, list);
      std::copy(list.begin(), list.end(), arrays.neighbours.begin() + arrays.begins[i]);
    }
  });
}

void make_arrays(TableArrays& arrays, const Renumbered& renumbered, int number) {
  arrays.pitch = (arrays.faces + pitch_alignment) / pitch_alignment * pitch_alignment;
  const double bytes = 4.0 * static_cast<double>(arrays.pitch) * number;
  require_memory(bytes, fmt::format("{} neighbours of {} faces each", number, arrays.faces));
  arrays.neighbours.assign(static_cast<std::size_t>(arrays.pitch * number),
                           static_cast<std::uint32_t>(arrays.faces));
  const auto pitch = static_cast<std::size_t>(arrays.pitch);
  Ranges(static_cast<std::size_t>(arrays.faces)).run([&](std::size_t, std::size_t first, std::size_t end) {
    std::vector<std::uint32_t> list;
    for (std::size_t i = first; i < end; ++i) {
      renumbered.copy(i, list);
      for (std::size_t k = 0; k < list.size(); ++k) arrays.neighbours[k * pitch + i] = list[k];
    }
  });
}

// Distances of a face to its neighbours, ascending.
using Distances = std::vector<std::int32_t>;

// Distinct patterns, by number. Pattern 0 is empty.
class Patterns {
 public:
  Patterns() { index_of({}); }

  std::uint32_t index_of(const Distances& pattern) {
    const auto [place, added] = indices_.try_emplace(pattern, static_cast<std::uint32_t>(indices_.size()));
    if (added) patterns_.push_back(place->first);
    return place->second;
  }

  // Numbers here of other patterns.
  std::vector<std::uint32_t> indices_of(const Patterns& others) {
    std::vector<std::uint32_t> indices;
    for (const Distances& pattern : others.patterns_) indices.push_back(index_of(pattern));
    return indices;
  }

  // As MeshWords::distances.
  std::vector<std::int32_t> table() const {
    std::vector<std::int32_t> distances;
    for (const Distances& pattern : patterns_) {
      const std::size_t next = distances.size() + MeshWords::max_distances + 1;
      distances.push_back(static_cast<std::int32_t>(pattern.size()));
      distances.insert(distances.end(), pattern.begin(), pattern.end());
      distances.resize(next);
    }
    return distances;
  }

 private:
  std::map<Distances, std::uint32_t> indices_;
  std::vector<Distances> patterns_;
};

// The pattern of a word: that of most of its faces, if these are at least an eighth of the word.
const Distances& most_common(const std::array<Distances, 64>& faces, int number, int word_bits) {
  static const Distances none;
  int best = 0, best_count = 0;
  for (int i = 0; i < number && best_count <= number / 2; ++i) {
    if (i > 0 && faces[static_cast<std::size_t>(i)] == faces[static_cast<std::size_t>(i - 1)]) continue;
    int count = 0;
    for (int j = i; j < number; ++j)
      count += faces[static_cast<std::size_t>(i)] == faces[static_cast<std::size_t>(j)];
    if (count > best_count) best = i, best_count = count;
  }
  const Distances& pattern = faces[static_cast<std::size_t>(best)];
  return best_count * 8 >= word_bits && pattern.size() <= MeshWords::max_distances ? pattern : none;
}

// Words of a contiguous part of a mesh.
struct WordsPart {
  Patterns patterns;
  std::vector<std::uint32_t> pattern_of_word, first_exceptions, exception_faces, neighbours;
  std::vector<std::size_t> ends;  // of each exception, in `neighbours`
  std::vector<std::uint64_t> regular;
  std::array<Distances, 64> faces;  // of the word being added
  std::vector<std::uint32_t> list;

  void add_exception(std::uint32_t face, const Distances& distances) {
    exception_faces.push_back(face);
    for (const std::int32_t distance : distances)
      neighbours.push_back(face + static_cast<std::uint32_t>(distance));
    ends.push_back(neighbours.size());
  }
};

class WordsTable {
 public:
  WordsTable(TableArrays& arrays, int word_bits)
      : arrays_(arrays),
        word_bits_(word_bits),
        words_(static_cast<std::size_t>((arrays.faces + word_bits - 1) / word_bits)) {}

  void make(const Renumbered& renumbered) {
    const Ranges ranges(words_);
    std::vector<WordsPart> parts(ranges.parts());
    ranges.run([&](std::size_t part, std::size_t first, std::size_t end) {
      for (std::size_t word = first; word < end; ++word) add_word(parts[part], word, renumbered);
    });
    arrays_.words = static_cast<std::int64_t>(words_);
    join(parts);
    set_run_ends();
  }

 private:
  void add_word(WordsPart& part, std::size_t word, const Renumbered& renumbered) const {
    const std::size_t first = word * static_cast<std::size_t>(word_bits_);
    const int number = static_cast<int>(
        std::min<std::int64_t>(word_bits_, arrays_.faces - static_cast<std::int64_t>(first)));
    for (int i = 0; i < number; ++i) {
      const std::size_t face = first + static_cast<std::size_t>(i);
      Distances& each = part.faces[static_cast<std::size_t>(i)];
      each.resize(renumbered.copy(face, part.list));
      for (std::size_t k = 0; k < part.list.size(); ++k)
        each[k] = static_cast<std::int32_t>(static_cast<std::int64_t>(part.list[k]) -
                                            static_cast<std::int64_t>(face));
      std::sort(each.begin(), each.end());
    }
    const Distances& pattern = most_common(part.faces, number, word_bits_);
    const std::size_t exceptions = part.exception_faces.size();
    std::uint64_t regular = 0;
    for (int i = 0; i < number; ++i) {
      const Distances& each = part.faces[static_cast<std::size_t>(i)];
      if (!pattern.empty() && each == pattern) {
        regular |= std::uint64_t{1} << i;
      } else {
        part.add_exception(static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(i), each);
      }
    }
    part.regular.push_back(regular);
    part.first_exceptions.push_back(static_cast<std::uint32_t>(exceptions));
    const bool whole = number == word_bits_ && exceptions == part.exception_faces.size();
    part.pattern_of_word.push_back(part.patterns.index_of(pattern) | (whole ? 0 : MeshWords::has_exceptions));
  }

  void join(const std::vector<WordsPart>& parts) {
    Patterns patterns;
    std::size_t most = 0;
    for (const WordsPart& part : parts) {
      const auto before = static_cast<std::uint32_t>(arrays_.exception_faces.size());
      const std::vector<std::uint32_t> indices = patterns.indices_of(part.patterns);
      for (const std::uint32_t each : part.pattern_of_word) {
        arrays_.patterns.push_back(indices[each & ~MeshWords::has_exceptions] |
                                   (each & MeshWords::has_exceptions));
      }
      for (const std::uint32_t each : part.first_exceptions)
        arrays_.first_exceptions.push_back(before + each);
      append(arrays_.regular, part.regular);
      append(arrays_.exception_faces, part.exception_faces);
      for (std::size_t e = 0, begin = 0; e < part.ends.size(); begin = part.ends[e++])
        most = std::max(most, part.ends[e] - begin);
    }
    arrays_.first_exceptions.push_back(static_cast<std::uint32_t>(arrays_.exception_faces.size()));
    arrays_.distances = patterns.table();
    arrays_.most_of_exceptions = static_cast<int>(most);
    set_exception_neighbours(parts);
  }

  // An array for each neighbour; those that a face lacks are a cell that is always dead.
  void set_exception_neighbours(const std::vector<WordsPart>& parts) {
    const std::size_t number = arrays_.exception_faces.size();
    arrays_.exceptions = static_cast<std::int64_t>(number);
    arrays_.exception_neighbours.assign(
        number * static_cast<std::size_t>(arrays_.most_of_exceptions),
        static_cast<std::uint32_t>(words_ * static_cast<std::size_t>(word_bits_)));
    std::size_t at = 0;
    for (const WordsPart& part : parts) {
      for (std::size_t e = 0, i = 0; e < part.ends.size(); ++e, ++at) {
        for (std::size_t k = 0; i < part.ends[e]; ++k, ++i)
          arrays_.exception_neighbours[k * number + at] = part.neighbours[i];
      }
    }
  }

  void set_run_ends() {
    arrays_.run_ends.resize(arrays_.patterns.size());
    for (std::size_t i = arrays_.patterns.size(), end = i; i-- > 0;) {
      arrays_.run_ends[i] = static_cast<std::uint32_t>(end);
      constexpr std::uint32_t pattern = ~MeshWords::has_exceptions;
      if (i > 0 && ((arrays_.patterns[i - 1] ^ arrays_.patterns[i]) & pattern) != 0) end = i;
    }
  }

  template <class T>
  static void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  TableArrays& arrays_;
  int word_bits_;
  std::size_t words_;
};

}  // namespace

TableArrays make_tables(const FaceNeighbours& neighbours, const std::vector<std::uint32_t>& numbers,
                        TableForm form) {
  TableArrays arrays;
  arrays.faces = neighbours.count();
  arrays.most_neighbours = neighbours.most();
  const Renumbered renumbered(neighbours, numbers);
  switch (form.table) {
    case MeshTable::structures:
      make_structures(arrays, renumbered);
      break;
    case MeshTable::arrays:
      make_arrays(arrays, renumbered, arrays.most_neighbours);
      break;
    case MeshTable::edges:
      make_arrays(arrays, renumbered, 4);
      break;
    case MeshTable::words:
      WordsTable(arrays, form.word_bits).make(renumbered);
      break;
    case MeshTable::none:
      break;
  }
  return arrays;
}

kernels::MeshTables TableArrays::tables() const {
  kernels::MeshTables view;
  view.faces = faces;
  view.most_neighbours = most_neighbours;
  view.begins = begins.data();
  view.neighbours = neighbours.data();
  view.pitch = pitch;
  view.words = {words,
                patterns.data(),
                run_ends.data(),
                regular.data(),
                distances.data(),
                first_exceptions.data(),
                exceptions,
                exception_faces.data(),
                exception_neighbours.data(),
                most_of_exceptions};
  return view;
}

double TableArrays::bytes_per_pass(TableForm form) const {
  const auto bytes = [](const auto& list) { return static_cast<double>(list.size() * sizeof list[0]); };
  const double table = bytes(begins) + bytes(neighbours);
  if (form.table != kernels::MeshTable::words) return 2 * static_cast<double>(faces) + table;
  const auto with_exceptions = std::count_if(patterns.begin(), patterns.end(), [](std::uint32_t each) {
    return (each & kernels::MeshWords::has_exceptions) != 0;
  });
  return 2 * static_cast<double>(faces) / 8 + bytes(patterns) + bytes(distances) +
         static_cast<double>(with_exceptions) * (form.word_bits / 8.0 + 4) + bytes(exception_faces) +
         bytes(exception_neighbours);
}

}  // namespace moorea
