// SPDX-License-Identifier: MIT
#include "boards/zeroed_buffer.h"

#include <fmt/core.h>

#include <cstdint>
#include <cstdlib>

#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::size_t alignment = 64;

}  // namespace

void Zeroed::Free::operator()(std::byte* p) const noexcept { std::free(p); }

Zeroed::Zeroed(double bytes, const std::string& what) {
  if (bytes > 1 << 20) require_memory(bytes, what);
  memory_.reset(static_cast<std::byte*>(std::calloc(static_cast<std::size_t>(bytes) + alignment, 1)));
  if (!memory_) {
    throw Error(fmt::format("{}: the system refused {} of memory", what, human_bytes(bytes)),
                ErrorKind::memory);
  }
  begin_ = memory_.get() + -reinterpret_cast<std::uintptr_t>(memory_.get()) % alignment;
}

}  // namespace moorea
