// SPDX-License-Identifier: MIT
// Launches of OpenClBoard's kernels on packed rows, shared by board.cpp and board_queries.cpp.
#pragma once

#include "devices/opencl/board.h"

namespace moorea::opencl {

// Work-group size of all kernels other than steps: a constant, because PoCL compiles for each size.
constexpr std::int64_t group_items = 64;
constexpr std::int64_t query_groups = 4096;  // per query
constexpr std::int64_t query_items = query_groups * group_items;

inline std::int64_t rounded_up(std::int64_t a, std::int64_t to) { return (a + to - 1) / to * to; }

/// Sets the arguments of a kernel, in order.
template <class... Arguments>
void set_arguments(const Kernel& kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  (MOOREA_CL(clSetKernelArg, kernel.get(), index++, sizeof arguments, &arguments), ...);
}

template <class... Arguments>
void OpenClBoard::run(const Kernel& kernel, std::int64_t items, const Arguments&... arguments) const {
  run_in_groups(kernel, items, group_items, arguments...);
}

template <class... Arguments>
void OpenClBoard::run_in_groups(const Kernel& kernel, std::int64_t items, std::int64_t items_a_group,
                                const Arguments&... arguments) const {
  set_arguments(kernel, arguments...);
  const auto size = static_cast<std::size_t>(rounded_up(items, items_a_group)),
             group = static_cast<std::size_t>(items_a_group);
  MOOREA_CL(clEnqueueNDRangeKernel, queue_.get(), kernel.get(), 1, nullptr, &size, &group, 0, nullptr,
            nullptr);
}

// Calls per_rows(rows) for consecutive groups of the rows y to end - 1, packed in the device's memory.
template <class PerRows>
void OpenClBoard::for_rows(std::int64_t y, std::int64_t end, const PerRows& per_rows) const {
  for (; y < end; y += rows_at_once_) {
    const Rows rows = rows_at(y, end);
    pack(current(), rows, packed_);
    per_rows(rows);
  }
}

// The same with a digit of the states instead of the live cells.
template <class PerRows>
void OpenClBoard::for_digit_rows(std::int64_t digit, std::int64_t y, std::int64_t end,
                                 const PerRows& per_rows) const {
  for (; y < end; y += rows_at_once_) {
    const Rows rows = rows_at(y, end);
    pack_digit(current(), digit, rows, packed_);
    per_rows(rows);
  }
}

}  // namespace moorea::opencl
