// SPDX-License-Identifier: MIT
// Modules for browsers, run by an interpreter of the few instructions that they have.
#include "moorea/web_assembly.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "moorea/cells.h"
#include "moorea/error.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

using WasmBytes = std::vector<std::uint8_t>;

class Reader {
 public:
  explicit Reader(const WasmBytes& bytes, std::size_t at = 0) : bytes_(bytes), at_(at) {}

  std::uint8_t byte() { return bytes_.at(at_++); }
  std::uint64_t size() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t part = byte();
      value |= std::uint64_t{part & 0x7Fu} << shift;
      if (part < 0x80) return value;
    }
  }
  std::int64_t integer() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const std::uint8_t part = byte();
      value |= std::uint64_t{part & 0x7Fu} << shift;
      shift += 7;
      if (part >= 0x80) continue;
      if ((part & 0x40) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(value);
    }
  }
  std::size_t at() const { return at_; }
  void skip(std::size_t count) { at_ += count; }
  void go_to(std::size_t at) { at_ = at; }

 private:
  const WasmBytes& bytes_;
  std::size_t at_;
};

// A module's functions by name, over one memory.
class Module {
 public:
  explicit Module(const WasmBytes& bytes) : bytes_(bytes) {
    const WasmBytes magic = {0, 'a', 's', 'm', 1, 0, 0, 0};
    if (!std::equal(magic.begin(), magic.end(), bytes.begin())) throw std::runtime_error("no module");
    Reader reader(bytes_, magic.size());
    while (reader.at() < bytes_.size()) {
      const std::uint8_t section = reader.byte();
      const std::size_t length = reader.size(), end = reader.at() + length;
      if (section == 7) {
        for (std::uint64_t left = reader.size(); left > 0; --left) {
          std::string name(reader.size(), ' ');
          for (char& letter : name) letter = static_cast<char>(reader.byte());
          const std::uint8_t kind = reader.byte();
          const std::uint64_t number = reader.size();
          if (kind == 0) functions_[name] = number;
        }
      } else if (section == 10) {
        for (std::uint64_t left = reader.size(); left > 0; --left) {
          const std::size_t body = reader.size();
          bodies_.push_back({reader.at(), reader.at() + body});
          reader.skip(body);
        }
      }
      if (section != 10) reader.go_to(end);
      EXPECT_EQ(reader.at(), end);
    }
  }

  std::vector<std::uint64_t> memory;

  std::uint64_t call(const std::string& name, std::vector<std::uint64_t> locals) {
    const auto [begin, end] = bodies_.at(functions_.at(name));
    Reader code(bytes_, begin);
    for (std::uint64_t runs = code.size(); runs > 0; --runs) {
      const std::uint64_t number = code.size();
      (void)code.byte();
      locals.resize(locals.size() + number);
    }
    struct Frame {
      bool is_loop;
      std::size_t begin;
    };
    std::vector<Frame> frames;
    std::vector<std::uint64_t> stack;
    const auto pop = [&] {
      const std::uint64_t value = stack.back();
      stack.pop_back();
      return value;
    };
    const auto both = [&](const auto& operation) {
      const std::uint64_t b = pop(), a = pop();
      stack.push_back(operation(a, b));
    };
    const auto numbers = [&](const auto& operation) {
      both([&](std::uint64_t a, std::uint64_t b) {
        return std::uint64_t{static_cast<std::uint32_t>(
            operation(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)))};
      });
    };
    // To the beginning of a loop, or after the end of a block
    const auto branch = [&](std::uint64_t depth) {
      frames.resize(frames.size() - depth);
      if (frames.back().is_loop) return code.go_to(frames.back().begin);
      code.go_to(ends_after(frames.back().begin));
      frames.pop_back();
    };
    while (code.at() < end) {
      switch (const std::uint8_t what = code.byte()) {
        case 0x02:
        case 0x03:
          (void)code.byte();
          frames.push_back({what == 0x03, code.at()});
          break;
        case 0x0B:
          if (!frames.empty()) frames.pop_back();
          break;
        case 0x0C:
          branch(code.size());
          break;
        case 0x0D: {
          const std::uint64_t depth = code.size();
          if (pop() != 0) branch(depth);
          break;
        }
        case 0x1B: {
          const bool first = pop() != 0;
          both([&](std::uint64_t a, std::uint64_t b) { return first ? a : b; });
          break;
        }
        case 0x20:
          stack.push_back(locals.at(code.size()));
          break;
        case 0x21:
          locals.at(code.size()) = pop();
          break;
        case 0x29: {
          (void)code.byte();
          const std::uint64_t offset = code.size();
          stack.push_back(memory.at((pop() + offset) / 8));
          break;
        }
        case 0x37: {
          (void)code.byte();
          (void)code.size();
          const std::uint64_t value = pop();
          memory.at(pop() / 8) = value;
          break;
        }
        case 0x41:
          stack.push_back(static_cast<std::uint32_t>(code.integer()));
          break;
        case 0x42:
          stack.push_back(static_cast<std::uint64_t>(code.integer()));
          break;
        case 0x45:
          stack.push_back(pop() == 0 ? 1 : 0);
          break;
        case 0x46:
          numbers([](auto a, auto b) { return a == b; });
          break;
        case 0x4A:
          numbers([](auto a, auto b) { return static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b); });
          break;
        case 0x6A:
          numbers([](auto a, auto b) { return a + b; });
          break;
        case 0x6C:
          numbers([](auto a, auto b) { return a * b; });
          break;
        case 0x7B:
          stack.push_back(static_cast<std::uint64_t>(std::popcount(pop())));
          break;
        case 0x83:
          both([](auto a, auto b) { return a & b; });
          break;
        case 0x84:
          both([](auto a, auto b) { return a | b; });
          break;
        case 0x85:
          both([](auto a, auto b) { return a ^ b; });
          break;
        case 0x86:
          both([](auto a, auto b) { return a << (b & 63); });
          break;
        case 0x88:
          both([](auto a, auto b) { return a >> (b & 63); });
          break;
        case 0xA7:
          stack.push_back(static_cast<std::uint32_t>(pop()));
          break;
        case 0xAD:
          break;
        default:
          throw std::runtime_error("instruction " + std::to_string(what));
      }
    }
    return stack.empty() ? 0 : stack.back();
  }

 private:
  // The place after the end of the block whose code begins at `at`.
  std::size_t ends_after(std::size_t at) const {
    Reader code(bytes_, at);
    for (int depth = 1; depth > 0;) {
      switch (code.byte()) {
        case 0x02:
        case 0x03:
          ++depth;
          (void)code.byte();
          break;
        case 0x0B:
          --depth;
          break;
        case 0x0C:
        case 0x0D:
        case 0x20:
        case 0x21:
          (void)code.size();
          break;
        case 0x29:
        case 0x37:
          (void)code.size();
          (void)code.size();
          break;
        case 0x41:
        case 0x42:
          (void)code.integer();
          break;
        default:
          break;
      }
    }
    return code.at();
  }

  struct Body {
    std::size_t begin, end;
  };
  const WasmBytes& bytes_;
  std::map<std::string, std::uint64_t> functions_;
  std::vector<Body> bodies_;
};

