// SPDX-License-Identifier: MIT
// A gate is a function of three operands, a table of eight bits, and so is every operation on them: an
// exhaustive search finds the fewest operations from the available tables to the wanted one, first with one
// operation, then with two, and so on; four always suffice. If several sequences are equally short, the one
// that leaves operations which a later gate can reuse is found by trying a number of choices.
#include "logic/two_input.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "model/process_cache.h"

namespace moorea {
namespace {

constexpr std::size_t max_circuits = 256;  // of rules, that are kept

using Table = std::uint8_t;

// An operation on functions, by their indices in a list that begins with the available functions.
struct Step {
  Operator what;
  std::size_t a, b;
};
using Sequence = std::vector<Step>;

constexpr std::size_t max_sequences = 64;

Table apply(Operator what, Table a, Table b) {
  switch (what) {
    case Operator::conjunction:
      return a & b;
    case Operator::disjunction:
      return a | b;
    case Operator::exclusive:
      return a ^ b;
    case Operator::and_not:
      return static_cast<Table>(a & ~b);
    case Operator::complement:
      return static_cast<Table>(~a);
  }
  return 0;
}

// Finds sequences that compute `wanted` with exactly `count` more operations, up to max_sequences. A sequence
// that leaves a function unused is longer than necessary, so the last operation must use the function
// computed before it.
class SequenceSearch {
 public:
  SequenceSearch(std::vector<Table> at_hand, Table wanted)
      : functions_(std::move(at_hand)), wanted_(wanted) {}

  std::vector<Sequence> shortest() {
    for (std::size_t count = 1; sequences_.empty(); ++count) extend(count);
    return std::move(sequences_);
  }

 private:
  void extend(std::size_t count) {
    const std::size_t known = functions_.size(), last = known - 1;
    const bool finishes = count == 1;
    for (std::size_t a = 0; a < known; ++a) {
      for (std::size_t b = finishes && !sequence_.empty() && a != last ? last : 0; b < known; ++b) {
        for (const Operator what :
             {Operator::conjunction, Operator::disjunction, Operator::exclusive, Operator::and_not}) {
          if (a == b || (a > b && what != Operator::and_not)) continue;
          const Table made = apply(what, functions_[a], functions_[b]);
          if (finishes ? made != wanted_
                       : std::find(functions_.begin(), functions_.end(), made) != functions_.end())
            continue;
          sequence_.push_back({what, a, b});
          if (finishes) {
            sequences_.push_back(sequence_);
          } else {
            functions_.push_back(made);
            extend(count - 1);
            functions_.pop_back();
          }
          sequence_.pop_back();
          if (sequences_.size() == max_sequences) return;
        }
      }
    }
  }

  std::vector<Table> functions_;
  Table wanted_;
  Sequence sequence_;
  std::vector<Sequence> sequences_;
};

// Cache of search results, which do not depend on the random choices. Key: the available tables, then the
// wanted one.
using SequenceCache = std::map<std::string, std::vector<Sequence>>;

class Lowering {
 public:
  Lowering(const Network& network, SequenceCache& sequences, unsigned choice)
      : sequences_(sequences), random_(choice) {
    for (std::size_t i = 0; i < network_inputs; ++i)
      signals_.push_back({static_cast<std::uint8_t>(i), false});
    for (const Gate& gate : network.gates) signals_.push_back(lower(gate));
    for (std::size_t row = 0; row < 2; ++row) {
      const auto [number, complemented] = signals_[network.outputs[row]];
      circuit_.outputs[row] = complemented ? add({Operator::complement, number, number}) : number;
    }
  }

  Circuit circuit() const { return circuit_; }

 private:
  struct Signal {
    std::uint8_t number;
    bool complemented;
  };

