// SPDX-License-Identifier: MIT
// Sign and magnitude in words of 64 bits. Decimal digits cost a division of the whole number for each 18 of
// them: microseconds for the numbers of this program.
#include "moorea/big_integer.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "model/hash.h"
#include "moorea/error.h"

namespace moorea {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t decimal_chunk = 1'000'000'000'000'000'000;
constexpr std::size_t chunk_digits = 18;

std::strong_ordering compare_magnitudes(const Words& a, const Words& b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return std::lexicographical_compare_three_way(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

void add_magnitude(Words& to, const Words& other) {
  to.resize(std::max(to.size(), other.size()) + 1);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const uint128 sum = static_cast<uint128>(to[i]) + (i < other.size() ? other[i] : 0) + carry;
    to[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
}

// `to` minus `other`, which is not larger.
void subtract_magnitude(Words& to, const Words& other) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const uint128 taken = static_cast<uint128>(i < other.size() ? other[i] : 0) + borrow;
    borrow = to[i] < taken ? 1 : 0;
    to[i] -= static_cast<std::uint64_t>(taken);
  }
}

[[noreturn]] void refuse(std::string_view text) {
  throw Error(fmt::format("number \"{}\": expected decimal digits or a power such as 2^60", text),
              ErrorKind::usage);
}

[[noreturn]] void refuse_size(std::string_view text) {
  const std::string shown = text.size() > 40 ? std::string(text.substr(0, 40)) + "..." : std::string(text);
  throw Error(fmt::format("number \"{}\" has more than {} binary digits", shown, BigInteger::max_parsed_bits),
              ErrorKind::usage);
}

std::uint64_t parse_part(std::string_view digits, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) refuse(text);
  return value;
}

}  // namespace

BigInteger::BigInteger(std::uint64_t value) {
  if (value != 0) words_.push_back(value);
}

BigInteger::BigInteger(std::int64_t value)
    : BigInteger(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)) {
  negative_ = value < 0;
}

BigInteger BigInteger::power_of_two(std::size_t exponent) {
  BigInteger power;
  power.words_.resize(exponent / 64 + 1);
  power.words_.back() = std::uint64_t{1} << exponent % 64;
  return power;
}

BigInteger BigInteger::parse(std::string_view text) {
  const bool negative = text.starts_with('-');
  BigInteger number = parse_magnitude(text.substr(negative ? 1 : 0), text);
  number.negative_ = negative && !number.is_zero();
  return number;
}

// `text` is quoted by errors.
BigInteger BigInteger::parse_magnitude(std::string_view digits, std::string_view text) {
  BigInteger number;
  const auto multiply = [&](std::uint64_t base, std::string_view times) {
    const std::uint64_t exponent = parse_part(times, text);
    if (base > 1 && exponent > max_parsed_bits && !number.is_zero()) refuse_size(text);
    for (std::uint64_t i = 0; i < exponent && base != 1 && !number.is_zero(); ++i) {
      number.multiply_and_add(base, 0);
      if (number.bit_length() > max_parsed_bits) refuse_size(text);
    }
  };
  if (const std::size_t caret = digits.find('^'); caret != std::string_view::npos) {
    number = 1;
    multiply(parse_part(digits.substr(0, caret), text), digits.substr(caret + 1));
    return number;
  }
  if (const std::size_t e = digits.find_first_of("eE"); e != std::string_view::npos) {
    number = parse_magnitude(digits.substr(0, e), text);
    multiply(10, digits.substr(e + 1));
    return number;
  }
  if (digits.empty()) refuse(text);
  if (digits.size() > max_parsed_bits) refuse_size(text);
  for (std::size_t i = 0; i < digits.size(); i += chunk_digits) {
    const std::string_view part = digits.substr(i, chunk_digits);
    std::uint64_t factor = 1;
    for (std::size_t k = 0; k < part.size(); ++k) factor *= 10;
    number.multiply_and_add(factor, parse_part(part, text));
  }
  if (number.bit_length() > max_parsed_bits) refuse_size(text);
  return number;
}

std::string BigInteger::str() const {
  if (is_zero()) return "0";
  BigInteger rest = *this;
  std::vector<std::uint64_t> chunks;
  while (!rest.is_zero()) chunks.push_back(rest.divide_by(decimal_chunk));
  std::string text = fmt::format("{}{}", negative_ ? "-" : "", chunks.back());
  for (std::size_t i = chunks.size() - 1; i-- > 0;) text += fmt::format("{:018}", chunks[i]);
  return text;
}

