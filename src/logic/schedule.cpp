// SPDX-License-Identifier: MIT
// The set of live signals depends only on the set of computed gates, so the best order is a shortest path
// over such sets.
#include "logic/schedule.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace moorea {
namespace {

constexpr std::size_t max_gates = 32;  // bits of a gate set

constexpr std::pair<char, std::uint8_t> operators[] = {{'&', 0x8}, {'|', 0xE}, {'^', 0x6}, {'-', 0x4}};

// Extends the table of a two-operand gate, bit (a << 1 | b), to three operands of which it depends on a and
// b.
std::uint8_t widened(std::uint8_t table) {
  unsigned wide = 0;
  for (unsigned i = 0; i < 8; ++i) wide |= (table >> (i >> 1) & 1u) << i;
  return static_cast<std::uint8_t>(wide);
}

bool uses(const Gate& gate, std::size_t signal) {
  const unsigned operands = operands_of(gate.table);
  return ((operands & 4) && gate.a == signal) || ((operands & 2) && gate.b == signal) ||
         ((operands & 1) && gate.c == signal);
}

// Gate with its operands permuted: new operand i is old operand from[i].
Gate reordered(const Gate& gate, const std::array<int, 3>& from) {
  const std::uint8_t old[] = {gate.a, gate.b, gate.c};
  Gate result = {old[from[0]], old[from[1]], old[from[2]], 0};
  for (unsigned i = 0; i < 8; ++i) {
    unsigned input = 0;
    for (int operand = 0; operand < 3; ++operand) input |= (i >> (2 - operand) & 1) << (2 - from[operand]);
    result.table |= static_cast<std::uint8_t>((gate.table >> input & 1) << i);
  }
  return result;
}

class Ordering {
 public:
  explicit Ordering(const Network& network) : network_(network) {
    const std::size_t count = network.gates.size();
    users_.resize(network_inputs + count);
    survives_.resize(network_inputs + count);
    for (std::size_t signal = 0; signal < users_.size(); ++signal) {
      for (std::size_t g = 0; g < count; ++g) {
        if (uses(network.gates[g], signal)) users_[signal] |= 1u << g;
      }
    }
    for (std::size_t signal = 4; signal < 8; ++signal) survives_[signal] = true;
    for (const std::uint8_t output : network.outputs) survives_[output] = true;
  }

  Schedule best(std::size_t width) const {
    // Beam search: the best partial orders per set of computed gates, by the number of gates
    std::map<std::uint32_t, PartialOrder> level = {{0, {}}};
    for (std::size_t step = 0; step < network_.gates.size(); ++step) {
      std::map<std::uint32_t, PartialOrder> next;
      for (const auto& [done, partial] : level) {
        for (std::uint8_t g = 0; g < network_.gates.size(); ++g) {
          if ((done >> g & 1) || !ready(g, done)) continue;
          const std::uint32_t with = done | 1u << g;
          const int copies = partial.copies + (needs_copy(g, with) ? 1 : 0);
          const auto [at, is_new] = next.try_emplace(with);
          if (!is_new && at->second.copies <= copies) continue;
          at->second = partial;
          at->second.copies = copies;
          at->second.order.push_back(g);
        }
      }
      while (next.size() > width) {
        next.erase(std::max_element(next.begin(), next.end(), [](const auto& a, const auto& b) {
          return a.second.copies < b.second.copies;
        }));
      }
      level = std::move(next);
    }
    const PartialOrder& partial = level.begin()->second;
    Schedule schedule = in_order(partial.order);
    schedule.copies = partial.copies;
    return schedule;
  }

 private:
  struct PartialOrder {
    int copies = 0;
    std::vector<std::uint8_t> order;
  };

  bool dies(std::size_t signal, std::uint32_t done) const {
    return !survives_[signal] && (users_[signal] & ~done) == 0;
  }

  bool ready(std::size_t g, std::uint32_t done) const {
    const Gate& gate = network_.gates[g];
    return std::all_of(&gate.a, &gate.a + 3, [&](std::uint8_t signal) {
      return signal < network_inputs || !uses(gate, signal) || (done >> (signal - network_inputs) & 1);
    });
  }

