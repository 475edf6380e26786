// SPDX-License-Identifier: MIT
#include "logic/resubstitution.h"

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <utility>

#include "logic/network.h"

namespace moorea {
namespace {

using ListSignal = std::uint16_t;
using ListOperands = std::array<ListSignal, 3>;
using SignalValues = std::vector<std::uint64_t>;  // of a signal: its values for all values of the inputs

ListOperands operands_of_list(const CellNetwork::Gate& gate) { return {gate.a, gate.b, gate.c}; }

// Minterms that are examined before all of them: as many as a word has bits, half of them ones of the gate.
constexpr std::size_t sample_ones = 32, sample_zeros = 32, sample_draws = 256;
// Replacements of a gate among which the best is chosen.
constexpr std::size_t max_replacements = 16;

// Values of a gate where its three operands are 1 (bit i of the table is for the state i).
std::uint64_t values_of_gate(unsigned table, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if ((table >> i & 1) != 0)
      result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
  }
  return result;
}

class Resubstitution {
 public:
  explicit Resubstitution(GateList list)
      : list_(std::move(list)), words_((std::size_t{1} << list_.inputs) / 64), tables_(list_.inputs) {
    for (std::size_t i = 0; i < list_.inputs; ++i) {
      tables_[i].resize(words_);
      for (std::size_t n = 0; n < 64 * words_; ++n) tables_[i][n / 64] |= std::uint64_t{n >> i & 1} << n % 64;
    }
    adopt(list_);
  }

  // Triples of signals that attempts have looked at, and words of tables.
  std::uint64_t work() const { return work_; }

  void attempt() {
    const std::size_t gate = random_() % list_.gates.size();
    find_where_it_matters(gate);
    if (!draw_sample(gate)) return;
    const std::vector<CellNetwork::Gate> found = replacements(gate);
    const CellNetwork::Gate old = list_.gates[gate];
    const CellNetwork::Gate* best = nullptr;
    std::size_t fewest = needed_gates();
    for (const CellNetwork::Gate& each : found) {
      work_ += 8 * signals();
      list_.gates[gate] = each;
      const std::size_t needed = needed_gates();
      if (needed <= fewest) best = &each, fewest = needed;
    }
    list_.gates[gate] = best != nullptr ? *best : old;
    if (best != nullptr) adopt(list_);
  }

  const GateList& list() const { return list_; }

 private:
  std::size_t signals() const { return list_.inputs + list_.gates.size(); }

  // Takes the gates that the outputs need, in an order in which they can be computed.
  void adopt(const GateList& list) {
    GateList ordered = {list.inputs, {}, {}};
    std::vector<int> number(list.inputs + list.gates.size(), -1);
    for (std::size_t i = 0; i < list.inputs; ++i) number[i] = static_cast<int>(i);
    std::vector<ListSignal> open(list.outputs.rbegin(), list.outputs.rend());
    while (!open.empty()) {
      const ListSignal signal = open.back();
      bool is_ready = true;
      if (number[signal] < 0) {
        for (const ListSignal each : operands_of_list(list.gates[signal - list.inputs])) {
          if (number[each] >= 0) continue;
          open.push_back(each);
          is_ready = false;
        }
      }
      if (!is_ready) continue;
      open.pop_back();
      if (number[signal] >= 0) continue;
      CellNetwork::Gate gate = list.gates[signal - list.inputs];
      for (ListSignal* each : {&gate.a, &gate.b, &gate.c}) *each = static_cast<ListSignal>(number[*each]);
      number[signal] = static_cast<int>(list.inputs + ordered.gates.size());
      ordered.gates.push_back(gate);
    }
    for (const ListSignal output : list.outputs)
      ordered.outputs.push_back(static_cast<ListSignal>(number[output]));
    list_ = std::move(ordered);
    tables_.resize(signals());
    for (std::size_t g = 0; g < list_.gates.size(); ++g) compute(g, tables_);
  }

  void compute(std::size_t g, std::vector<SignalValues>& tables) const {
    const CellNetwork::Gate& gate = list_.gates[g];
    SignalValues& to = tables[list_.inputs + g];
    to.resize(words_);
    for (std::size_t w = 0; w < words_; ++w)
      to[w] = values_of_gate(gate.table, tables[gate.a][w], tables[gate.b][w], tables[gate.c][w]);
  }

