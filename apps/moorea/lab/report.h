// SPDX-License-Identifier: MIT
// A study's report while it grows: what was measured, the pictures of it, and what the numbers say.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "lab/checker.h"
#include "lab/combinations.h"
#include "moorea/grid.h"
#include "report/chart.h"
#include "report/results.h"

namespace app {

class Report {
 public:
  /// `command` is what a reader types to have it made again.
  Report(std::string title, std::string question, std::string command, bool quick);

  bool quick() const { return quick_; }

  /// From now on each measure() writes what it has into a file that begins so, anew after each measurement,
  /// and goes on with what lies there if `resume`. Throws moorea::Error (usage) for what lies there
  /// otherwise.
  void keep_parts(const std::string& begin, bool resume);

  bool has_parts() const { return !parts_.empty(); }

  /// Once the report is written.
  void remove_parts() const;

  /// Measures all combinations, less thoroughly where the report is to be quick. Throws moorea::Error (run)
  /// when an answer was wrong, and where nothing could be measured.
  Results measure(const Selection& selection);

  /// Takes measurements of another kind into the documents; `table` are their lines in the report, with
  /// heads, and `same` a sentence above them.
  void add_document(Json document, std::vector<std::vector<std::string>> table, std::string same = "");

  /// Adds the charts that the options ask for, under a heading.
  void add_charts(const std::string& heading, const Results& results, const ChartOptions& options);
  void add_chart(const std::string& heading, const Chart& chart);

  /// Adds HTML as it is.
  void add_html(const std::string& heading, const std::string& html);

  /// Adds a row of pictures of worlds, a pixel a cell or, where the world is larger than 256 cells, a pixel's
  /// shade the density of its cells.
  struct Picture {
    std::string caption;
    moorea::Grid cells;
  };
  void add_pictures(const std::string& heading, const std::vector<Picture>& pictures);

  /// A sentence that was made of the numbers.
  void find(const std::string& sentence) { findings_.push_back(sentence); }

  const std::vector<std::string>& findings() const { return findings_; }

  /// What was measured while other processes used the CPUs, in a sentence; empty: nothing.
  std::string busy_warning() const;

  std::string html() const;
  const Json& documents() const {
    return documents_;
  }  ///< what bench would have written, one after the other

 private:
  std::string title_, question_, command_;
  bool quick_;
  std::string parts_begin_;  // of their paths; empty: nothing is kept
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
