// SPDX-License-Identifier: MIT
// The network is built from the rule's table by two steps, repeated on what is left (R. L. Ashenhurst, "The
// decomposition of switching functions", 1957; C. E. Shannon, 1949):
//
// - Some operands matter only by a function of them: if two or three have two classes of values that the rest
//   can distinguish, a gate of them replaces them; if three have up to four classes, two gates do, as in a
//   full adder.
// - Otherwise one operand selects between two functions of the others, which is a gate.
//
// Before these steps gates may turn the neighbourhood, or the function is what distinguishes the rule from
// one that counts; cell_forms.h describes both.
//
// Functions of three operands are gates. Equal functions of equal signals are computed once; a function and
// its complement are equal, because gates take either. Which operands are tried first is decided at random;
// of the best of some attempts resubstitution leaves fewer gates.
#include "logic/cell_network.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "logic/cell_forms.h"
#include "logic/network.h"
#include "logic/resubstitution.h"
#include "logic/two_input.h"
#include "model/process_cache.h"

namespace moorea {
namespace {

constexpr unsigned cell_attempts = 48;
constexpr std::uint64_t cell_work = 25'000'000;  // of resubstitution: less than a tenth of a second
constexpr std::size_t kept_networks = 64;

using CellSignal = std::uint16_t;
using Values = std::vector<std::uint8_t>;  // of a function of n operands, 2^n

// Bit k of an index into `values` is the operand signals[k].
struct Function {
  std::vector<CellSignal> signals;
  Values values;
};

// A signal or its complement; without one a constant.
struct Edge {
  int signal = -1;
  bool complemented = false;
};

// The index with a bit inserted at place k.
constexpr std::size_t with_bit(std::size_t index, std::size_t k, std::size_t bit) {
  const std::size_t low = (std::size_t{1} << k) - 1;
  return (index & low) | bit << k | (index & ~low) << 1;
}

Function restricted(const Function& f, std::size_t k, std::size_t bit) {
  Function part;
  part.signals = f.signals;
  part.signals.erase(part.signals.begin() + static_cast<std::ptrdiff_t>(k));
  for (std::size_t i = 0; i < f.values.size() / 2; ++i) part.values.push_back(f.values[with_bit(i, k, bit)]);
  return part;
}

bool matters(const Function& f, std::size_t k) {
  for (std::size_t i = 0; i < f.values.size() / 2; ++i) {
    if (f.values[with_bit(i, k, 0)] != f.values[with_bit(i, k, 1)]) return true;
  }
  return false;
}

// Ways to begin a network.
struct Form {
  bool turns = false;     // gates turn the neighbourhood first, which needs an isotropic rule
  bool corrects = false;  // the network of a rule that counts, and one of where the rule differs from it
};

// Some operands, by their places, and the class of each of their values: those of one class leave the same
// function of the other operands, of which there is one per class.
struct Division {
  std::vector<std::size_t> places;
  std::vector<std::size_t> class_of;
  std::vector<Values> rests;
};

class Synthesis {
 public:
  explicit Synthesis(unsigned choice) : random_(choice) {}

  CellNetwork network(const Rule& rule, Form form) {
    const Edge output = form.corrects ? corrected(rule, form.turns) : next_state_of(rule, form.turns);
    if (output.signal < 0) {
      network_.gates.push_back({0, 0, 0, static_cast<std::uint8_t>(output.complemented ? 0xFF : 0)});
      network_.output = CellNetwork::inputs;
      return network_;
    }
    if (output.complemented) {
      const auto signal = static_cast<CellSignal>(output.signal);
      network_.gates.push_back({signal, signal, signal, 0x0F});
      network_.output = static_cast<CellSignal>(CellNetwork::inputs + network_.gates.size() - 1);
    } else {
      network_.output = static_cast<CellSignal>(output.signal);
    }
    return network_;
  }

 private:
  Edge next_state_of(const Rule& rule, bool turns) {
    return make(turns ? function_of_turned_cells(rule) : function_of_cells(rule));
  }

  Edge corrected(const Rule& rule, bool turns) {
    const Rule counted = nearest_that_counts(rule);
    const Edge counts = next_state_of(counted, false),
               differs = next_state_of(difference(rule, counted), turns);
    if (counts.signal < 0 || differs.signal < 0 || counts.signal == differs.signal)
      return next_state_of(rule, turns);
    Function f;
    f.signals = {static_cast<CellSignal>(counts.signal), static_cast<CellSignal>(differs.signal)};
    f.values = {0, 1, 1, 0};
    const Edge edge = make(std::move(f));
    return {edge.signal, (edge.complemented != counts.complemented) != differs.complemented};
  }