  std::size_t needed_gates() {
    seen_.assign(signals(), false);
    open_.assign(list_.outputs.begin(), list_.outputs.end());
    std::size_t number = 0;
    while (!open_.empty()) {
      const ListSignal signal = open_.back();
      open_.pop_back();
      if (signal < list_.inputs || seen_[signal]) continue;
      seen_[signal] = true;
      ++number;
      for (const ListSignal each : operands_of_list(list_.gates[signal - list_.inputs]))
        open_.push_back(each);
    }
    return number;
  }

  // The values of the inputs for which an output depends on the gate, and the signals that depend on it.
  void find_where_it_matters(std::size_t gate) {
    depends_.assign(signals(), false);
    depends_[list_.inputs + gate] = true;
    changed_ = tables_;
    work_ += signals() * (words_ * 8 + 64);
    for (std::uint64_t& word : changed_[list_.inputs + gate]) word = ~word;
    for (std::size_t g = gate + 1; g < list_.gates.size(); ++g) {
      for (const ListSignal each : operands_of_list(list_.gates[g]))
        if (depends_[each]) depends_[list_.inputs + g] = true;
      if (depends_[list_.inputs + g]) compute(g, changed_);
    }
    matters_.assign(words_, 0);
    for (const ListSignal output : list_.outputs) {
      for (std::size_t w = 0; w < words_; ++w) matters_[w] |= changed_[output][w] ^ tables_[output][w];
    }
  }

  static bool bit(const SignalValues& table, std::size_t n) { return (table[n / 64] >> n % 64 & 1) != 0; }

  // False if the gate is the same wherever it matters.
  bool draw_sample(std::size_t gate) {
    std::array<std::size_t, sample_ones + sample_zeros> sample;
    std::size_t ones = 0, zeros = 0;
    for (std::size_t i = 0; i < sample_draws && (ones < sample_ones || zeros < sample_zeros); ++i) {
      const std::size_t n = random_() % (64 * words_);
      if (!bit(matters_, n)) continue;
      if (bit(tables_[list_.inputs + gate], n)) {
        if (ones < sample_ones) sample[ones++] = n;
      } else if (zeros < sample_zeros) {
        sample[sample_ones + zeros++] = n;
      }
    }
    ones_ = ones == 0 ? 0 : ~std::uint64_t{0} >> (64 - ones);
    zeros_ = zeros == 0 ? 0 : ~std::uint64_t{0} >> (64 - zeros) << sample_ones;
    candidates_.clear();
    for (std::size_t signal = 0; signal < signals(); ++signal)
      if (!depends_[signal]) candidates_.push_back(static_cast<ListSignal>(signal));
    std::shuffle(candidates_.begin(), candidates_.end(), random_);
    samples_.clear();
    for (const ListSignal signal : candidates_) {
      std::uint64_t values = 0;
      for (std::size_t i = 0; i < ones; ++i) values |= std::uint64_t{bit(tables_[signal], sample[i])} << i;
      for (std::size_t i = sample_ones; i < sample_ones + zeros; ++i)
        values |= std::uint64_t{bit(tables_[signal], sample[i])} << i;
      samples_.push_back(values);
    }
    return ones_ != 0 && zeros_ != 0;
  }

  bool is_mixed(std::uint64_t part) const { return (part & ones_) != 0 && (part & zeros_) != 0; }

  // Gates of other signals that agree with the gate where it matters, but the gate itself.
  std::vector<CellNetwork::Gate> replacements(std::size_t gate) {
    std::vector<CellNetwork::Gate> found;
    ListOperands old = operands_of_list(list_.gates[gate]);
    std::sort(old.begin(), old.end());
    const std::size_t number = candidates_.size();
    for (std::size_t i = 0; i < number; ++i) {
      for (std::size_t j = i + 1; j < number; ++j) {
        std::array<std::uint64_t, 4> mixed;
        std::size_t mixed_parts = 0;
        for (const std::uint64_t a : {samples_[i], ~samples_[i]}) {
          for (const std::uint64_t b : {samples_[j], ~samples_[j]})
            if (is_mixed(a & b)) mixed[mixed_parts++] = a & b;
        }
        work_ += number - j;
        for (std::size_t k = j + 1; k < number; ++k) {
          bool fits = true;
          for (std::size_t part = 0; part < mixed_parts && fits; ++part)
            fits = !is_mixed(mixed[part] & samples_[k]) && !is_mixed(mixed[part] & ~samples_[k]);
          if (!fits) continue;
          ListOperands inputs = {candidates_[i], candidates_[j], candidates_[k]};
          std::sort(inputs.begin(), inputs.end());
          if (inputs == old) continue;
          add_if_equal(gate, inputs, found);
          if (found.size() == max_replacements) return found;
        }
      }
    }
    return found;
  }

