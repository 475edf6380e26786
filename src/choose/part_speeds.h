// SPDX-License-Identifier: MIT
// How fast a device is with a world's rows: from the measurements of moorea tune, or from a short trial.
#pragma once

#include "boards/row_balance.h"
#include "choose/choose.h"

namespace moorea {

/// Seconds that moorea tune measured on this machine, with the device's default kernels and all threads;
/// empty if it did not. The seconds of an exchange are not known from it.
std::optional<PartSpeed> tuned_speed(const WorldSpec& world, const std::string& device);

/// Speed of a device in a trial of about 50 ms with noise of the world's width and rule, once in the life of
/// the process for each such world. A world without a size gets a trial of 4096 columns. Throws Error as
/// make_board() does.
PartSpeed tried_speed(const WorldSpec& world, const Choice& choice);

}  // namespace moorea