  static Function function_of_cells(const Rule& rule) {
    Function f;
    for (CellSignal i = 0; i < CellNetwork::inputs; ++i) f.signals.push_back(i);
    for (unsigned i = 0; i < 512; ++i) f.values.push_back(next_state(rule, i) ? 1 : 0);
    return f;
  }

  // Of an isotropic rule: reflections by the west and the north cell, and one at the diagonal, leave six
  // arrangements of the four cells at the sides, those of `side_cells`. The function is one of three signals
  // that number the arrangement, of the centre, and of the cells at the corners after the reflections.
  Function function_of_turned_cells(const Rule& rule) {
    enum Cell : CellSignal { nw, n, ne, w, centre, e, sw, s, se };
    CellSignal corners[4] = {nw, ne, sw, se};
    const auto swap_if = [&](CellSignal by, CellSignal& a, CellSignal& b) {
      const CellSignal first = gate_of({by, a, b}, 0xAC), second = gate_of({by, b, a}, 0xAC);
      a = first, b = second;
    };
    swap_if(w, corners[0], corners[1]);
    swap_if(w, corners[2], corners[3]);
    swap_if(n, corners[0], corners[2]);
    swap_if(n, corners[1], corners[3]);
    const CellSignal north_and_south = gate_of({n, s}, 0xC0);
    // Now as many of south and east are alive as before of north and south, and of east and west. The
    // diagonal exchanges them unless the former are more
    swap_if(gate_of({e, w, north_and_south}, 0x54), corners[1], corners[2]);
    const CellSignal opposite = gate_of({e, w, north_and_south}, 0xEA);
    const CellSignal odd = gate_of({gate_of({n, e, s}, 0x96), w}, 0x3C);
    const CellSignal differ = gate_of({n, e, s}, 0x7E);
    Function f;
    f.signals = {corners[0], corners[1], corners[2], corners[3], centre, opposite, odd, differ};
    // By opposite, odd and differ; if their number is odd, `differ` has either value
    constexpr unsigned south = 1u << s, east = 1u << e, north = 1u << n, west = 1u << w;
    constexpr unsigned side_cells[8] = {
        0,     north | east | south | west, south, north | east | south, south | east, north | south,
        south, north | east | south};
    for (unsigned i = 0; i < 256; ++i) {
      const unsigned cells = side_cells[i >> 5] | (i & 1) << nw | (i >> 1 & 1) << ne | (i >> 2 & 1) << sw |
                             (i >> 3 & 1) << se | (i >> 4 & 1) << centre;
      f.values.push_back(next_state(rule, cells) ? 1 : 0);
    }
    return f;
  }

  // A gate of two or three signals that is 0 if they are; of two, its table ignores the third operand.
  CellSignal gate_of(std::vector<CellSignal> signals, std::uint8_t table) {
    Function f;
    for (unsigned i = 0; i < 1u << signals.size(); ++i)
      f.values.push_back(table >> ((i & 1) << 2 | (i & 2) | (i >> 2 & 1)) & 1);
    f.signals = std::move(signals);
    return static_cast<CellSignal>(make(std::move(f)).signal);
  }

  Edge make(Function f) {
    for (std::size_t k = f.signals.size(); k-- > 0;) {
      if (!matters(f, k)) f = restricted(f, k, 0);
    }
    // Zero for operands that are all 0, so that a function and its complement are one
    const bool complemented = f.values[0] != 0;
    if (complemented) {
      for (std::uint8_t& value : f.values) value ^= 1;
    }
    if (f.signals.empty()) return {-1, complemented};
    if (f.signals.size() == 1) return {f.signals[0], complemented};
    const auto known = made_.find({f.signals, f.values});
    if (known != made_.end()) return {known->second.signal, known->second.complemented != complemented};
    const Edge edge = f.signals.size() <= 3 ? gate(f) : divided(f);
    made_[{f.signals, f.values}] = edge;
    return {edge.signal, edge.complemented != complemented};
  }

  // A function of two or three operands.
  Edge gate(const Function& f) {
    const std::size_t count = f.signals.size();
    std::uint8_t table = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned index = (i >> 2 & 1) | (i >> 1 & 1) << 1 | (count == 3 ? (i & 1) << 2 : 0);
      table = static_cast<std::uint8_t>(table | f.values[index] << i);
    }
    network_.gates.push_back({f.signals[0], f.signals[1], f.signals[count - 1], table});
    return {static_cast<int>(CellNetwork::inputs + network_.gates.size() - 1), false};
  }

