// SPDX-License-Identifier: MIT
// The report of a study: its measurements, their charts, and findings computed from the numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "lab/checker.h"
#include "lab/combinations.h"
#include "moorea/grid.h"
#include "report/chart.h"
#include "report/chart_axes.h"
#include "report/results.h"

namespace app {

class Report {
 public:
  /// `command` is the command line that makes the report again.
  Report(std::string title, std::string question, std::string command, bool quick);

  bool quick() const { return quick_; }

  /// Makes measure() measure this kernel too, and tables and charts relate speeds to it.
  void set_reference(const Reference& reference) { reference_ = reference; }
  const std::optional<Reference>& reference() const { return reference_; }

  /// The value of charts of speed, as ChartOptions::y: relative to the reference if there is one.
  std::string chart_value() const { return reference_ ? relative_value : ""; }

  /// Makes each measure() write a results file whose path begins with `begin`, after each measurement, and
  /// resume the file that exists if `resume`. Throws moorea::Error (usage) if one exists and `resume` is
  /// false.
  void keep_parts(const std::string& begin, bool resume);

  bool has_parts() const { return !parts_.empty(); }

  /// Removes these files, after the report is written.
  void remove_parts() const;

  /// Measures all combinations, with fewer samples in a quick report. Rows that are there only for the
  /// reference are in the table and not in the results. Throws WrongAnswer, and moorea::Error if nothing, or
  /// nothing of the reference, could be measured, or if the user interrupted.
  Results measure(const Selection& selection) { return measure(std::vector{selection}, 0); }

  /// Measures the combinations of several selections in the same rounds, each for at least `min_seconds`.
  /// Throws as the other measure().
  Results measure(std::vector<Selection> selections, double min_seconds);

  /// Adds measurements that measure() did not make; `table` is their table in the report, with heads, and
  /// `same` a sentence above it.
  void add_document(Json document, std::vector<std::vector<std::string>> table, std::string same = "");

  /// Adds the charts of make_charts() under a heading.
  void add_charts(const std::string& heading, const Results& results, ChartOptions options);
  void add_chart(const std::string& heading, const Chart& chart);

  /// Adds HTML under a heading.
  void add_html(const std::string& heading, const std::string& html);

  /// Adds a row of pictures of worlds: one pixel per cell, or in worlds larger than 256 cells the density of
  /// the cells of each pixel as its shade.
  struct Picture {
    std::string caption;
    moorea::Grid cells;
  };
  void add_pictures(const std::string& heading, const std::vector<Picture>& pictures);

  /// Adds a sentence computed from the numbers.
  void find(const std::string& sentence) { findings_.push_back(sentence); }

  const std::vector<std::string>& findings() const { return findings_; }

  /// Measurements made while other processes used the CPUs, as a sentence; empty if there are none.
  std::string busy_warning() const;

  std::string html() const;
  /// Result documents as bench writes them, a list.
  const Json& documents() const { return documents_; }

 private:
  void require_related(const Results& results, const Reference& reference);

  std::string title_, question_, command_;
  bool quick_;
  std::optional<Reference> reference_;
  std::string parts_begin_;  // of the paths of results files; empty: none are written
  bool resume_ = false;
  std::vector<std::string> parts_;  // written so far
  std::string body_;
  std::vector<std::string> findings_, left_out_;
  Json documents_ = Json::array();
  struct Table {
    std::vector<std::vector<std::string>> lines;
    std::string same;
  };
  std::vector<Table> tables_;  // one for each document
};

}  // namespace app
