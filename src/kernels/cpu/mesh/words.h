// SPDX-License-Identifier: MIT
// Kernel of meshes on words of 64 faces, for the type Vector of `lanes` 64-bit words, whose file also defines
// gathered(words, indices). Included inside the anonymous namespace of each kernel file, so that files for an
// instruction set share no function.
//
// Words with one pattern follow each other in well-numbered meshes, and a vector of them is computed at once:
// for each distance of the pattern, the neighbours are the same number of words at a bit offset. They are
// added as binary numbers, one vector per digit, and compared with the numbers that the rule names. Then each
// exception is computed by itself, and its bit is inserted.

static inline Vector load(const std::uint64_t* at) {
  Vector value;
  __builtin_memcpy(&value, at, sizeof value);
  return value;
}

// Numbers of live neighbours, by binary digit; 15 stands for 15 or more.
struct Digits {
  Vector ones, twos, fours, eights;
};

// Adds three bits to each number.
static inline void add_three(Digits& sum, Vector a, Vector b, Vector c) {
  const Vector half = a ^ b, one = half ^ c, two = (a & b) | (half & c);
  const Vector carry = sum.ones & one;
  sum.ones ^= one;
  const Vector half_twos = sum.twos ^ two, carry_twos = (sum.twos & two) | (half_twos & carry);
  sum.twos = half_twos ^ carry;
  const Vector carry_fours = sum.fours & carry_twos;
  sum.fours ^= carry_twos;
  sum.eights |= carry_fours;
}

// A number that the rule names: bits that the digits must not have, and what becomes of cells.
struct Wanted {
  std::uint64_t ones, twos, fours, eights, born, survives;
};

struct WantedList {
  Wanted at[9];
  int size;
};

static inline WantedList wanted_by(RuleMask rule) {
  WantedList list;
  list.size = 0;
  const auto all = [](bool set) { return set ? ~std::uint64_t{0} : 0; };
  for (int n = 0; n <= 8; ++n) {
    const bool born = (rule.birth >> n & 1) != 0, survives = (rule.survival >> n & 1) != 0;
    if (!born && !survives) continue;
    list.at[list.size++] = {all((n & 1) == 0), all((n & 2) == 0), all((n & 4) == 0),
                            all((n & 8) == 0), all(born),         all(survives)};
  }
  return list;
}

static inline Vector next_cells(const Digits& sum, Vector alive, const WantedList& list) {
  Vector next = {};
  for (int i = 0; i < list.size; ++i) {
    const Wanted& wanted = list.at[i];
    const Vector equal = (sum.ones ^ wanted.ones) & (sum.twos ^ wanted.twos) & (sum.fours ^ wanted.fours) &
                         (sum.eights ^ wanted.eights);
    next |= equal & ((alive & wanted.survives) | (~alive & wanted.born));
  }
  return next;
}

// The cells at a distance from those of the words from `at` on.
static inline Vector shifted(const std::uint64_t* at, std::int32_t distance) {
  const std::uint64_t* const words = at + (distance >> 6);
  const unsigned shift = static_cast<unsigned>(distance) & 63;
  return load(words) >> shift | load(words + 1) << 1 << (63 - shift);
}

static inline Vector step_vector(const std::uint64_t* at, const std::int32_t* distances,
                                 const WantedList& list) {
  Digits sum = {};
  const int number = distances[0];
  int k = 1;
  for (; k + 2 <= number; k += 3)
    add_three(sum, shifted(at, distances[k]), shifted(at, distances[k + 1]), shifted(at, distances[k + 2]));
  if (k <= number) {
    const Vector none = {};
    add_three(sum, shifted(at, distances[k]), k < number ? shifted(at, distances[k + 1]) : none, none);
  }
  return next_cells(sum, load(at), list);
}

static inline std::uint64_t bit_of(const std::uint64_t* cells, std::uint32_t face) {
  return cells[face >> 6] >> (face & 63) & 1;
}

// The cells of as many faces as a vector has words.
static inline Vector bits_of(const std::uint64_t* cells, const std::uint32_t* faces) {
  Indices numbers;
  __builtin_memcpy(&numbers, faces, sizeof numbers);
  const Vector shifts = __builtin_convertvector(numbers & 63, Vector);
  return gathered(cells, numbers >> 6) >> shifts & 1;
}

// A vector of exceptions, from number `first` on.
static inline void step_several(const MeshCall& call, const std::uint64_t* from, std::uint64_t* to,
                                std::int64_t first) {
  const MeshWords& words = call.tables->words;
  const std::uint32_t* const faces = words.exception_faces + first;
  Vector counts = {};
  for (int k = 0; k < words.most_neighbours; ++k)
    counts += bits_of(from, words.exception_neighbours + k * words.exceptions + first);
  const Vector alive = -bits_of(from, faces), most = counts - counts + 15;
  const Vector named = (alive & call.rule.survival) | (~alive & call.rule.birth);
  const Vector next = named >> (counts < most ? counts : most) & 1;
  for (int i = 0; i < lanes; ++i) to[faces[i] >> 6] |= next[i] << (faces[i] & 63);
}

static void step_exceptions(const MeshCall& call, const std::uint64_t* from, std::uint64_t* to) {
  const MeshWords& words = call.tables->words;
  std::int64_t e = words.first_exceptions[call.first];
  const std::int64_t end = words.first_exceptions[call.last];
  for (; e + lanes <= end; e += lanes) step_several(call, from, to, e);
  for (; e < end; ++e) {
    unsigned neighbours = 0;
    for (int k = 0; k < words.most_neighbours; ++k)
      neighbours += static_cast<unsigned>(bit_of(from, words.exception_neighbours[k * words.exceptions + e]));
    const std::uint32_t face = words.exception_faces[e];
    const unsigned alive = static_cast<unsigned>(bit_of(from, face));
    to[face >> 6] |= std::uint64_t{next_face_state(call.rule, alive, neighbours)} << (face & 63);
  }
}

static void step(const MeshCall& call) {
  const auto* const from = static_cast<const std::uint64_t*>(call.from);
  auto* const to = static_cast<std::uint64_t*>(call.to);
  const MeshWords& words = call.tables->words;
  const WantedList list = wanted_by(call.rule);
  for (std::int64_t first = call.first; first < call.last;) {
    const std::int64_t end = words.run_ends[first], last = end < call.last ? end : call.last;
    const std::uint32_t pattern = words.patterns[first] & ~MeshWords::has_exceptions;
    const std::int32_t* const distances = words.distances + pattern * (MeshWords::max_distances + 1);
    std::int64_t word = first;
    if (distances[0] == 0) {
      for (; word < last; ++word) to[word] = 0;
    }
    for (; word + lanes <= last; word += lanes) {
      const Vector next = step_vector(from + word, distances, list) & load(words.regular + word);
      __builtin_memcpy(to + word, &next, sizeof next);
    }
    if (word < last) {
      // The cells after the last word are readable, their result is not used
      const Vector next = step_vector(from + word, distances, list);
      for (std::int64_t i = 0; word + i < last; ++i) to[word + i] = next[i] & words.regular[word + i];
    }
    first = last;
  }
  step_exceptions(call, from, to);
}
