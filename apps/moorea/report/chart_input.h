// SPDX-License-Identifier: MIT
// Input of each kind of chart: the results, the options, and which axes vary.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/chart.h"
#include "report/chart_axes.h"
#include "report/results.h"

namespace app {

/// Values of each axis in the results.
class AxisValues {
 public:
  explicit AxisValues(const Results& results);

  bool varies(const std::string& axis) const { return values_.at(axis).size() > 1; }

  /// Whether the axis has several values and all of them are numbers; rows without a value do not count.
  bool is_numeric(const std::string& axis) const;

  /// Whether it is numeric and each row has a value.
  bool is_numeric_everywhere(const std::string& axis) const;

  /// The first axis that is numeric everywhere, or "" if there is none.
  std::string first_numeric() const;

  /// Whether thread blocks vary in width and in height independently.
  bool has_block_shapes() const;

  /// Axes that vary and are not used. An axis with one value for each kernel is represented by the kernel.
  std::vector<const AxisSource*> others(const std::set<std::string>& used) const;

  /// In the order of the results.
  const std::vector<Json>& values(const std::string& axis) const { return values_.at(axis); }

  /// Texts of the values, without null; numbers in ascending order.
  std::vector<std::string> sorted_names(const std::string& axis) const;

 private:
  std::map<std::string, std::vector<Json>> values_;
  std::set<std::string> follows_kernel_;
};

struct ChartInput {
  ChartInput(const Results& the_results, const ChartOptions& the_options);

  const Results& results;
  const ChartOptions& options;
  AxisValues axes;
  const ValueSource& value;
  const std::string value_label;  ///< of ValueSource, with the reference of relative values

  /// The title that the user chose, else this one with a capital letter.
  std::string title(std::string default_title) const;

  /// Values that all results share, and where they were measured.
  std::string caption(const Chart& chart) const;

  /// Throws moorea::Error (usage) unless the axis exists and varies.
  const AxisSource& varying_axis(const std::string& name) const;
};

/// Values of these axes as a text that distinguishes a measurement from others.
std::string name_by(const Json& row, const std::vector<const AxisSource*>& by);

/// Place of a name in a list of names.
double place_of(const std::vector<std::string>& names, const std::string& name);

/// The series of this name, which is added if the chart does not have it.
ChartSeries& series_named(Chart& chart, const std::string& name);

/// A sentence for the caption on measurements that are not drawn, because they lack the axis or the value;
/// empty if there are none.
std::string lacking_text(const ChartInput& input, std::size_t lacking, const std::string& axes);

/// Whether a logarithmic scale suits the values: they are positive and differ by more than this ratio.
bool suits_log(const std::vector<ChartSeries>& series, double ChartPoint::*value, double ratio);

}  // namespace app