  Edge divided(const Function& f) {
    const std::size_t count = f.signals.size();
    std::vector<Division> four;
    std::optional<Division> two;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        if (!two) {
          if (Division pair = division(f, {i, j}); pair.rests.size() <= 2) two = std::move(pair);
        }
        for (std::size_t k = j + 1; k < count; ++k) {
          Division triple = division(f, {i, j, k});
          if (triple.rests.size() <= 2) return replaced(f, triple);
          if (triple.rests.size() <= 4) four.push_back(std::move(triple));
        }
      }
    }
    if (two) return replaced(f, *two);
    if (!four.empty()) return replaced(f, four[random_() % four.size()]);
    return selected(f);
  }

  static Division division(const Function& f, std::vector<std::size_t> places) {
    Division division;
    const std::size_t count = f.signals.size(), rest_count = count - places.size();
    for (std::size_t inside = 0; inside < std::size_t{1} << places.size(); ++inside) {
      Values rest;
      for (std::size_t outside = 0; outside < std::size_t{1} << rest_count; ++outside) {
        std::size_t index = outside;
        for (std::size_t p = 0; p < places.size(); ++p) index = with_bit(index, places[p], inside >> p & 1);
        rest.push_back(f.values[index]);
      }
      const auto found = std::find(division.rests.begin(), division.rests.end(), rest);
      division.class_of.push_back(static_cast<std::size_t>(found - division.rests.begin()));
      if (found == division.rests.end()) division.rests.push_back(std::move(rest));
      if (division.rests.size() > 4) break;
    }
    division.places = std::move(places);
    return division;
  }

  // The function with one or two gates in place of the operands of a division.
  Edge replaced(const Function& f, const Division& division) {
    // Numbers of the classes, in any order
    std::vector<std::size_t> codes = {0, 1, 2, 3};
    const std::size_t bits = division.rests.size() <= 2 ? 1 : 2;
    if (bits == 2) std::shuffle(codes.begin(), codes.end(), random_);
    Function rest;
    for (std::size_t k = 0; k < f.signals.size(); ++k) {
      if (std::find(division.places.begin(), division.places.end(), k) == division.places.end())
        rest.signals.push_back(f.signals[k]);
    }
    std::vector<Edge> gates;
    for (std::size_t bit = 0; bit < bits; ++bit) {
      Function inside;
      for (const std::size_t place : division.places) inside.signals.push_back(f.signals[place]);
      for (const std::size_t each : division.class_of)
        inside.values.push_back(static_cast<std::uint8_t>(codes[each] >> bit & 1));
      gates.push_back(make(std::move(inside)));
      const Edge& made = gates.back();
      // What is an operand already, or constant, makes nothing simpler
      if (made.signal < 0 ||
          std::find(rest.signals.begin(), rest.signals.end(), made.signal) != rest.signals.end())
        return selected(f);
      rest.signals.push_back(static_cast<CellSignal>(made.signal));
    }
    for (std::size_t code = 0; code < std::size_t{1} << bits; ++code) {
      std::size_t number = 0;
      for (std::size_t bit = 0; bit < bits; ++bit)
        number |= ((code >> bit & 1) != 0) != gates[bit].complemented ? std::size_t{1} << bit : 0;
      // A number that no class has may be that of any
      std::size_t which = 0;
      for (std::size_t each = 0; each < division.rests.size(); ++each) {
        if (codes[each] == number) which = each;
      }
      rest.values.insert(rest.values.end(), division.rests[which].begin(), division.rests[which].end());
    }
    return make(std::move(rest));
  }

  // One operand selects between two functions of the others: one of those that leave the fewest operands.
  Edge selected(const Function& f) {
    std::vector<std::size_t> best;
    std::size_t fewest = ~std::size_t{0};
    for (std::size_t k = 0; k < f.signals.size(); ++k) {
      std::size_t left = 0;
      for (const std::size_t bit : {0, 1}) {
        const Function part = restricted(f, k, bit);
        for (std::size_t i = 0; i < part.signals.size(); ++i) left += matters(part, i) ? 1 : 0;
      }
      if (left > fewest) continue;
      if (left < fewest) best.clear();
      fewest = left;
      best.push_back(k);
    }
    const std::size_t k = best[random_() % best.size()];
    const Edge no = make(restricted(f, k, 0)), yes = make(restricted(f, k, 1));
    return mux(f.signals[k], yes, no);
  }

  // Signals of gates that have been made may be equal to one another.
  Edge mux(CellSignal by, Edge yes, Edge no) {
    Function f;
    const auto place_of = [&](int signal) {
      const auto found = std::find(f.signals.begin(), f.signals.end(), signal);
      if (found != f.signals.end()) return static_cast<std::size_t>(found - f.signals.begin());
      f.signals.push_back(static_cast<CellSignal>(signal));
      return f.signals.size() - 1;
    };
    const std::size_t at = place_of(by);
    const std::size_t one = yes.signal < 0 ? 0 : place_of(yes.signal),
                      zero = no.signal < 0 ? 0 : place_of(no.signal);
    for (std::size_t i = 0; i < std::size_t{1} << f.signals.size(); ++i) {
      const bool first = (yes.signal >= 0 && (i >> one & 1) != 0) != yes.complemented;
      const bool second = (no.signal >= 0 && (i >> zero & 1) != 0) != no.complemented;
      f.values.push_back(((i >> at & 1) != 0 ? first : second) ? 1 : 0);
    }
    return make(std::move(f));
  }

  std::minstd_rand random_;
  CellNetwork network_;
  std::map<std::pair<std::vector<CellSignal>, Values>, Edge> made_;
};

