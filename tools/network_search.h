// SPDX-License-Identifier: MIT
// The search of find_networks.
#pragma once

#include "network_signals.h"

namespace {

class Search {
 public:
  Search() : price_(all_rules, no_price), exchanged_(all_rules) {
    for (std::uint32_t rule = 0; rule < all_rules; ++rule) exchanged_[rule] = exchanged(rule);
  }

  // Keeps the family if the cost of at least `least` rules decreases.
  bool consider(const Family& family, std::size_t least) {
    const auto price = static_cast<std::uint8_t>(family.price());
    std::size_t gained = 0;
    for_each_rule(family, [&](std::uint32_t rule) { gained += price_[rule] > price; });
    if (gained < least) return false;
    for_each_rule(family, [&](std::uint32_t rule) { price_[rule] = std::min(price_[rule], price); });
    families_.push_back(family);
    return true;
  }

  void exhaust(const Start& start, std::size_t least) {
    Compressed values(start);
    const std::size_t n = start.signals.size();
    const int price = start.family.price() + 6;
    const auto consider_three = [&](const Gate& first, const Gate& second, std::size_t x, std::size_t y) {
      const std::vector<std::uint64_t>& s = values.signals;
      if (gain(groups_of(s[x], s[y], s[n + 1], values.places), price) >= least)
        consider(joined(start, {first, second, {number(x), number(y), number(n + 1), 0}}), 1);
    };
    values.signals.resize(n + 2);
    const std::vector<Gate> first = values.functions(n, n);
    for (std::size_t i = 0; i < first.size(); ++i) {
      values.signals[n] = values.value(first[i]);
      for (std::size_t j = i + 1; j < first.size(); ++j) {
        values.signals[n + 1] = values.value(first[j]);
        for (std::size_t x = 0; x < n; ++x) consider_three(first[i], first[j], x, n);
      }
      for (const Gate& second : values.functions(n + 1, n)) {
        if (second.c != n) continue;
        values.signals[n + 1] = values.value(second);
        for (std::size_t x = 0; x <= n; ++x) {
          for (std::size_t y = x + 1; y <= n; ++y) consider_three(first[i], second, x, y);
        }
      }
    }
  }

  // Searches, for one rule after another of higher cost, networks with `count` gates more than the start's.
  void aim(const Start& start, std::size_t count, std::size_t least, double seconds) {
    Compressed values(start);
    const int price = start.family.price() + static_cast<int>(2 * count);
    const Clock end(seconds);
    while (!end.over()) {
      const std::uint32_t rule = random_() % all_rules;
      if (price_[rule] <= price) continue;
      std::vector<Gate> gates;
      constexpr int attempts = 16;
      for (int attempt = 0; attempt < attempts; ++attempt) {
        if (!anneal(values, start.signals.size(), count, rule, gates)) continue;
        consider(joined(start, gates), least);
        break;
      }
    }
  }

  // Includes families found meanwhile.
  void close(std::size_t least, double seconds) {
    const Clock end(seconds);
    for (std::size_t f = 0; f < families_.size() && !end.over(); ++f) {
      for (std::size_t g = 0; g + 1 < families_[f].gates.size(); ++g) replace(families_[f], g, least);
    }
  }

  std::size_t left() const {
    return static_cast<std::size_t>(std::count(price_.begin(), price_.end(), no_price));
  }

  void report(const char* what) const {
    std::array<std::size_t, 256> rules{};
    for (const std::uint8_t price : price_) ++rules[price];
    std::fprintf(stderr, "%-12s families %zu, rules up to", what, families_.size());
    std::size_t sum = 0;
    for (std::size_t price = 0; price < rules.size(); ++price) {
      sum += rules[price];
      if (rules[price] != 0)
        std::fprintf(stderr, " %.1f: %.2f%%", static_cast<double>(price) / 2 + 2,
                     100.0 * static_cast<double>(sum) / all_rules);
    }
    std::fprintf(stderr, "\n");
  }

