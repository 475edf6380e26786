// SPDX-License-Identifier: MIT
#include "logic/web_code.h"

#include <cstddef>

namespace moorea {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Opcodes of the binary format that are used in one place only.
constexpr std::uint8_t local_get = 0x20, local_set = 0x21, number_constant = 0x41, word_constant = 0x42,
                       load_word = 0x29, store_word = 0x37, count_bits = 0x7B, to_number = 0xA7,
                       to_word = 0xAD, is_positive = 0x4A, is_equal = 0x46, select_one = 0x1B,
                       begin_block = 0x02, begin_repeat = 0x03, branch = 0x0C, branch_if = 0x0D,
                       is_zero = 0x45, end_of_block = 0x0B, nothing = 0x40;
constexpr std::uint8_t aligned_to_words = 3;

// Signed LEB128.
void put_integer(Bytes& to, std::int64_t value) {
  for (bool more = true; more;) {
    const auto byte = static_cast<std::uint8_t>(value & 0x7F);
    value >>= 7;
    more = !(value == (byte & 0x40 ? -1 : 0));
    to.push_back(static_cast<std::uint8_t>(byte | (more ? 0x80 : 0)));
  }
}

// Unsigned LEB128.
void put_size(Bytes& to, std::size_t value) {
  do {
    const auto byte = static_cast<std::uint8_t>(value & 0x7F);
    value >>= 7;
    to.push_back(static_cast<std::uint8_t>(byte | (value != 0 ? 0x80 : 0)));
  } while (value != 0);
}

void append(Bytes& to, const Bytes& more) { to.insert(to.end(), more.begin(), more.end()); }

void put_section(Bytes& to, std::uint8_t number, const Bytes& content) {
  to.push_back(number);
  put_size(to, content.size());
  append(to, content);
}

void put_export(Bytes& to, std::string_view name, std::uint8_t kind, std::size_t number) {
  put_size(to, name.size());
  to.insert(to.end(), name.begin(), name.end());
  to.push_back(kind);
  put_size(to, number);
}

}  // namespace

WebCode::WebCode(int parameters, bool returns_number)
    : parameters_(parameters), returns_number_(returns_number) {
  if (returns_number) fresh(number_type);
}

int WebCode::fresh(std::uint8_t type) {
  types_.push_back(type);
  return parameters_ + static_cast<int>(types_.size()) - 1;
}

void WebCode::get(int local) {
  code_.push_back(local_get);
  put_size(code_, static_cast<std::size_t>(local));
}

// Puts the last value into a local variable.
int WebCode::keep(std::uint8_t type) {
  const int local = fresh(type);
  set({local}, {-1});
  return local;
}

// Without a `from` of the last value.
void WebCode::set(Number to, Number from) {
  if (from.local >= 0) get(from.local);
  code_.push_back(local_set);
  put_size(code_, static_cast<std::size_t>(to.local));
}

WebCode::Number WebCode::number(int value) {
  code_.push_back(number_constant);
  put_integer(code_, value);
  return {keep(number_type)};
}

WebCode::Word WebCode::constant(std::int64_t value) {
  code_.push_back(word_constant);
  put_integer(code_, value);
  return {keep(word_type)};
}

WebCode::Number WebCode::numeric(std::uint8_t operation, Number a, Number b) {
  get(a.local);
  get(b.local);
  code_.push_back(operation);
  return {keep(number_type)};
}

WebCode::Word WebCode::logical(std::uint8_t operation, Word a, Word b) {
  get(a.local);
  get(b.local);
  code_.push_back(operation);
  return {keep(word_type)};
}

WebCode::Word WebCode::load(Number address, int offset) {
  get(address.local);
  code_.insert(code_.end(), {load_word, aligned_to_words});
  put_size(code_, static_cast<std::size_t>(offset));
  return {keep(word_type)};
}

void WebCode::store(Number address, Word word) {
  get(address.local);
  get(word.local);
  code_.insert(code_.end(), {store_word, aligned_to_words, 0});
}

WebCode::Number WebCode::population(Word a) {
  get(a.local);
  code_.insert(code_.end(), {count_bits, to_number});
  return {keep(number_type)};
}

WebCode::Word WebCode::mask_of_last(Number left, Number low, Number high) {
  const auto half = [&](Number number) {
    get(number.local);
    code_.push_back(to_word);
    return Word{keep(word_type)};
  };
  const Word all = ones(), tail = disjunction(half(low), shifted_up(half(high), 32));
  const Number one = number(1);
  get(tail.local);
  get(all.local);
  get(left.local);
  get(one.local);
  code_.insert(code_.end(), {is_equal, select_one});
  return {keep(word_type)};
}

void WebCode::begin_loop(Number number) {
  code_.insert(code_.end(), {begin_block, nothing, begin_repeat, nothing});
  const Number zero = this->number(0);
  get(number.local);
  get(zero.local);
  code_.insert(code_.end(), {is_positive, is_zero, branch_if, 1});
}

void WebCode::end_loop(Number number, int by) {
  set(number, sum(number, this->number(-by)));
  code_.insert(code_.end(), {branch, 0, end_of_block, end_of_block});
}

std::vector<std::uint8_t> WebCode::body() const {
  // Runs of variables of a type
  Bytes runs;
  std::size_t number_of_runs = 0;
  for (std::size_t i = 0; i < types_.size(); ++number_of_runs) {
    std::size_t end = i;
    while (end < types_.size() && types_[end] == types_[i]) ++end;
    put_size(runs, end - i);
    runs.push_back(types_[i]);
    i = end;
  }
  Bytes content;
  put_size(content, number_of_runs);
  append(content, runs);
  append(content, code_);
  if (returns_number_) {
    content.push_back(local_get);
    put_size(content, static_cast<std::size_t>(parameters_));
  }
  content.push_back(end_of_block);
  Bytes entry;
  put_size(entry, content.size());
  append(entry, content);
  return entry;
}

std::vector<std::uint8_t> web_module(const std::vector<std::pair<std::string_view, WebCode>>& functions) {
  constexpr std::uint8_t function_type = 0x60, number_type = 0x7F;
  constexpr std::uint8_t types = 1, declarations = 3, memories = 5, exports = 7, codes = 10;
  Bytes of_types, of_functions, of_exports, of_codes;
  for (Bytes* each : {&of_types, &of_functions, &of_codes}) put_size(*each, functions.size());
  put_size(of_exports, functions.size() + 1);
  put_export(of_exports, "memory", 2, 0);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto& [name, code] = functions[i];
    of_types.push_back(function_type);
    put_size(of_types, static_cast<std::size_t>(code.parameters()));
    of_types.insert(of_types.end(), static_cast<std::size_t>(code.parameters()), number_type);
    put_size(of_types, code.returns_number() ? 1 : 0);
    if (code.returns_number()) of_types.push_back(number_type);
    put_size(of_functions, i);
    put_export(of_exports, name, 0, i);
    append(of_codes, code.body());
  }
  Bytes module = {0, 'a', 's', 'm', 1, 0, 0, 0};
  put_section(module, types, of_types);
  put_section(module, declarations, of_functions);
  put_section(module, memories, {1, 0, 1});
  put_section(module, exports, of_exports);
  put_section(module, codes, of_codes);
  return module;
}

}  // namespace moorea
