// SPDX-License-Identifier: MIT
// The kinds of charts. Each function computes title, axes and series of one kind; make_charts() adds kind and
// caption.
#pragma once

#include <vector>

#include "report/chart_input.h"

namespace app {

/// Name of the axis of these charts, which the options name or which varies.
std::string line_axis(const ChartInput& input);
std::string speedup_axis(const ChartInput& input);

/// A line for each series over an axis.
Chart line_chart(const ChartInput& input);

/// Lines of the speed relative to each series' point at the minimum of the axis; if the axis is threads, with
/// a limit in proportion to them.
Chart speedup_chart(const ChartInput& input);

/// A bar for each measurement.
Chart bar_chart(const ChartInput& input);

/// A map of two axes for each combination of the other axes.
std::vector<Chart> heat_maps(const ChartInput& input);

/// A map of core and time for each measurement, with one colour scale, and a table of the statistics.
/// Throws moorea::Error (usage) if the value is another one than the frequency.
Chart frequency_maps(const ChartInput& input);

/// Operations on words per second over operations per byte moved, below the limits of memory and logic: the
/// roofline model (Williams, Waterman, Patterson 2009).
Chart roofline_chart(const ChartInput& input);

}  // namespace app