  // `done` includes the gate
  bool needs_copy(std::size_t g, std::uint32_t done) const {
    const Gate& gate = network_.gates[g];
    if (two_operands(gate).what != 0 || operands_of(gate.table) == 0) return false;
    return !dies(gate.a, done) && !dies(gate.b, done) && !dies(gate.c, done);
  }

  Schedule in_order(const std::vector<std::uint8_t>& order) const {
    Schedule schedule;
    std::vector<std::uint8_t> number(users_.size());
    for (std::size_t i = 0; i < network_inputs; ++i) number[i] = static_cast<std::uint8_t>(i);
    std::uint32_t done = 0;
    for (const std::uint8_t g : order) {
      done |= 1u << g;
      Gate gate = network_.gates[g];
      if (dies(gate.b, done) && !dies(gate.a, done)) gate = reordered(gate, {1, 0, 2});
      if (dies(gate.c, done) && !dies(gate.a, done)) gate = reordered(gate, {2, 0, 1});
      schedule.copied.push_back(needs_copy(g, done));
      number[network_inputs + g] = static_cast<std::uint8_t>(network_inputs + schedule.network.gates.size());
      schedule.network.gates.push_back({number[gate.a], number[gate.b], number[gate.c], gate.table});
    }
    for (std::size_t row = 0; row < 2; ++row) schedule.network.outputs[row] = number[network_.outputs[row]];
    return schedule;
  }

  const Network& network_;
  std::vector<std::uint32_t> users_;  // of each signal, as a set of gates
  std::vector<bool> survives_;
};

// Estimated cycles for two rows, including their sums, which take five two-input operations and two
// three-input ones per word if two adjacent columns are computed together.
double time_of(const Network& network, int copies) {
  double two = 3, three = 2;
  for (const Gate& gate : network.gates) (two_operands(gate).what != 0 ? two : three) += 1;
  const double all = two + three + copies;
  return std::max(three / 2, all / 4) + all / 100;
}

// Complements every gate that is not an output and is 1 if its operands are 0, so that all of them are 0
// there, as two-input operations are.
Network polarised(Network network) {
  std::vector<bool> complemented(network_inputs + network.gates.size());
  for (std::size_t g = 0; g < network.gates.size(); ++g) {
    Gate& gate = network.gates[g];
    gate.table = with_complemented(
        gate.table,
        static_cast<unsigned>(complemented[gate.a] << 2 | complemented[gate.b] << 1 | complemented[gate.c]));
    const std::size_t signal = network_inputs + g;
    if ((gate.table & 1) == 0 || signal == network.outputs[0] || signal == network.outputs[1]) continue;
    gate.table = static_cast<std::uint8_t>(~gate.table);
    complemented[signal] = true;
  }
  return network;
}

// Replaces the gates that are one operation on `what`(x, y) and a third operand; the shared operation is
// inserted before the first of them. Returns false if there are none.
bool share(Network& network, std::uint8_t x, std::uint8_t y, std::uint8_t what) {
  std::vector<std::pair<std::size_t, Gate>> rewritten;  // signal `first` is the shared operation
  for (std::size_t g = 0; g < network.gates.size(); ++g) {
    const Gate& gate = network.gates[g];
    if (operands_of(gate.table) != 7) continue;
    for (const std::array<int, 3>& order :
         {std::array{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}}) {
      const Gate turned = reordered(gate, order);
      if (turned.a != x || turned.b != y) continue;
      for (const auto& [name, table] : operators) {
        for (const bool swapped : {false, true}) {
          std::uint8_t whole = 0;
          for (unsigned i = 0; i < 8; ++i) {
            const unsigned shared = what >> (i >> 1) & 1u, third = i & 1;
            const unsigned input = swapped ? third << 1 | shared : shared << 1 | third;
            whole |= static_cast<std::uint8_t>((table >> input & 1) << i);
          }
          if (whole != turned.table) continue;
          // Operand a is the shared operation in every case
          const std::uint8_t wanted =
              swapped ? static_cast<std::uint8_t>((table & 9) | (table & 2) << 1 | (table & 4) >> 1) : table;
          if (rewritten.empty() || rewritten.back().first != g)
            rewritten.push_back({g, {0, turned.c, turned.c, widened(wanted)}});
        }
      }
    }
  }
  if (rewritten.empty()) return false;
  const std::size_t at = rewritten.front().first;
  const auto shared = static_cast<std::uint8_t>(network_inputs + at);
  const auto moved = [&](std::uint8_t signal) {
    return static_cast<std::uint8_t>(signal + (signal >= shared ? 1 : 0));
  };
  for (const auto& [g, gate] : rewritten) network.gates[g] = gate;
  for (std::size_t g = 0; g < network.gates.size(); ++g) {
    Gate& gate = network.gates[g];
    const bool is_rewritten =
        std::any_of(rewritten.begin(), rewritten.end(), [&](const auto& one) { return one.first == g; });
    gate = {is_rewritten ? shared : moved(gate.a), moved(gate.b), moved(gate.c), gate.table};
  }
  network.gates.insert(network.gates.begin() + static_cast<std::ptrdiff_t>(at), {x, y, y, widened(what)});
  for (std::uint8_t& output : network.outputs) output = moved(output);
  return true;
}

}  // namespace

