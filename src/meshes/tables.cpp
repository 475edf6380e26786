// SPDX-License-Identifier: MIT
#include "meshes/tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

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

  // Writes the neighbours of the face with this number, and returns how many there are.
  std::size_t copy(std::int64_t number, std::vector<std::uint32_t>& to) const {
    const std::size_t face =
        faces_.empty() ? static_cast<std::size_t>(number) : faces_[static_cast<std::size_t>(number)];
    const std::span<const std::uint32_t> list = neighbours_.of(face);
    to.assign(list.begin(), list.end());
    if (!numbers_.empty())
      for (std::uint32_t& each : to) each = each < numbers_.size() ? numbers_[each] : each;
    return to.size();
  }

 private:
  const FaceNeighbours& neighbours_;
  const std::vector<std::uint32_t>& numbers_;
  std::vector<std::uint32_t> faces_;
};

void make_structures(TableArrays& arrays, const Renumbered& renumbered) {
  std::vector<std::uint32_t> list;
  arrays.begins.push_back(0);
  for (std::int64_t i = 0; i < arrays.faces; ++i) {
    renumbered.copy(i, list);
    arrays.neighbours.insert(arrays.neighbours.end(), list.begin(), list.end());
    arrays.begins.push_back(static_cast<std::uint32_t>(arrays.neighbours.size()));
  }
}

void make_arrays(TableArrays& arrays, const Renumbered& renumbered, int number) {
  arrays.pitch = (arrays.faces + pitch_alignment) / pitch_alignment * pitch_alignment;
  const double bytes = 4.0 * static_cast<double>(arrays.pitch) * number;
  require_memory(bytes, fmt::format("{} neighbours of {} faces each", number, arrays.faces));
  arrays.neighbours.assign(static_cast<std::size_t>(arrays.pitch * number),
                           static_cast<std::uint32_t>(arrays.faces));
  std::vector<std::uint32_t> list;
  for (std::int64_t i = 0; i < arrays.faces; ++i) {
    renumbered.copy(i, list);
    for (std::size_t k = 0; k < list.size(); ++k)
      arrays.neighbours[static_cast<std::size_t>(k) * static_cast<std::size_t>(arrays.pitch) +
                        static_cast<std::size_t>(i)] = list[k];
  }
}

// Distances of a face to its neighbours, ascending.
using Distances = std::vector<std::int32_t>;

// Table of the distinct patterns.
class Patterns {
 public:
  explicit Patterns(std::vector<std::int32_t>& distances) : distances_(distances) { index_of({}); }

  std::uint32_t index_of(const Distances& pattern) {
    const auto [place, added] = indices_.try_emplace(pattern, static_cast<std::uint32_t>(indices_.size()));
    if (added) {
      distances_.push_back(static_cast<std::int32_t>(pattern.size()));
      distances_.insert(distances_.end(), pattern.begin(), pattern.end());
      distances_.resize(indices_.size() * (MeshWords::max_distances + 1));
    }
    return place->second;
  }

 private:
  std::vector<std::int32_t>& distances_;
  std::map<Distances, std::uint32_t> indices_;
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

// Faces that do not follow their word's pattern, with their neighbours.
class Exceptions {
 public:
  explicit Exceptions(TableArrays& arrays) : arrays_(arrays) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(arrays_.exception_faces.size()); }

  void add(std::uint32_t face, const Distances& distances) {
    arrays_.exception_faces.push_back(face);
    for (const std::int32_t distance : distances)
      neighbours_.push_back(face + static_cast<std::uint32_t>(distance));
    ends_.push_back(neighbours_.size());
    arrays_.most_of_exceptions = std::max(arrays_.most_of_exceptions, static_cast<int>(distances.size()));
  }

  // An array for each neighbour; `dead` is a cell that is always dead.
  void finish(std::uint32_t dead) {
    const std::size_t number = size();
    arrays_.exceptions = static_cast<std::int64_t>(number);
    arrays_.exception_neighbours.assign(number * static_cast<std::size_t>(arrays_.most_of_exceptions), dead);
    for (std::size_t e = 0, i = 0; e < number; ++e) {
      for (std::size_t k = 0; i < ends_[e]; ++k, ++i)
        arrays_.exception_neighbours[k * number + e] = neighbours_[i];
    }
  }

 private:
  TableArrays& arrays_;
  std::vector<std::uint32_t> neighbours_;
  std::vector<std::size_t> ends_;
};

void make_words(TableArrays& arrays, const Renumbered& renumbered, int word_bits) {
  arrays.words = (arrays.faces + word_bits - 1) / word_bits;
  Patterns patterns(arrays.distances);
  std::vector<std::uint32_t> list;
  std::array<Distances, 64> faces;
  Exceptions exceptions(arrays);
  for (std::int64_t word = 0; word < arrays.words; ++word) {
    const std::int64_t first = word * word_bits;
    const int number = static_cast<int>(std::min<std::int64_t>(word_bits, arrays.faces - first));
    for (int i = 0; i < number; ++i) {
      Distances& each = faces[static_cast<std::size_t>(i)];
      each.resize(renumbered.copy(first + i, list));
      for (std::size_t k = 0; k < list.size(); ++k)
        each[k] = static_cast<std::int32_t>(static_cast<std::int64_t>(list[k]) - (first + i));
      std::sort(each.begin(), each.end());
    }
    const Distances& pattern = most_common(faces, number, word_bits);
    arrays.first_exceptions.push_back(exceptions.size());
    std::uint64_t regular = 0;
    for (int i = 0; i < number; ++i) {
      const Distances& each = faces[static_cast<std::size_t>(i)];
      if (!pattern.empty() && each == pattern) {
        regular |= std::uint64_t{1} << i;
      } else {
        exceptions.add(static_cast<std::uint32_t>(first + i), each);
      }
    }
    arrays.regular.push_back(regular);
    const bool whole = number == word_bits && exceptions.size() == arrays.first_exceptions.back();
    arrays.patterns.push_back(patterns.index_of(pattern) | (whole ? 0 : MeshWords::has_exceptions));
  }
  arrays.first_exceptions.push_back(exceptions.size());
  exceptions.finish(static_cast<std::uint32_t>(arrays.words * word_bits));
  arrays.run_ends.resize(arrays.patterns.size());
  for (std::size_t i = arrays.patterns.size(), end = i; i-- > 0;) {
    arrays.run_ends[i] = static_cast<std::uint32_t>(end);
    constexpr std::uint32_t pattern = ~MeshWords::has_exceptions;
    if (i > 0 && ((arrays.patterns[i - 1] ^ arrays.patterns[i]) & pattern) != 0) end = i;
  }
}

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
      make_words(arrays, renumbered, form.word_bits);
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
