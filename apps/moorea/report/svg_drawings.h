// SPDX-License-Identifier: MIT
// Drawings of the kinds of charts, without title and caption.
#pragma once

#include "report/svg_marks.h"

namespace app {

/// Lines over two axes: line, speed-up, roofline.
Drawing draw_lines(const Chart& chart);

Drawing draw_bars(const Chart& chart);

Drawing draw_heat_map(const Chart& chart);

/// Maps side by side, four in a row.
Drawing draw_maps(const Chart& chart);

}  // namespace app