  // Prints the families that every rule needs for its minimum cost: lowest cost first, and at each cost the
  // one that serves the most rules first.
  void print() {
    std::vector<std::uint8_t> served(all_rules, 0);
    const auto gained = [&](const Family& family) {
      std::size_t gains = 0;
      for_each_rule(family, [&](std::uint32_t rule) {
        gains += served[rule] == 0 && price_[rule] == family.price();
        served[rule] |= 2;  // counted once
      });
      for_each_rule(family, [&](std::uint32_t rule) { served[rule] &= 1; });
      return gains;
    };
    std::stable_sort(families_.begin(), families_.end(),
                     [](const Family& a, const Family& b) { return a.price() < b.price(); });
    std::vector<Family> needed;
    for (std::size_t begin = 0; begin < families_.size();) {
      std::size_t end = begin;
      while (end < families_.size() && families_[end].price() == families_[begin].price()) ++end;
      // The gain of a family can only decrease: re-evaluate the largest until it stays the largest
      std::vector<std::pair<std::size_t, std::size_t>> heap;
      for (std::size_t f = begin; f < end; ++f) heap.emplace_back(gained(families_[f]), f);
      std::make_heap(heap.begin(), heap.end());
      while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end());
        const auto [before, f] = heap.back();
        heap.pop_back();
        const std::size_t now = gained(families_[f]);
        if (now == 0) continue;
        if (now < before) {
          heap.emplace_back(now, f);
          std::push_heap(heap.begin(), heap.end());
          continue;
        }
        for_each_rule(families_[f], [&](std::uint32_t rule) { served[rule] = 1; });
        needed.push_back(families_[f]);
      }
      begin = end;
    }
    print(needed);
  }

 private:
  class Clock {
   public:
    explicit Clock(double seconds)
        : end_(std::chrono::steady_clock::now() +
               std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                   std::chrono::duration<double>(seconds))) {}
    bool over() const { return std::chrono::steady_clock::now() >= end_; }

   private:
    std::chrono::steady_clock::time_point end_;
  };

  static std::uint8_t number(std::size_t signal) { return static_cast<std::uint8_t>(signal); }

  // Values of a start's signals that occur, in 64 bits; gates here refer to signals by index.
  struct Compressed {
    explicit Compressed(const Start& start) {
      Family family = start.family;
      family.gates.push_back({});
      const std::vector<Signal> full = signals_of(family, false);
      const auto full_places = places_of_bits(family.rows);
      for (std::size_t value = 0; value < 128; ++value) {
        std::size_t place = 0;
        for (std::size_t i = 0; i < start.signals.size(); ++i)
          place |= static_cast<std::size_t>(full[start.signals[i]][value]) << i;
        for (std::size_t bit = 0; bit < places.size(); ++bit) {
          if (full_places[bit][value]) places[bit] |= std::uint64_t{1} << place;
        }
      }
      for (const std::uint64_t place : places) possible |= place;
      for (std::size_t i = 0; i < start.signals.size(); ++i) {
        signals.push_back(0);
        for (std::size_t place = 0; place < 64; ++place)
          signals.back() |= std::uint64_t{place >> i & 1} << place;
      }
    }

    std::uint64_t value(const Gate& gate) const {
      return lut3(signals[gate.a], signals[gate.b], signals[gate.c], gate.table);
    }

    // Distinct functions, up to complement, of three of the first `count` signals, at least one of them
    // `must` or above.
    std::vector<Gate> functions(std::size_t count, std::size_t must) const {
      std::set<std::uint64_t> seen = {0};
      const auto key = [&](std::uint64_t value) { return std::min(value & possible, ~value & possible); };
      for (std::size_t i = 0; i < count; ++i) seen.insert(key(signals[i]));
      std::vector<Gate> found;
      for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b) {
          for (std::size_t c = b + 1; c < count; ++c) {
            if (count > must && c < must) continue;
            for (unsigned table = 1; table < 128; ++table) {
              const Gate gate = {number(a), number(b), number(c), number(table)};
              if (seen.insert(key(value(gate))).second) found.push_back(gate);
            }
          }
        }
      }
      return found;
    }

    std::vector<std::uint64_t> signals;
    std::array<std::uint64_t, bits_of_rule> places{};
    std::uint64_t possible = 0;
  };

  // The start's gates and additional ones, which refer to the start's signals by index, then to each other.
  static Family joined(const Start& start, const std::vector<Gate>& gates) {
    Family family = start.family;
    const std::size_t n = start.signals.size(), before = raw_inputs + start.family.gates.size();
    const auto signal = [&](std::size_t place) {
      return place < n ? start.signals[place] : number(before + place - n);
    };
    for (const Gate& gate : gates)
      family.gates.push_back({signal(gate.a), signal(gate.b), signal(gate.c), gate.table});
    return family;
  }

  template <class Visit>
  void for_each(const Groups& groups, Visit visit) const {
    std::uint32_t rule = 0;
    for (std::uint32_t i = 0; i < 1u << groups.size(); ++i) {
      if (i != 0) rule ^= groups[__builtin_ctz(i)];
      visit(rule);
      visit(exchanged_[rule]);
    }
  }

  // Rules may be visited twice.
  template <class Visit>
  void for_each_rule(const Family& family, Visit visit) const {
    const Gate& last = family.gates.back();
    for (const bool complemented : {false, true}) {
      const std::vector<Signal> s = signals_of(family, complemented);
      for_each(groups_of(s[last.a], s[last.b], s[last.c], places_[family.rows - 1]), visit);
    }
  }

  std::size_t gain(const Groups& groups, int price) const {
    std::size_t gained = 0;
    for_each(groups, [&](std::uint32_t rule) { gained += price_[rule] > price; });
    return gained;
  }

  void replace(Family family, std::size_t g, std::size_t least) {
    const std::size_t first = g < family.shared ? 2 : 0;  // gates shared by both rows read only their sums
    const Gate& last = family.gates.back();
    for (std::size_t a = first; a < raw_inputs + g; ++a) {
      for (std::size_t b = a + 1; b < raw_inputs + g; ++b) {
        for (std::size_t c = b + 1; c < raw_inputs + g; ++c) {
          if (g < family.shared && (a == 6 || b == 6 || c == 6)) continue;
          for (unsigned table = 1; table < 128; ++table) {
            family.gates[g] = {number(a), number(b), number(c), number(table)};
            const std::vector<Signal> s = signals_of(family, false);
            if (gain(groups_of(s[last.a], s[last.b], s[last.c], places_[family.rows - 1]), family.price()) >=
                least)
              consider(family, 1);
          }
        }
      }
    }
  }

  // Energy: number of neighbourhoods for which the best table of the last gate is wrong.
  bool anneal(Compressed& values, std::size_t n, std::size_t count, std::uint32_t rule,
              std::vector<Gate>& gates) {
    constexpr int steps = 60000;
    constexpr double hot = 0.55, cold = 0.2 * hot;
    std::uint64_t alive = 0;
    for (std::size_t bit = 0; bit < values.places.size(); ++bit) {
      if (rule >> bit & 1) alive |= values.places[bit];
    }
    const std::uint64_t dead = values.possible & ~alive;
    const auto wrong = [&](const std::vector<std::uint64_t>& s, const Gate& last) {
      int sum = 0;
      for (unsigned i = 0; i < 8; ++i) {
        const std::uint64_t cell = (i & 4 ? s[last.a] : ~s[last.a]) & (i & 2 ? s[last.b] : ~s[last.b]) &
                                   (i & 1 ? s[last.c] : ~s[last.c]);
        sum += std::min(__builtin_popcountll(cell & alive), __builtin_popcountll(cell & dead));
      }
      return sum;
    };
    const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random_() % limit); };
    const auto distinct = [](const Gate& gate) {
      return gate.a != gate.b && gate.a != gate.c && gate.b != gate.c;
    };
    gates.assign(count, {});
    for (std::size_t g = 0; g < count; ++g) {
      while (!distinct(gates[g]))
        gates[g] = {number(below(n + g)), number(below(n + g)), number(below(n + g)), number(below(256))};
    }
    std::vector<std::uint64_t> signals(values.signals.begin(),
                                       values.signals.begin() + static_cast<std::ptrdiff_t>(n));
    signals.resize(n + count - 1);
    const auto evaluate = [&](std::vector<std::uint64_t>& s, const std::vector<Gate>& all, std::size_t from) {
      for (std::size_t g = from; g + 1 < count; ++g)
        s[n + g] = lut3(s[all[g].a], s[all[g].b], s[all[g].c], all[g].table);
    };
    evaluate(signals, gates, 0);
    int energy = wrong(signals, gates.back());
    std::vector<Gate> changed = gates;
    std::vector<std::uint64_t> changed_signals = signals;
    for (int step = 0; step < steps && energy != 0; ++step) {
      const double temperature = hot + (cold - hot) * step / steps;
      const std::size_t g = below(count);
      changed[g] = gates[g];
      if (g + 1 < count && below(5) < 3) {
        changed[g].table = number(changed[g].table ^ 1u << below(8));
      } else {
        do {
          changed[g] = gates[g];
          const std::size_t which = below(3);
          (which == 0 ? changed[g].a : which == 1 ? changed[g].b : changed[g].c) = number(below(n + g));
        } while (!distinct(changed[g]));
      }
      changed_signals = signals;
      evaluate(changed_signals, changed, g);
      const int next = wrong(changed_signals, changed.back());
      constexpr double range = static_cast<double>(std::mt19937::max());
      if (next <= energy ||
          static_cast<double>(random_()) / range < std::exp((energy - next) / temperature)) {
        gates[g] = changed[g];
        signals = changed_signals;
        energy = next;
      } else {
        changed[g] = gates[g];
      }
    }
    return energy == 0;
  }

  static void print(std::vector<Family> families) {
    families_in_order(families);
    Family before;
    for (const Family& family : families) {
      std::size_t same = 0;
      if (family.rows == before.rows && family.shared == before.shared) {
        while (same + 1 < std::min(family.gates.size(), before.gates.size()) &&
               family.gates[same] == before.gates[same])
          ++same;
      }
      std::printf("\"%zu", same);
      if (same == 0) std::printf("%d%zu", family.rows, family.shared);
      for (std::size_t g = same; g < family.gates.size(); ++g) {
        const Gate& gate = family.gates[g];
        std::printf("%X%X%X%02X", gate.a, gate.b, gate.c, g + 1 == family.gates.size() ? 0u : gate.table);
      }
      std::printf("\",\n");
      before = family;
    }
  }

  // Sorts by cost, then by common prefixes.
  static void families_in_order(std::vector<Family>& families) {
    std::sort(families.begin(), families.end(), [](const Family& a, const Family& b) {
      if (a.price() != b.price()) return a.price() < b.price();
      if (a.rows != b.rows) return a.rows < b.rows;
      if (a.shared != b.shared) return a.shared < b.shared;
      return a.gates < b.gates;
    });
  }

  std::vector<std::uint8_t> price_;
  std::vector<std::uint32_t> exchanged_;
  std::array<std::array<Signal, bits_of_rule>, 2> places_ = {places_of_bits(1), places_of_bits(2)};
  std::vector<Family> families_;
  std::mt19937 random_{20261120};
};

}  // namespace
