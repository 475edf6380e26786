// SPDX-License-Identifier: MIT
// Any two lines as big numbers: either one is refused with a usage error, or their arithmetic agrees with
// that of decimal digits, of words of 64 bits and of doubles, and with the laws of integers.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "moorea/big_integer.h"
#include "moorea/error.h"

namespace {

using moorea::BigInteger;

void require(bool holds) {
  if (!holds) std::abort();
}

std::optional<BigInteger> parsed(std::string_view text) {
  try {
    return BigInteger::parse(text);
  } catch (const moorea::Error& error) {
    require(error.kind() == moorea::ErrorKind::usage);
    return {};
  }
}

BigInteger magnitude(const BigInteger& number) { return number.is_negative() ? -number : number; }

// The sum of two numbers without signs, digit by digit.
std::string decimal_sum(std::string a, std::string b) {
  if (a.size() < b.size()) std::swap(a, b);
  b.insert(0, a.size() - b.size(), '0');
  int carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int digit = a[i] - '0' + b[i] - '0' + carry;
    a[i] = static_cast<char>('0' + digit % 10);
    carry = digit / 10;
  }
  return carry == 0 ? a : "1" + a;
}

// The number modulo 2^64, digit by digit.
std::uint64_t low_word(const std::string& digits) {
  std::uint64_t word = 0;
  for (const char digit : digits) word = 10 * word + static_cast<std::uint64_t>(digit - '0');
  return word;
}

void check_text(std::string_view text, const BigInteger& number) {
  const std::string digits = magnitude(number).str();
  require(std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; }));
  require(digits == "0" || digits[0] != '0');
  require(number.str() == (number.is_negative() ? "-" : "") + digits);
  require(number.bit_length() <= BigInteger::max_parsed_bits && BigInteger::parse(number.str()) == number);
  if (text.find_first_not_of("0123456789") == std::string_view::npos) {
    text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
    require(text == digits);
  }
}

void check_words(const BigInteger& number) {
  const std::string digits = magnitude(number).str();
  require(number.low_bits(64).as_unsigned() == low_word(digits));
  const std::optional<std::uint64_t> small = number.as_unsigned();
  require(small.has_value() == (!number.is_negative() && number.bit_length() <= 64));
  if (small) require(BigInteger(*small) == number && std::to_string(*small) == digits);
  const std::optional<std::int64_t> with_sign = number.as_signed();
  if (with_sign) require(BigInteger(*with_sign) == number && std::to_string(*with_sign) == number.str());
  const BigInteger limit = BigInteger::power_of_two(63);
  require(with_sign.has_value() == (number >= -limit && number < limit));
  const double nearest = std::strtod(number.str().c_str(), nullptr), ours = number.approximate();
  require(ours == nearest || std::abs(ours - nearest) <= 1e-15 * std::abs(nearest));
}

void check_bits(const BigInteger& number, std::size_t bits) {
  require((number << bits) >> bits == number);
  const BigInteger high = magnitude(number) >> bits << bits;
  require(high + number.low_bits(bits) == magnitude(number));
  require(number.low_bits(bits) < BigInteger::power_of_two(bits));
  BigInteger sum;
  for (std::size_t i = 0; i < number.bit_length(); ++i)
    if (number.bit(i)) sum += BigInteger::power_of_two(i);
  require(sum == magnitude(number));
  BigInteger doubled = number;
  doubled += doubled;
  require(doubled == number << 1);
}

void check_pair(const BigInteger& a, const BigInteger& b) {
  const BigInteger sum = a + b, difference = a - b;
  require(sum == b + a && sum - b == a && difference + b == a && -difference == b - a);
  require((a < b) == difference.is_negative() && (a == b) == difference.is_zero() && (a > b) == (b < a));
  require((magnitude(a) + magnitude(b)).str() == decimal_sum(magnitude(a).str(), magnitude(b).str()));
  // Of two differences, one is of a number and a smaller one
  const BigInteger smaller = std::min(magnitude(a), magnitude(b)),
                   larger = std::max(magnitude(a), magnitude(b));
  require(decimal_sum((larger - smaller).str(), smaller.str()) == larger.str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view first = text.substr(0, end), second = text.substr(std::min(end + 1, text.size()));
  const std::optional<BigInteger> a = parsed(first), b = parsed(second);
  for (const auto& [line, number] : {std::pair(first, a), std::pair(second, b)}) {
    if (!number) continue;
    check_text(line, *number);
    check_words(*number);
    check_bits(*number, size % 200);
  }
  if (a && b) check_pair(*a, *b);
  return 0;
}