// A torus in the memory of a module, as make_web_assembly() describes it.
class WebTorus {
 public:
  WebTorus(const WasmBytes& bytes, const Cells& start)
      : module_(bytes), start_(start), words_((start.width() + 63) / 64) {
    module_.memory.resize(static_cast<std::size_t>(2 * field()));
    for (std::int64_t y = -1; y <= start.height(); ++y) {
      for (std::int64_t x = -1; x <= start.width(); ++x)
        set(x, y, start.state((x + start.width()) % start.width(), (y + start.height()) % start.height()));
    }
  }

  Cells next() {
    const std::int64_t last = start_.width() % 64;
    const std::uint64_t tail = last == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << last) - 1;
    const auto words = static_cast<std::uint64_t>(words_), rows = static_cast<std::uint64_t>(start_.height());
    (void)module_.call(
        "advance", {0, static_cast<std::uint64_t>(8 * field()), words, rows, tail & 0xFFFFFFFF, tail >> 32});
    population_ = module_.call("count", {static_cast<std::uint64_t>(8 * field()), words, rows});
    Cells cells(start_.width(), start_.height(), start_.states());
    for (std::int64_t y = 0; y < start_.height(); ++y) {
      for (std::int64_t x = 0; x < start_.width(); ++x) {
        int state = 0;
        for (int k = 0; k < start_.planes(); ++k)
          state |= static_cast<int>(word(x, y, k, field()) >> (x & 63) & 1) << k;
        cells.set(x, y, state);
      }
    }
    return cells;
  }

  std::uint64_t population() const { return population_; }

 private:
  std::int64_t row() const { return start_.planes() * (words_ + 2); }
  std::int64_t field() const { return row() * (start_.height() + 3); }
  std::uint64_t& word(std::int64_t x, std::int64_t y, int digit, std::int64_t at) {
    return module_.memory.at(
        static_cast<std::size_t>(at + (y + 1) * row() + digit * (words_ + 2) + 1 + (x >> 6)));
  }
  void set(std::int64_t x, std::int64_t y, int state) {
    for (int k = 0; k < start_.planes(); ++k)
      if ((state >> k & 1) != 0) word(x, y, k, 0) |= std::uint64_t{1} << (x & 63);
  }

  Module module_;
  Cells start_;
  std::int64_t words_;
  std::uint64_t population_ = 0;
};

TEST(WebAssembly, ModulesAreTheRule) {
  std::mt19937 random(31);
  std::vector<Rule> rules = {Rule(),
                             Rule::parse("B0/S8"),
                             Rule::parse("tlife"),
                             Rule::parse("B2/S34H"),
                             Rule::parse("WireWorld"),
                             Rule::parse("LifeHistory")};
  for (const int states : {2, 3, 4, 5, 7, 8, 9, 17, 256})
    rules.push_back(Rule(random() % 512, random() % 512).with_states(states));
  Rule::Table table{};
  for (std::uint64_t& part : table) part = std::uint64_t{random()} << 32 | random();
  rules.push_back(Rule(table));
  rules.push_back(Rule(table).with_states(6));
  for (const Rule& rule : rules) {
    const std::vector<std::uint8_t> module = make_web_assembly(rule);
    EXPECT_LT(module.size(), rule.is_life_like() ? 10000u : 60000u);
    for (const auto& [width, height] : {std::pair(1, 1), {64, 2}, {65, 3}, {130, 5}, {31, 8}}) {
      const Cells start = Cells::random(width, height, 0.5, random(), rule.states());
      Simulation simulation({rule, Topology::torus, width, height}, start);
      simulation.step(1);
      WebTorus torus(module, start);
      ASSERT_EQ(torus.next(), simulation.states(simulation.box()))
          << rule.str() << ", " << width << " x " << height;
      EXPECT_EQ(torus.population(), simulation.population()) << rule.str();
    }
  }
}

TEST(WebAssembly, OtherFamiliesAreRefused) {
  for (const char* rule : {"Bugs", "Critters"})
    EXPECT_THROW((void)make_web_assembly(Rule::parse(rule)), Error) << rule;
}

}  // namespace
}  // namespace moorea
