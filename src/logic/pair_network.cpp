// SPDX-License-Identifier: MIT
// A pair of rows has the network of one row twice, or the network of the nearest rule that counts, which is
// for two rows, and twice one of where the rule differs from it. Gates that are equal, as functions of the
// twelve cells, become one, and resubstitution finds fewer gates.
#include "logic/pair_network.h"

#include <algorithm>
#include <bitset>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "logic/cell_forms.h"
#include "logic/network.h"
#include "logic/resubstitution.h"
#include "model/process_cache.h"

namespace moorea {
namespace {

constexpr std::size_t kept_pairs = 64;
constexpr std::size_t pair_cells = PairNetwork::rows * PairNetwork::cells_of_row;
constexpr std::size_t max_row_gates = 3;
constexpr std::uint64_t pair_work = 20'000'000;  // of resubstitution: some hundredths of a second

// Values for all states of the twelve cells; cell i is bit 11 - i of a state's number.
using PairValues = std::bitset<1 << pair_cells>;

// Signals are the twelve cells, then the gates.
using PairSignal = std::uint16_t;

// A signal or its complement.
struct PairEdge {
  PairSignal signal = 0;
  bool complemented = false;
};

struct Pair {
  std::vector<CellNetwork::Gate> gates;
  std::array<PairSignal, 2> outputs{};
};

using Operands = std::array<PairSignal, 3>;

Operands operands(const CellNetwork::Gate& gate) { return {gate.a, gate.b, gate.c}; }

// The signals that a gate depends on, in order.
std::vector<PairSignal> used_by(const CellNetwork::Gate& gate) {
  std::vector<PairSignal> used;
  const unsigned looks_at = operands_of(gate.table);
  for (unsigned k = 0; k < 3; ++k) {
    if ((looks_at & 4u >> k) != 0) used.push_back(operands(gate)[k]);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

// A gate of up to three signals, by its value for each of their states: signals[k] is bit k of `state`.
CellNetwork::Gate gate_of(const std::vector<PairSignal>& signals,
                          const std::function<bool(unsigned)>& value) {
  CellNetwork::Gate gate{0, 0, 0, 0};
  const std::size_t count = signals.size();
  if (count > 0) gate = {signals[0], signals[std::min<std::size_t>(1, count - 1)], signals[count - 1], 0};
  for (unsigned i = 0; i < 8; ++i) {
    unsigned state = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const unsigned operand = count == 3 || k == 0 ? static_cast<unsigned>(k) : 2;
      state |= (i >> (2 - operand) & 1) << k;
    }
    if (value(state)) gate.table |= static_cast<std::uint8_t>(1u << i);
  }
  return gate;
}

bool gate_value(const CellNetwork::Gate& gate, const std::function<bool(PairSignal)>& value) {
  return (gate.table >> ((value(gate.a) ? 4 : 0) | (value(gate.b) ? 2 : 0) | (value(gate.c) ? 1 : 0)) & 1) !=
         0;
}

// Gates of which no two compute the same function or its complement.
class PairBuilder {
 public:
  PairBuilder() {
    for (std::size_t i = 0; i < pair_cells; ++i) {
      PairValues values;
      for (std::size_t state = 0; state < values.size(); ++state)
        values[state] = (state >> (pair_cells - 1 - i) & 1) != 0;
      known_[values] = static_cast<PairSignal>(i);
      values_.push_back(values);
    }
  }

  PairEdge add(PairEdge a, PairEdge b, PairEdge c, std::uint8_t table) {
    table = with_complemented(
        table, (a.complemented ? 4u : 0u) | (b.complemented ? 2u : 0u) | (c.complemented ? 1u : 0u));
    const bool complemented = (table & 1) != 0;  // all signals are 0 for dead cells
    if (complemented) table = static_cast<std::uint8_t>(~table);
    const CellNetwork::Gate gate = {a.signal, b.signal, c.signal, table};
    const PairValues values = values_of(gate);
    const auto [found, is_new] = known_.try_emplace(values, static_cast<PairSignal>(values_.size()));
    if (is_new) {
      pair_.gates.push_back(gate);
      values_.push_back(values);
    }
    return {found->second, complemented};
  }

  // The networks of one row, twice.
  std::array<PairEdge, 2> add(const CellNetwork& network) {
    std::array<PairEdge, 2> outputs;
    for (std::size_t row = 0; row < 2; ++row) {
      std::vector<PairEdge> edges;
      for (std::size_t i = 0; i < CellNetwork::inputs; ++i)
        edges.push_back({static_cast<PairSignal>(row * PairNetwork::cells_of_row + i), false});
      for (const CellNetwork::Gate& gate : network.gates)
        edges.push_back(add(edges[gate.a], edges[gate.b], edges[gate.c], gate.table));
      outputs[row] = edges[network.output];
    }
    return outputs;
  }

  std::array<PairEdge, 2> add(const Network& network) {
    std::vector<PairEdge> edges;
    for (PairSignal row = 0; row < PairNetwork::rows; ++row) {
      const auto cell = [&](int k) {
        return PairEdge{static_cast<PairSignal>(row * PairNetwork::cells_of_row + k), false};
      };
      for (const std::uint8_t table : {std::uint8_t{0x96}, std::uint8_t{0xE8}})
        edges.push_back(add(cell(0), cell(1), cell(2), table));
    }
    for (const PairSignal centre : {PairSignal{4}, PairSignal{7}}) edges.push_back({centre, false});
    for (const Gate& gate : network.gates)
      edges.push_back(add(edges[gate.a], edges[gate.b], edges[gate.c], gate.table));
    return {edges[network.outputs[0]], edges[network.outputs[1]]};
  }

  std::array<PairEdge, 2> add(const GateList& list) {
    std::vector<PairEdge> edges;
    for (std::size_t i = 0; i < list.inputs; ++i) edges.push_back({static_cast<PairSignal>(i), false});
    for (const CellNetwork::Gate& gate : list.gates)
      edges.push_back(add(edges[gate.a], edges[gate.b], edges[gate.c], gate.table));
    return {edges[list.outputs[0]], edges[list.outputs[1]]};
  }

  Pair finished(const std::array<PairEdge, 2>& outputs) {
    for (std::size_t row = 0; row < 2; ++row) {
      pair_.outputs[row] = outputs[row].signal;
      if (!outputs[row].complemented) continue;
      if (row == 1 && outputs[0].complemented && outputs[0].signal == outputs[1].signal) {
        pair_.outputs[1] = pair_.outputs[0];
        continue;
      }
      pair_.gates.push_back({outputs[row].signal, outputs[row].signal, outputs[row].signal, 0x0F});
      pair_.outputs[row] = static_cast<PairSignal>(pair_cells + pair_.gates.size() - 1);
    }
    return pair_;
  }

 private:
  PairValues values_of(const CellNetwork::Gate& gate) const {
    PairValues result;
    const PairValues &a = values_[gate.a], &b = values_[gate.b], &c = values_[gate.c];
    for (unsigned i = 0; i < 8; ++i) {
      if ((gate.table >> i & 1) != 0) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    }
    return result;
  }

  Pair pair_;
  std::vector<PairValues> values_;
  std::unordered_map<PairValues, PairSignal> known_;
};

// How often each signal is an operand or an output.
std::vector<int> uses(const Pair& pair) {
  std::vector<int> count(pair_cells + pair.gates.size());
  for (const PairSignal output : pair.outputs) ++count[output];
  for (std::size_t g = pair.gates.size(); g-- > 0;) {
    if (count[pair_cells + g] == 0) continue;
    for (const PairSignal operand : used_by(pair.gates[g])) ++count[operand];
  }
  return count;
}

// For each gate the row whose cells alone it depends on, and its function of them.
struct OfRow {
  std::size_t row = PairNetwork::rows;  // none
  std::uint8_t table = 0;
};

std::vector<OfRow> functions_of_rows(const Pair& pair) {
  std::vector<OfRow> result;
  const auto row_of = [&](PairSignal signal) {
    return signal < pair_cells ? signal / PairNetwork::cells_of_row : result[signal - pair_cells].row;
  };
  for (const CellNetwork::Gate& gate : pair.gates) {
    OfRow of_row;
    const std::vector<PairSignal> used = used_by(gate);
    if (!used.empty() && std::all_of(used.begin(), used.end(),
                                     [&](PairSignal each) { return row_of(each) == row_of(used[0]); }))
      of_row.row = row_of(used[0]);
    if (of_row.row < PairNetwork::rows) {
      for (unsigned cells = 0; cells < 8; ++cells) {
        const auto value = [&](PairSignal each) {
          return each < pair_cells ? (cells >> (2 - each % PairNetwork::cells_of_row) & 1) != 0
                                   : (result[each - pair_cells].table >> cells & 1) != 0;
        };
        if (gate_value(gate, value)) of_row.table |= static_cast<std::uint8_t>(1u << cells);
      }
    }
    result.push_back(of_row);
  }
  return result;
}

// A gate whose only use is in another one becomes part of it if both depend on three signals at most.
void merge_gates(Pair& pair, const std::vector<bool>& stays) {
  for (std::size_t g = 0; g < pair.gates.size(); ++g) {
    for (bool merged = true; merged;) {
      merged = false;
      const std::vector<int> count = uses(pair);
      const CellNetwork::Gate gate = pair.gates[g];
      for (const PairSignal inner : used_by(gate)) {
        if (inner < pair_cells || stays[inner - pair_cells] || count[inner] != 1) continue;
        const CellNetwork::Gate part = pair.gates[inner - pair_cells];
        std::vector<PairSignal> all = used_by(part);
        for (const PairSignal each : used_by(gate)) {
          if (each != inner && std::find(all.begin(), all.end(), each) == all.end()) all.push_back(each);
        }
        if (all.size() > 3) continue;
        pair.gates[g] = gate_of(all, [&](unsigned state) {
          const auto outside = [&](PairSignal each) {
            const auto at = std::find(all.begin(), all.end(), each);
            return at != all.end() && (state >> (at - all.begin()) & 1) != 0;
          };
          return gate_value(gate, [&](PairSignal each) {
            return each == inner ? gate_value(part, outside) : outside(each);
          });
        });
        merged = true;
        break;
      }
    }
  }
}

// Makes functions that three rows or four need gates of the rows, and removes unused gates.
PairNetwork with_row_gates(Pair pair) {
  const std::vector<OfRow> of_rows = functions_of_rows(pair);
  const std::vector<int> first_count = uses(pair);
  std::map<std::uint8_t, unsigned> rows_of;  // of each function, as bits
  for (std::size_t g = 0; g < pair.gates.size(); ++g) {
    if (of_rows[g].row < PairNetwork::rows && first_count[pair_cells + g] > 0)
      rows_of[of_rows[g].table] |= 1u << of_rows[g].row;
  }
  PairNetwork network;
  for (int wanted : {4, 3}) {
    for (const auto& [table, rows] : rows_of) {
      if (std::bitset<4>(rows).count() == static_cast<std::size_t>(wanted) && (table & 1) == 0 &&
          network.row_gates.size() < max_row_gates)
        network.row_gates.push_back(table);
    }
  }
  const auto row_gate = [&](std::size_t g) {
    return of_rows[g].row == PairNetwork::rows
               ? network.row_gates.end()
               : std::find(network.row_gates.begin(), network.row_gates.end(), of_rows[g].table);
  };
  std::vector<bool> stays;
  for (std::size_t g = 0; g < pair.gates.size(); ++g) {
    stays.push_back(row_gate(g) != network.row_gates.end());
    // As a function of the cells, so that it needs no other gate
    if (of_rows[g].row == PairNetwork::rows) continue;
    const auto first = static_cast<PairSignal>(of_rows[g].row * PairNetwork::cells_of_row);
    pair.gates[g] = {first, static_cast<PairSignal>(first + 1), static_cast<PairSignal>(first + 2),
                     of_rows[g].table};
  }
  merge_gates(pair, stays);
  const std::vector<int> count = uses(pair);
  std::vector<PairSignal> number;
  for (std::size_t i = 0; i < pair_cells; ++i)
    number.push_back(static_cast<PairSignal>(i / PairNetwork::cells_of_row * network.signals_of_row() +
                                             i % PairNetwork::cells_of_row));
  for (std::size_t g = 0; g < pair.gates.size(); ++g) {
    if (stays[g]) {
      const auto which = static_cast<std::size_t>(row_gate(g) - network.row_gates.begin());
      number.push_back(static_cast<PairSignal>(of_rows[g].row * network.signals_of_row() +
                                               PairNetwork::cells_of_row + which));
      continue;
    }
    number.push_back(static_cast<PairSignal>(network.inputs() + network.gates.size()));
    if (count[pair_cells + g] == 0) continue;
    const CellNetwork::Gate compact = gate_of(used_by(pair.gates[g]), [&](unsigned state) {
      const std::vector<PairSignal> used = used_by(pair.gates[g]);
      return gate_value(pair.gates[g], [&](PairSignal each) {
        const auto at = std::find(used.begin(), used.end(), each);
        return at != used.end() && (state >> (at - used.begin()) & 1) != 0;
      });
    });
    network.gates.push_back({number[compact.a], number[compact.b], number[compact.c], compact.table});
  }
  for (std::size_t row = 0; row < 2; ++row) network.outputs[row] = number[pair.outputs[row]];
  return network;
}

PairNetwork find_pair(const Rule& rule) {
  std::vector<PairNetwork> networks;
  // Gates that both rows share are found first, fewer gates for both of them then
  const auto add = [&](PairBuilder& builder, const std::array<PairEdge, 2>& outputs) {
    const Pair pair = builder.finished(outputs);
    networks.push_back(with_row_gates(pair));
    PairBuilder again;
    const auto fewer = again.add(
        resubstituted({pair_cells, pair.gates, {pair.outputs.begin(), pair.outputs.end()}}, pair_work));
    networks.push_back(with_row_gates(again.finished(fewer)));
  };
  const Rule counted = nearest_that_counts(rule);
  {
    PairBuilder builder;
    add(builder, builder.add(cell_network_for(rule)));
  }
  {
    PairBuilder builder;
    const std::array<PairEdge, 2> counts = builder.add(network_for(counted)),
                                  differs = builder.add(cell_network_for(difference(rule, counted)));
    std::array<PairEdge, 2> outputs;
    for (std::size_t row = 0; row < 2; ++row)
      outputs[row] = builder.add(counts[row], differs[row], differs[row], 0x3C);
    add(builder, outputs);
  }
  return *std::min_element(networks.begin(), networks.end(), [](const PairNetwork& a, const PairNetwork& b) {
    return a.gates_per_word() < b.gates_per_word();
  });
}

}  // namespace

unsigned PairNetwork::next(unsigned cells) const {
  std::vector<bool> signals;
  for (std::size_t row = 0; row < rows; ++row) {
    const unsigned three = cells >> (rows - 1 - row) * cells_of_row & 7;
    for (const unsigned bit : {2u, 1u, 0u}) signals.push_back((three >> bit & 1) != 0);
    for (const std::uint8_t table : row_gates) signals.push_back((table >> three & 1) != 0);
  }
  for (const CellNetwork::Gate& gate : gates)
    signals.push_back(gate_value(gate, [&](PairSignal each) { return signals[each]; }));
  return (signals[outputs[0]] ? 1u : 0u) | (signals[outputs[1]] ? 2u : 0u);
}

double PairNetwork::operations_per_word() const {
  CellNetwork of_row, of_pair;
  for (const std::uint8_t table : row_gates) of_row.gates.push_back({0, 1, 2, table});
  of_pair.gates = gates;
  return static_cast<double>(operations_of(of_row)) + static_cast<double>(operations_of(of_pair)) / 2;
}

PairNetwork pair_network_for(const Rule& rule) {
  static ProcessCache<std::string, PairNetwork> known(kept_pairs);
  return *known.find_or_make(rule.str(),
                             [&] { return std::make_shared<const PairNetwork>(find_pair(rule)); });
}

}  // namespace moorea
