// SPDX-License-Identifier: MIT
// Which signals are still needed depends only on the set of gates done, so the best order is a shortest path
// over sets: at most 2^15 of them.
#include "logic/schedule.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace moorea {
namespace {

constexpr std::pair<char, std::uint8_t> operators[] = {{'&', 0x8}, {'|', 0xE}, {'^', 0x6}, {'-', 0x4}};

// Table of a gate of two operands, bit (a << 1 | b), as one that looks at operands a and b of three.
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

// The gate with its operands in another order: `from` says which of the old ones each new one is.
Gate reordered(const Gate& gate, const std::array<int, 3>& from) {
  const std::uint8_t old[] = {gate.a, gate.b, gate.c};
  Gate result = {old[from[0]], old[from[1]], old[from[2]], 0};
  for (unsigned i = 0; i < 8; ++i) {
    unsigned input = 0;
    for (int operand = 0; operand < 3; ++operand)
      input |= (i >> (2 - operand) & 1) << (2 - from[static_cast<std::size_t>(operand)]);
    result.table |= static_cast<std::uint8_t>((gate.table >> input & 1) << i);
  }
  return result;
}

class Ordering {
 public:
  explicit Ordering(const Network& network) : network_(network), inputs_(network.inputs()) {
    const std::size_t count = network.gates.size();
    users_.resize(inputs_ + count);
    survives_.resize(inputs_ + count);
    for (std::size_t signal = 0; signal < users_.size(); ++signal) {
      for (std::size_t g = 0; g < count; ++g) {
        if (uses(network.gates[g], signal)) users_[signal] |= 1u << g;
      }
    }
    const auto rows = static_cast<std::size_t>(network.rows);
    for (std::size_t signal = 2 * rows; signal < 2 * (rows + 2); ++signal) survives_[signal] = true;
    for (std::size_t row = 0; row < rows; ++row) survives_[network.outputs[row]] = true;
  }

  Schedule best() const {
    const std::size_t count = network_.gates.size();
    constexpr int never = std::numeric_limits<int>::max();
    std::vector<int> copies(std::size_t{1} << count, never);
    std::vector<std::uint8_t> last(copies.size());
    copies[0] = 0;
    for (std::uint32_t done = 0; done < copies.size(); ++done) {
      if (copies[done] == never) continue;
      for (std::size_t g = 0; g < count; ++g) {
        if ((done >> g & 1) || !ready(g, done)) continue;
        const std::uint32_t next = done | 1u << g;
        const int cost = copies[done] + (needs_copy(g, next) ? 1 : 0);
        if (cost >= copies[next]) continue;
        copies[next] = cost;
        last[next] = static_cast<std::uint8_t>(g);
      }
    }
    std::vector<std::size_t> order;
    for (std::uint32_t done = static_cast<std::uint32_t>(copies.size() - 1); done != 0;
         done ^= 1u << order.back())
      order.push_back(last[done]);
    std::reverse(order.begin(), order.end());
    Schedule schedule = in_order(order);
    schedule.copies = copies.back();
    return schedule;
  }

 private:
  bool dies(std::size_t signal, std::uint32_t done) const {
    return !survives_[signal] && (users_[signal] & ~done) == 0;
  }

  bool ready(std::size_t g, std::uint32_t done) const {
    const Gate& gate = network_.gates[g];
    return std::all_of(&gate.a, &gate.a + 3, [&](std::uint8_t signal) {
      return signal < inputs_ || !uses(gate, signal) || (done >> (signal - inputs_) & 1);
    });
  }

  // `done` includes the gate
  bool needs_copy(std::size_t g, std::uint32_t done) const {
    const Gate& gate = network_.gates[g];
    if (two_operands(gate).what != 0 || operands_of(gate.table) == 0) return false;
    return !dies(gate.a, done) && !dies(gate.b, done) && !dies(gate.c, done);
  }

  Schedule in_order(const std::vector<std::size_t>& order) const {
    Schedule schedule;
    schedule.network.rows = network_.rows;
    std::vector<std::uint8_t> number(users_.size());
    for (std::size_t i = 0; i < inputs_; ++i) number[i] = static_cast<std::uint8_t>(i);
    std::uint32_t done = 0;
    for (const std::size_t g : order) {
      done |= 1u << g;
      Gate gate = network_.gates[g];
      if (dies(gate.b, done) && !dies(gate.a, done)) gate = reordered(gate, {1, 0, 2});
      if (dies(gate.c, done) && !dies(gate.a, done)) gate = reordered(gate, {2, 0, 1});
      schedule.copied.push_back(needs_copy(g, done));
      number[inputs_ + g] = static_cast<std::uint8_t>(inputs_ + schedule.network.gates.size());
      schedule.network.gates.push_back({number[gate.a], number[gate.b], number[gate.c], gate.table});
    }
    for (std::size_t row = 0; row < static_cast<std::size_t>(network_.rows); ++row)
      schedule.network.outputs[row] = number[network_.outputs[row]];
    return schedule;
  }

  const Network& network_;
  std::size_t inputs_;
  std::vector<std::uint32_t> users_;  // of each signal, as a set of gates
  std::vector<bool> survives_;
};

// The gates that are one operation on what `what` makes of x and y and on a third operand, done that way; the
// operation itself comes before the first of them. Less than two: nothing to share.
bool share(Network& network, std::uint8_t x, std::uint8_t y, std::uint8_t what) {
  const auto inputs = static_cast<std::uint8_t>(network.inputs());
  std::vector<std::pair<std::size_t, Gate>> rewritten;  // the signal `first` stands for the shared operation
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
          // Operand a stands for the shared operation in every case
          const std::uint8_t wanted =
              swapped ? static_cast<std::uint8_t>((table & 9) | (table & 2) << 1 | (table & 4) >> 1) : table;
          if (rewritten.empty() || rewritten.back().first != g)
            rewritten.push_back({g, {0, turned.c, turned.c, widened(wanted)}});
        }
      }
    }
  }
  if (rewritten.size() < 2) return false;
  const std::size_t at = rewritten.front().first;
  const auto shared = static_cast<std::uint8_t>(inputs + at);
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
  unsigned table = 0;  // bit (a << 1 | b)
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
  Schedule best = Ordering(network).best();
  const auto slots = [](const Schedule& schedule) {
    return schedule.network.gates.size() + static_cast<std::size_t>(schedule.copies);
  };
  const std::size_t signals = network.inputs() + network.gates.size();
  for (std::uint8_t x = 0; x < signals; ++x) {
    for (std::uint8_t y = 0; y < signals; ++y) {
      for (const auto& [name, what] : operators) {
        if (x == y || (x > y && name != '-')) continue;
        Network sharing = network;
        if (!share(sharing, x, y, what)) continue;
        const Schedule candidate = Ordering(sharing).best();
        if (slots(candidate) < slots(best)) best = candidate;
      }
    }
  }
  return best;
}

}  // namespace moorea
