// SPDX-License-Identifier: MIT
// Whole numbers of any size: generations, populations and coordinates of unbounded worlds.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#pragma GCC visibility push(default)
namespace moorea {

/// A whole number, negative or not, without a limit of its size.
class BigInteger {
 public:
  BigInteger() = default;
  BigInteger(std::int64_t value);
  BigInteger(std::uint64_t value);
  /// Of any other type of integers.
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) BigInteger(Integer value)
      : BigInteger(
            static_cast<std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>>(value)) {}

  /// Largest number of binary digits that parse() accepts.
  static constexpr std::size_t max_parsed_bits = std::size_t{1} << 12;

  /// Reads decimal digits, with an optional "-", a power such as "2^60", or "1e30". Throws Error (usage) for
  /// another text or a number of more than max_parsed_bits binary digits.
  static BigInteger parse(std::string_view text);

  /// 2^exponent.
  static BigInteger power_of_two(std::size_t exponent);

  /// Decimal digits, after a "-" if the number is negative.
  std::string str() const;
  /// The nearest double; infinite if the number is too large for one.
  double approximate() const;
  /// The number, if it is within 0 to 2^64 - 1.
  std::optional<std::uint64_t> as_unsigned() const;
  /// The number, if it is within -2^63 to 2^63 - 1.
  std::optional<std::int64_t> as_signed() const;

  bool is_zero() const { return words_.empty(); }
  bool is_negative() const { return negative_; }
  /// Binary digits of the absolute value; 0 for 0.
  std::size_t bit_length() const;
  /// Digit i of the absolute value, of weight 2^i.
  bool bit(std::size_t i) const;
  /// The absolute value modulo 2^bits.
  BigInteger low_bits(std::size_t bits) const;

  BigInteger operator-() const;
  BigInteger& operator+=(const BigInteger& other);
  BigInteger& operator-=(const BigInteger& other) { return *this += -other; }
  /// Times 2^bits.
  BigInteger operator<<(std::size_t bits) const;
  /// The absolute value divided by 2^bits without the remainder, with the sign.
  BigInteger operator>>(std::size_t bits) const;

  friend BigInteger operator+(BigInteger a, const BigInteger& b) { return a += b; }
  friend BigInteger operator-(BigInteger a, const BigInteger& b) { return a -= b; }
  friend bool operator==(const BigInteger&, const BigInteger&) = default;
  std::strong_ordering operator<=>(const BigInteger& other) const;

 private:
  static BigInteger parse_magnitude(std::string_view digits, std::string_view text);
  void multiply_and_add(std::uint64_t factor, std::uint64_t summand);
  std::uint64_t divide_by(std::uint64_t divisor);
  void trim();

  std::vector<std::uint64_t> words_;  // of the absolute value, the lowest first; the last is not 0
  bool negative_ = false;
};

}  // namespace moorea
#pragma GCC visibility pop
