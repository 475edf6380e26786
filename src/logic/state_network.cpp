// SPDX-License-Identifier: MIT
#include "logic/state_network.h"

#include <algorithm>
#include <array>
#include <optional>

#include "logic/network.h"
#include "logic/state_diagram.h"
#include "logic/state_logic.h"
#include "model/process_cache.h"
#include "moorea/transitions.h"

namespace moorea {
namespace {

using StateGate = CellNetwork::Gate;

constexpr std::size_t max_state_gates = 900, max_kept_networks = 64;
constexpr int max_network_digits = 4;

// A signal, or its complement.
struct Literal {
  std::uint16_t signal = 0;
  bool complemented = false;
};

// A diagram's nodes are choices, of which some are gates of less than three inputs. Signals are kept as they
// are if all inputs are 0, complemented if that is 1.
class NetworkOfDiagram {
 public:
  NetworkOfDiagram(const BinaryDiagram& diagram, std::size_t inputs)
      : diagram_(diagram), inputs_(inputs), literals_(2 + diagram.nodes.size()) {
    for (std::size_t i = 0; i < diagram.nodes.size(); ++i) literals_[i + 2] = literal_of(diagram.nodes[i]);
    for (const std::int32_t output : diagram.outputs) outputs_.push_back(output_of(output));
    join_gates();
  }

  // Gates that outputs depend on, each after its operands and close to its first use.
  StateNetwork network(int digits) {
    StateNetwork result;
    result.digits = digits;
    std::vector<std::uint16_t> numbers(inputs_ + gates_.size(), 0);
    for (std::size_t i = 0; i < inputs_; ++i) numbers[i] = static_cast<std::uint16_t>(i);
    const auto append = [&](const auto& self, std::uint16_t signal) -> std::uint16_t {
      if (signal < inputs_ || numbers[signal] != 0) return numbers[signal];
      const StateGate& gate = gates_[signal - inputs_];
      const std::uint16_t a = self(self, gate.a), b = self(self, gate.b), c = self(self, gate.c);
      result.gates.push_back({a, b, c, gate.table});
      return numbers[signal] = static_cast<std::uint16_t>(inputs_ + result.gates.size() - 1);
    };
    for (const Literal& output : outputs_) {
      result.outputs.push_back(append(append, output.signal));
      result.complemented.push_back(output.complemented);
    }
    return result;
  }

 private:
  StateGate& gate(std::uint16_t signal) { return gates_[signal - inputs_]; }

  std::uint16_t add(const StateGate& made) {
    gates_.push_back(made);
    return static_cast<std::uint16_t>(inputs_ + gates_.size() - 1);
  }

  // A node that is a constant, or has a signal; constants are 0 or 1.
  struct Operand {
    std::optional<bool> constant;
    Literal literal;
    bool value(bool signal) const { return constant ? *constant : signal != literal.complemented; }
  };
  Operand operand(std::int32_t node) const {
    if (node < 2) return {node == 1, {}};
    return {std::nullopt, literals_[static_cast<std::size_t>(node)]};
  }

  Literal literal_of(const BinaryDiagram::Node& node) {
    const Operand low = operand(node.if_0), high = operand(node.if_1);
    const bool complemented = low.value(false);
    if (low.constant && high.constant) return {node.variable, complemented};
    const bool are_one = !low.constant && !high.constant && low.literal.signal == high.literal.signal;
    std::uint8_t table = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const bool a = (i & 4) != 0, b = (i & 2) != 0, c = are_one ? b : (i & 1) != 0;
      if ((a ? high.value(b) : low.value(c)) != complemented) table |= static_cast<std::uint8_t>(1u << i);
    }
    const std::uint16_t b = high.constant ? node.variable : high.literal.signal;
    const std::uint16_t c = low.constant || are_one ? node.variable : low.literal.signal;
    return {add({node.variable, b, c, table}), complemented};
  }

  // A digit that is always the same is a gate of any input.
  Literal output_of(std::int32_t node) {
    const Operand output = operand(node);
    return output.constant ? Literal{add({0, 0, 0, 0}), *output.constant} : output.literal;
  }