  void add_if_equal(std::size_t gate, const ListOperands& inputs, std::vector<CellNetwork::Gate>& found) {
    const SignalValues &a = tables_[inputs[0]], &b = tables_[inputs[1]], &c = tables_[inputs[2]];
    const SignalValues& values = tables_[list_.inputs + gate];
    unsigned ones = 0, zeros = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      for (unsigned i = 0; i < 8; ++i) {
        const std::uint64_t here = values_of_gate(1u << i, a[w], b[w], c[w]) & matters_[w];
        ones |= (here & values[w]) != 0 ? 1u << i : 0;
        zeros |= (here & ~values[w]) != 0 ? 1u << i : 0;
      }
      work_ += 8;
      if ((ones & zeros) != 0) return;
    }
    found.push_back({inputs[0], inputs[1], inputs[2], static_cast<std::uint8_t>(ones)});
  }

  GateList list_;
  std::size_t words_;
  std::vector<SignalValues> tables_, changed_;
  SignalValues matters_;
  std::vector<bool> depends_, seen_;
  std::vector<ListSignal> open_, candidates_;
  std::uint64_t ones_ = 0, zeros_ = 0;  // of the samples
  std::vector<std::uint64_t> samples_;  // of the candidates
  std::uint64_t work_ = 0;
  std::minstd_rand random_{1};
};

// A signal of the new list, or its complement.
struct ListEdge {
  ListSignal signal;
  bool complemented;
};

// The list with gates that are 0 if the inputs are, and without copies of signals.
GateList with_zeros(const GateList& list) {
  GateList result = {list.inputs, {}, {}};
  std::vector<ListEdge> edges;
  for (std::size_t i = 0; i < list.inputs; ++i) edges.push_back({static_cast<ListSignal>(i), false});
  const auto next_signal = [&] { return static_cast<ListSignal>(result.inputs + result.gates.size()); };
  for (const CellNetwork::Gate& gate : list.gates) {
    const std::array<ListEdge, 3> from = {edges[gate.a], edges[gate.b], edges[gate.c]};
    std::uint8_t table = gate.table;
    for (unsigned k = 0; k < 3; ++k)
      if (from[k].complemented) table = with_complemented(table, 4u >> k);
    const bool complemented = (table & 1) != 0;
    if (complemented) table = static_cast<std::uint8_t>(~table);
    const unsigned looks_at = operands_of(table);
    if (std::popcount(looks_at) == 1) {
      edges.push_back({from[looks_at == 4 ? 0 : looks_at == 2 ? 1 : 2].signal, complemented});
    } else {
      edges.push_back({next_signal(), complemented});
      result.gates.push_back({from[0].signal, from[1].signal, from[2].signal, table});
    }
  }
  for (std::size_t i = 0; i < list.outputs.size(); ++i) {
    const ListEdge edge = edges[list.outputs[i]];
    constexpr std::uint8_t complement = 0x0F;
    const bool is_known = i > 0 && list.outputs[i] == list.outputs[i - 1];
    result.outputs.push_back(is_known            ? result.outputs.back()
                             : edge.complemented ? next_signal()
                                                 : edge.signal);
    if (edge.complemented && !is_known)
      result.gates.push_back({edge.signal, edge.signal, edge.signal, complement});
  }
  return result;
}

}  // namespace

GateList resubstituted(GateList list, std::uint64_t work) {
  constexpr std::size_t vain_attempts_a_gate = 100;
  Resubstitution search(std::move(list));
  std::size_t gates = search.list().gates.size(), vain = 0;
  while (search.work() < work && vain < vain_attempts_a_gate * gates) {
    search.attempt();
    const std::size_t left = search.list().gates.size();
    vain = left < gates ? 0 : vain + 1;
    gates = left;
  }
  return with_zeros(search.list());
}

}  // namespace moorea
