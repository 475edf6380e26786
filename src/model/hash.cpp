// SPDX-License-Identifier: MIT
#include "model/hash.h"

namespace moorea {

std::uint64_t hash_power(std::uint64_t base, std::int64_t exponent) {
  // The order of every element divides p - 1.
  const auto order = static_cast<std::int64_t>(hash_prime - 1);
  std::int64_t left = exponent % order;
  if (left < 0) left += order;
  std::uint64_t result = 1;
  for (; left != 0; left >>= 1, base = hash_multiply(base, base)) {
    if (left & 1) result = hash_multiply(result, base);
  }
  return result;
}

RowHasher::RowHasher(std::int64_t words_per_row, std::int64_t x0) : shift_(static_cast<int>(x0 & 63)) {
  const std::int64_t first_half_word = (x0 >> 6) * 2;
  std::uint64_t weight = hash_power(hash_column_base, first_half_word);
  for (std::int64_t i = 0; i < 2 * (words_per_row + 1); ++i) {
    weights_.push_back(weight);
    weight = hash_multiply(weight, hash_column_base);
  }
}

std::uint64_t RowHasher::operator()(const std::uint64_t* row, std::int64_t y) const {
  const auto words = static_cast<std::int64_t>(weights_.size() / 2 - 1);
  uint128 sum = 0;  // each term is below 2^93
  const auto add = [&](std::int64_t word, std::uint64_t bits) {
    sum += static_cast<uint128>(weights_[2 * word]) * static_cast<std::uint32_t>(bits);
    sum += static_cast<uint128>(weights_[2 * word + 1]) * (bits >> 32);
  };
  if (shift_ == 0) {
    for (std::int64_t j = 0; j < words; ++j) add(j, row[j]);
  } else {
    std::uint64_t carry = 0;
    for (std::int64_t j = 0; j < words; ++j) {
      add(j, row[j] << shift_ | carry);
      carry = row[j] >> (64 - shift_);
    }
    add(words, carry);
  }
  return hash_multiply(hash_reduce(sum), hash_power(hash_row_base, y));
}

}  // namespace moorea