TwoOperands two_operands(const Gate& gate) {
  const unsigned operands = operands_of(gate.table);
  TwoOperands result;
  unsigned table = 0;  // indexed by a << 1 | b
  if (operands == 6) {
    result = {0, gate.a, gate.b};
    for (unsigned i = 0; i < 4; ++i) table |= (gate.table >> (i << 1) & 1u) << i;
  } else if (operands == 5) {
    result = {0, gate.a, gate.c};
    for (unsigned i = 0; i < 4; ++i) table |= (gate.table >> ((i & 2) << 1 | (i & 1)) & 1u) << i;
  } else if (operands == 3) {
    result = {0, gate.b, gate.c};
    for (unsigned i = 0; i < 4; ++i) table |= (gate.table >> i & 1u) << i;
  }
  for (const auto& [what, sought] : operators) {
    if (table == sought) result.what = what;
  }
  if (table == 0x2) result = {'-', result.b, result.a};
  return result;
}

Schedule scheduled(const Network& network) {
  // Wide enough to be exact for about twelve gates; a narrow beam estimates the gain of sharing well enough
  constexpr std::size_t wide = 1000, narrow = 4;
  Network best = polarised(network);
  double best_time = time_of(best, Ordering(best).best(narrow).copies);
  for (bool better = true; better && best.gates.size() < max_gates;) {
    better = false;
    const std::size_t signals = network_inputs + best.gates.size();
    Network faster;
    for (std::uint8_t x = 0; x < signals; ++x) {
      for (std::uint8_t y = 0; y < signals; ++y) {
        const auto reads_both = [&](const Gate& gate) { return uses(gate, x) && uses(gate, y); };
        if (x == y || std::none_of(best.gates.begin(), best.gates.end(), reads_both)) continue;
        for (const auto& [name, what] : operators) {
          if (x > y && name != '-') continue;
          Network sharing = best;
          if (!share(sharing, x, y, what) || time_of(sharing, 0) >= best_time) continue;
          const double time = time_of(sharing, Ordering(sharing).best(narrow).copies);
          if (time >= best_time) continue;
          best_time = time;
          faster = sharing;
          better = true;
        }
      }
    }
    if (better) best = faster;
  }
  return Ordering(best).best(wide);
}

Schedule schedule_for(const Rule& rule) {
  // The network with the fewest gates is not always the fastest
  constexpr std::size_t max_networks = 12;
  Schedule fastest;
  double best_time = std::numeric_limits<double>::infinity();
  for (const Network& network : networks_for(rule, max_networks)) {
    Schedule schedule = scheduled(network);
    const double time = time_of(schedule.network, schedule.copies);
    if (time >= best_time) continue;
    best_time = time;
    fastest = std::move(schedule);
  }
  return fastest;
}

}  // namespace moorea
