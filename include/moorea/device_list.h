// SPDX-License-Identifier: MIT
// Lists of devices, as users write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace moorea {

/// Whether a text names several devices, between commas or plus signs: "cpu,cuda:0". Those between double
/// quotes belong to a name: opencl:"Graphics, 8+1 cores" is one device.
bool is_device_list(std::string_view text);

/// Returns the names of a list, without spaces around them, with their quotes. Throws Error (usage) if a
/// quote is not closed.
std::vector<std::string> split_devices(std::string_view list);

}  // namespace moorea
#pragma GCC visibility pop