// Without gates that no other one needs.
CellNetwork trimmed(const CellNetwork& network) {
  std::vector<bool> needed(CellNetwork::inputs + network.gates.size());
  needed[network.output] = true;
  for (std::size_t i = network.gates.size(); i-- > 0;) {
    if (!needed[CellNetwork::inputs + i]) continue;
    const CellNetwork::Gate& gate = network.gates[i];
    needed[gate.a] = needed[gate.b] = needed[gate.c] = true;
  }
  CellNetwork result;
  std::vector<CellSignal> number(needed.size());
  for (CellSignal i = 0; i < CellNetwork::inputs; ++i) number[i] = i;
  for (std::size_t i = 0; i < network.gates.size(); ++i) {
    if (!needed[CellNetwork::inputs + i]) continue;
    const CellNetwork::Gate& gate = network.gates[i];
    result.gates.push_back({number[gate.a], number[gate.b], number[gate.c], gate.table});
    number[CellNetwork::inputs + i] = static_cast<CellSignal>(CellNetwork::inputs + result.gates.size() - 1);
  }
  result.output = number[network.output];
  return result;
}

CellNetwork find_network(const Rule& rule) {
  CellNetwork best;
  const bool isotropic = is_isotropic(rule);
  for (unsigned attempt = 1; attempt <= cell_attempts; ++attempt) {
    const Form form = {isotropic && attempt % 2 == 0, attempt % 4 >= 2};
    CellNetwork network = trimmed(Synthesis(attempt).network(rule, form));
    if (attempt == 1 || network.gates.size() < best.gates.size()) best = std::move(network);
  }
  const GateList fewer = resubstituted({CellNetwork::inputs, best.gates, {best.output}}, cell_work);
  return {fewer.gates, fewer.outputs[0]};
}

}  // namespace

bool CellNetwork::next(unsigned neighbourhood) const {
  std::vector<bool> signals;
  for (int i = 8; i >= 0; --i) signals.push_back((neighbourhood >> i & 1) != 0);
  for (const Gate& gate : gates) {
    const unsigned at =
        (signals[gate.a] ? 4u : 0u) | (signals[gate.b] ? 2u : 0u) | (signals[gate.c] ? 1u : 0u);
    signals.push_back((gate.table >> at & 1) != 0);
  }
  return signals[output];
}

std::size_t operations_of(const CellNetwork& network) {
  std::size_t operations = 0;
  for (const CellNetwork::Gate& gate : network.gates) {
    // No sequence of operations makes 1 of zeros: that is the complement of one which makes 0
    const bool is_complement = (gate.table & 1) != 0;
    const auto table = static_cast<std::uint8_t>(is_complement ? ~gate.table : gate.table);
    const bool is_single = std::popcount(moorea::operands_of(table)) <= 1;  // a constant, copy or complement
    operations += is_single ? 1 : operations_of(table).size() + (is_complement ? 1 : 0);
  }
  return operations;
}

CellNetwork cell_network_for(const Rule& rule) {
  static ProcessCache<std::string, CellNetwork> known(kept_networks);
  return *known.find_or_make(rule.str(),
                             [&] { return std::make_shared<const CellNetwork>(find_network(rule)); });
}

}  // namespace moorea
