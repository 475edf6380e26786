// SPDX-License-Identifier: MIT
// Axes and values of charts: the quantities of a result row that can be placed on an axis or shown as a
// value.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "report/chart.h"
#include "report/results.h"

namespace app {

/// A quantity that varies between rows.
struct AxisSource {
  const char* name;  ///< as in --x
  const char* label;
  const char* unit;  ///< "" for none
  /// The quantity of a row: a number where it is one, else a text; null if the row does not have it.
  Json (*of)(const Json& row);
  /// Whether it is a side of the axis "block", which stands for both unless a chart uses a side.
  bool is_side_of_block = false;

  /// The label with its unit.
  std::string text() const;
};

std::span<const AxisSource> axis_sources();

/// Throws moorea::Error (usage) naming all axes for an unknown one.
const AxisSource& axis_named(const std::string& name);

/// A quantity that is measured.
struct ValueSource {
  const char* name;  ///< as in --y
  const char* label;
  bool is_cost = false;  ///< whether less of it is better; it is then proportional to the time

  /// The value of a measurement with the quartiles of its samples (a frequency: with the means of the cores'
  /// minima and maxima); empty if the row does not have it.
  std::optional<ChartPoint> point_of(const Measurement& measurement) const;
};

constexpr const char* default_value = "cells-per-second";
/// Relative to the reference of relate().
constexpr const char* relative_value = "times-reference";
/// Mean clock frequency of the cores.
constexpr const char* frequency_value = "frequency";

/// Throws moorea::Error (usage) naming all values for an unknown one.
const ValueSource& value_named(std::string_view name);

}  // namespace app
