// SPDX-License-Identifier: MIT
// Selection and comparison of measurements, as the studies need them for their findings.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "report/results.h"

namespace app {

class Report;

using Measurements = std::vector<const Measurement*>;

/// Cells per second.
double rate(const Measurement& measurement);
std::string kernel_of(const Measurement& measurement);

/// A kernel's name without its folders.
std::string short_name(const std::string& kernel);

/// The kernels among these names that run here.
std::vector<std::string> runnable(std::initializer_list<const char*> names);

/// A finding for each reason why some of the kernels cannot run here.
void find_absent(Report& report, const std::vector<std::string>& names);
/// The same of all kernels of the CPU's ladder.
void find_absent_rungs(Report& report);

/// Measurements for which a condition holds.
Measurements where(const Results& results, const std::function<bool(const Measurement&)>& holds);
Measurements of_kernel(const Results& results, const std::string& kernel);

/// Null if there are no measurements.
const Measurement* fastest(const Measurements& list);
const Measurement* slowest(const Measurements& list);

/// Values of a key, in the order in which they were measured.
std::vector<Json> values_of(const Results& results, const char* key);

/// "2.5 times"
std::string times(double factor);

/// "medians +12.3 %", or the factor between them if it is above 2.
std::string medians_apart(double speed);

/// Whether no other process used the CPUs.
bool is_quiet(const Measurement& measurement);

/// Reason for which measurements are not compared, as the end of a sentence.
constexpr const char* not_quiet = "measured while other processes used the CPUs, so nothing is said of it";

/// A measurement with its name in a sentence.
struct Contender {
  std::string name;
  const Measurement& measurement;
};

/// "A is 1.5 times as fast as B.", or that their samples do not distinguish them.
std::string comparison_text(const Contender& a, const Contender& b);

}  // namespace app