  // The operands that a gate depends on.
  static std::vector<std::uint16_t> used(const StateGate& gate) {
    std::vector<std::uint16_t> signals;
    const unsigned which = operands_of(gate.table);
    for (const auto& [bit, signal] : {std::pair(4u, gate.a), {2u, gate.b}, {1u, gate.c}})
      if ((which & bit) != 0 && std::ranges::find(signals, signal) == signals.end())
        signals.push_back(signal);
    return signals;
  }

  // Joins gates of together up to three inputs, if only one needs the other.
  void join_gates() {
    std::vector<int> uses(inputs_ + gates_.size(), 0);
    for (const StateGate& each : gates_)
      for (const std::uint16_t signal : used(each)) ++uses[signal];
    for (const Literal& output : outputs_) ++uses[output.signal];
    for (std::size_t i = 0; i < gates_.size(); ++i) {
      for (bool joined = true; joined;) {
        joined = false;
        const std::vector<std::uint16_t> operands = used(gates_[i]);
        for (const std::uint16_t inner : operands) {
          if (inner < inputs_ || uses[inner] != 1) continue;
          std::vector<std::uint16_t> all = used(gate(inner));
          for (const std::uint16_t signal : operands)
            if (signal != inner && std::ranges::find(all, signal) == all.end()) all.push_back(signal);
          if (all.size() > 3) continue;
          for (const std::uint16_t signal : all) {
            const auto inner_used = used(gate(inner));
            const bool both = std::ranges::find(inner_used, signal) != inner_used.end() &&
                              std::ranges::find(operands, signal) != operands.end();
            if (both) --uses[signal];
          }
          gates_[i] = joined_gate(gates_[i], inner, all);
          joined = true;
          break;
        }
      }
    }
  }

  StateGate joined_gate(const StateGate& outer, std::uint16_t inner, std::vector<std::uint16_t> signals) {
    while (signals.size() < 3) signals.push_back(signals.empty() ? 0 : signals.front());
    std::uint8_t table = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const auto value_of = [&](std::uint16_t signal) {
        const auto at = static_cast<unsigned>(std::ranges::find(signals, signal) - signals.begin());
        return at < 3 ? i >> (2 - at) & 1 : 0;
      };
      const auto output = [&](const StateGate& each, const auto& value) {
        return static_cast<unsigned>(each.table) >>
                   (value(each.a) << 2 | value(each.b) << 1 | value(each.c)) &
               1;
      };
      const unsigned inside = output(gate(inner), value_of);
      const unsigned value =
          output(outer, [&](std::uint16_t signal) { return signal == inner ? inside : value_of(signal); });
      table |= static_cast<std::uint8_t>(value << i);
    }
    return {signals[0], signals[1], signals[2], table};
  }

  const BinaryDiagram& diagram_;
  std::size_t inputs_;
  std::vector<Literal> literals_;
  std::vector<StateGate> gates_;
  std::vector<Literal> outputs_;
};

std::shared_ptr<const StateNetwork> make_network(const Rule& rule) {
  const int digits = state_digits(rule);
  if (digits > max_network_digits) return nullptr;
  const BinaryDiagram diagram = binary_diagram(rule.transitions()->tree(), digits, 2 * max_state_gates);
  if (diagram.outputs.empty()) return nullptr;
  const std::size_t inputs = 9 * static_cast<std::size_t>(digits);
  auto network = std::make_shared<const StateNetwork>(NetworkOfDiagram(diagram, inputs).network(digits));
  return network->gates.size() <= max_state_gates ? network : nullptr;
}

}  // namespace

std::shared_ptr<const StateNetwork> state_network(const Rule& rule) {
  if (rule.transitions() == nullptr) return nullptr;
  // A rule without a network has a pointer to nothing, so that it is not looked for again
  using Made = std::shared_ptr<const StateNetwork>;
  static ProcessCache<const Transitions*, Made> kept(max_kept_networks);
  return *kept.find_or_make(rule.transitions(),
                            [&] { return std::make_shared<const Made>(make_network(rule)); });
}

}  // namespace moorea