  Signal lower(const Gate& gate) {
    const Signal operands[] = {signals_[gate.a], signals_[gate.b], signals_[gate.c]};
    Table wanted = with_complemented(
        gate.table, static_cast<unsigned>(operands[0].complemented << 2 | operands[1].complemented << 1 |
                                          operands[2].complemented));
    // If two operands are the same signal, the table only matters where they are equal
    const auto is_one = [&](std::size_t i, unsigned bit, std::size_t j, unsigned other) {
      if (operands[i].number != operands[j].number) return;
      Table merged = 0;
      for (unsigned input = 0; input < 8; ++input) {
        const unsigned same = (input & other) != 0 ? input | bit : input & ~bit;
        merged |= static_cast<Table>((wanted >> same & 1) << input);
      }
      wanted = merged;
    };
    is_one(2, 1, 0, 4), is_one(2, 1, 1, 2), is_one(1, 2, 0, 4);
    const bool complemented = (wanted & 1) != 0;
    if (complemented) wanted = static_cast<Table>(~wanted);
    if (wanted == 0)
      return {add({Operator::exclusive, operands[0].number, operands[0].number}), complemented};

    // Available signals that depend on the operands only
    std::vector<Table> tables;
    std::vector<std::uint8_t> numbers;
    std::map<std::uint8_t, Table> table_of;
    const auto at_hand = [&](std::uint8_t number, Table table) {
      if (!table_of.emplace(number, table).second) return;
      if (table == 0 || std::find(tables.begin(), tables.end(), table) != tables.end()) return;
      tables.push_back(table);
      numbers.push_back(number);
    };
    const unsigned looks_at = operands_of(wanted);
    if (looks_at & 4) at_hand(operands[0].number, 0xF0);
    if (looks_at & 2) at_hand(operands[1].number, 0xCC);
    if (looks_at & 1) at_hand(operands[2].number, 0xAA);
    for (std::size_t i = 0; i < circuit_.operations.size(); ++i) {
      const Operation& operation = circuit_.operations[i];
      const auto a = table_of.find(operation.a), b = table_of.find(operation.b);
      if (a == table_of.end() || b == table_of.end()) continue;
      at_hand(static_cast<std::uint8_t>(network_inputs + i), apply(operation.what, a->second, b->second));
    }
    const auto found = std::find(tables.begin(), tables.end(), wanted);
    if (found != tables.end()) return {numbers[found - tables.begin()], complemented};

    std::string key(tables.begin(), tables.end());
    key += static_cast<char>(wanted);
    std::vector<Sequence>& sequences = sequences_[key];
    if (sequences.empty()) sequences = SequenceSearch(tables, wanted).shortest();
    for (const Step& step : sequences[random_() % sequences.size()])
      numbers.push_back(add({step.what, numbers[step.a], numbers[step.b]}));
    return {numbers.back(), complemented};
  }

  std::uint8_t add(Operation operation) {
    if (operation.what != Operator::and_not && operation.a > operation.b) std::swap(operation.a, operation.b);
    const auto found = std::find(circuit_.operations.begin(), circuit_.operations.end(), operation);
    if (found != circuit_.operations.end())
      return static_cast<std::uint8_t>(network_inputs +
                                       static_cast<std::size_t>(found - circuit_.operations.begin()));
    circuit_.operations.push_back(operation);
    return static_cast<std::uint8_t>(network_inputs + circuit_.operations.size() - 1);
  }

  SequenceCache& sequences_;
  std::minstd_rand random_;
  Circuit circuit_;
  std::vector<Signal> signals_;
};

Circuit lowered(const Network& network, SequenceCache& sequences) {
  constexpr unsigned choices = 60;
  Circuit best;
  for (unsigned choice = 1; choice <= choices; ++choice) {
    const Circuit circuit = Lowering(network, sequences, choice).circuit();
    if (choice == 1 || circuit.operations.size() < best.operations.size()) best = circuit;
  }
  return best;
}

}  // namespace

Circuit lowered(const Network& network) {
  SequenceCache sequences;
  return lowered(network, sequences);
}

std::vector<Operation> operations_of(std::uint8_t table) {
  static ProcessCache<std::uint8_t, std::vector<Operation>> known(256);
  return *known.find_or_make(table, [&] {
    auto operations = std::make_shared<std::vector<Operation>>();
    const std::vector<Sequence> sequences = SequenceSearch({0xF0, 0xCC, 0xAA}, table).shortest();
    for (const Step& step : sequences.front())
      operations->push_back(
          {step.what, static_cast<std::uint8_t>(step.a), static_cast<std::uint8_t>(step.b)});
    return operations;
  });
}

namespace {

Circuit find_circuit(const Rule& rule) {
  // The network with the fewest gates does not always have the fewest operations
  constexpr std::size_t max_networks = 40;
  SequenceCache sequences;
  Circuit best;
  for (const Network& network : networks_for(rule, max_networks)) {
    const Circuit circuit = lowered(network, sequences);
    if (best.operations.empty() || circuit.operations_per_word() < best.operations_per_word()) best = circuit;
  }
  return best;
}

}  // namespace

Circuit circuit_for(const Rule& rule) {
  static ProcessCache<Rule, Circuit> known(max_circuits);
  return *known.find_or_make(rule, [&] { return std::make_shared<const Circuit>(find_circuit(rule)); });
}

}  // namespace moorea
