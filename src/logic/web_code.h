// SPDX-License-Identifier: MIT
// Functions of a WebAssembly module in its binary format.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace moorea {

/// The code of a function of 32-bit parameters. Each operation puts its result into a local variable of its
/// own; the browser's compiler decides which of them are registers.
class WebCode {
 public:
  struct Word {
    int local = -1;  ///< of 64 bits
  };
  struct Number {
    int local = -1;  ///< of 32 bits
  };

  WebCode(int parameters, bool returns_number);

  Number parameter(int number) const { return {number}; }
  /// A number that is 0 at first.
  Number variable() { return {fresh(number_type)}; }
  /// The variable that the function returns.
  Number result() const { return {parameters_}; }

  Number number(int value);
  Number sum(Number a, Number b) { return numeric(add, a, b); }
  Number product(Number a, Number b) { return numeric(multiply, a, b); }
  void set(Number to, Number from);

  Word load(Number address, int offset);
  void store(Number address, Word word);
  Word conjunction(Word a, Word b) { return logical(and_words, a, b); }
  Word disjunction(Word a, Word b) { return logical(or_words, a, b); }
  Word exclusive(Word a, Word b) { return logical(xor_words, a, b); }
  Word complement(Word a) { return exclusive(a, ones()); }
  Word zero() { return constant(0); }
  Word ones() { return constant(-1); }
  Word shifted_up(Word a, int places) { return logical(shift_up, a, constant(places)); }
  Word shifted_down(Word a, int places) { return logical(shift_down, a, constant(places)); }
  Number population(Word a);

  /// All ones unless `left` is 1; then the word of the two halves.
  Word mask_of_last(Number left, Number low, Number high);

  /// A loop while `number` is positive, which decreases by `by` after each turn.
  template <class Body>
  void count_down(Number number, int by, const Body& body) {
    begin_loop(number);
    body();
    end_loop(number, by);
  }

  /// The function as an entry of the code section.
  std::vector<std::uint8_t> body() const;
  int parameters() const { return parameters_; }
  bool returns_number() const { return returns_number_; }

 private:
  static constexpr std::uint8_t number_type = 0x7F, word_type = 0x7E;
  static constexpr std::uint8_t add = 0x6A, multiply = 0x6C, and_words = 0x83, or_words = 0x84,
                                xor_words = 0x85, shift_up = 0x86, shift_down = 0x88;

  int fresh(std::uint8_t type);
  void get(int local);
  int keep(std::uint8_t type);
  Number numeric(std::uint8_t operation, Number a, Number b);
  Word logical(std::uint8_t operation, Word a, Word b);
  Word constant(std::int64_t value);
  void begin_loop(Number number);
  void end_loop(Number number, int by);

  const int parameters_;
  const bool returns_number_;
  std::vector<std::uint8_t> types_;  // of the local variables after the parameters
  std::vector<std::uint8_t> code_;
};

/// A module that exports its memory as `memory`, of one page at first, and functions by their names.
std::vector<std::uint8_t> web_module(const std::vector<std::pair<std::string_view, WebCode>>& functions);

}  // namespace moorea