double BigInteger::approximate() const {
  if (words_.empty()) return 0;
  // The highest 64 digits, of which the lowest stands for all below it: rounding needs no more
  const std::size_t below = std::max<std::size_t>(bit_length(), 64) - 64;
  std::uint64_t digits = (*this >> below).words_[0];
  if (!low_bits(below).is_zero()) digits |= 1;
  constexpr std::size_t infinite = std::numeric_limits<double>::max_exponent;
  const double value = std::ldexp(static_cast<double>(digits), static_cast<int>(std::min(below, infinite)));
  return negative_ ? -value : value;
}

std::optional<std::uint64_t> BigInteger::as_unsigned() const {
  if (negative_ || words_.size() > 1) return {};
  return words_.empty() ? 0 : words_[0];
}

std::optional<std::int64_t> BigInteger::as_signed() const {
  if (words_.size() > 1) return {};
  const std::uint64_t magnitude = words_.empty() ? 0 : words_[0];
  constexpr std::uint64_t limit = std::uint64_t{1} << 63;
  if (magnitude > limit || (magnitude == limit && !negative_)) return {};
  return static_cast<std::int64_t>(negative_ ? 0 - magnitude : magnitude);
}

std::size_t BigInteger::bit_length() const {
  return words_.empty() ? 0
                        : 64 * (words_.size() - 1) + static_cast<std::size_t>(std::bit_width(words_.back()));
}

bool BigInteger::bit(std::size_t i) const {
  return i / 64 < words_.size() && (words_[i / 64] >> i % 64 & 1) != 0;
}

BigInteger BigInteger::low_bits(std::size_t bits) const {
  BigInteger low = *this;
  low.negative_ = false;
  if (bits / 64 < low.words_.size()) {
    low.words_.resize(bits / 64 + 1);
    low.words_.back() &= (std::uint64_t{1} << bits % 64) - 1;
  }
  low.trim();
  return low;
}

BigInteger BigInteger::operator-() const {
  BigInteger opposite = *this;
  opposite.negative_ = !negative_ && !is_zero();
  return opposite;
}

BigInteger& BigInteger::operator+=(const BigInteger& other) {
  if (negative_ == other.negative_) {
    add_magnitude(words_, Words(other.words_));
  } else if (compare_magnitudes(words_, other.words_) != std::strong_ordering::less) {
    subtract_magnitude(words_, Words(other.words_));
  } else {
    Words larger = other.words_;
    subtract_magnitude(larger, words_);
    words_ = std::move(larger);
    negative_ = other.negative_;
  }
  trim();
  return *this;
}

BigInteger BigInteger::operator<<(std::size_t bits) const {
  BigInteger shifted;
  shifted.negative_ = negative_;
  shifted.words_.resize(words_.size() + bits / 64 + 1);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const uint128 word = static_cast<uint128>(words_[i]) << bits % 64;
    shifted.words_[i + bits / 64] |= static_cast<std::uint64_t>(word);
    shifted.words_[i + bits / 64 + 1] |= static_cast<std::uint64_t>(word >> 64);
  }
  shifted.trim();
  return shifted;
}

BigInteger BigInteger::operator>>(std::size_t bits) const {
  BigInteger shifted;
  shifted.negative_ = negative_;
  for (std::size_t i = bits / 64; i < words_.size(); ++i) {
    const uint128 pair = static_cast<uint128>(i + 1 < words_.size() ? words_[i + 1] : 0) << 64 | words_[i];
    shifted.words_.push_back(static_cast<std::uint64_t>(pair >> bits % 64));
  }
  shifted.trim();
  return shifted;
}

std::strong_ordering BigInteger::operator<=>(const BigInteger& other) const {
  if (negative_ != other.negative_) return other.negative_ <=> negative_;
  return negative_ ? compare_magnitudes(other.words_, words_) : compare_magnitudes(words_, other.words_);
}

void BigInteger::multiply_and_add(std::uint64_t factor, std::uint64_t summand) {
  std::uint64_t carry = summand;
  for (std::uint64_t& word : words_) {
    const uint128 product = static_cast<uint128>(word) * factor + carry;
    word = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
  words_.push_back(carry);
  trim();
}

std::uint64_t BigInteger::divide_by(std::uint64_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = words_.size(); i-- > 0;) {
    const uint128 rest = static_cast<uint128>(remainder) << 64 | words_[i];
    words_[i] = static_cast<std::uint64_t>(rest / divisor);
    remainder = static_cast<std::uint64_t>(rest % divisor);
  }
  trim();
  return remainder;
}

void BigInteger::trim() {
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
  if (words_.empty()) negative_ = false;
}

}  // namespace moorea
