// SPDX-License-Identifier: MIT
// Progress as a line on the terminal that is overwritten several times per second; if standard error is no
// terminal, as a new line once a minute. With set_json_lines() as lines of JSON on standard output.
#pragma once

#include <cstdio>
#include <string>

#include "cli/app.h"
#include "cli/clock.h"

namespace app {

class StatusLine {
 public:
  explicit StatusLine(std::FILE* stream = stderr, double plain_seconds = 60);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether the next update is due.
  bool due() const;
  /// Shows the text, or the facts as JSON, which commands with --jsonl have.
  void show(const std::string& text, const Json& facts = Json::object());
  void clear();

 private:
  std::FILE* stream_;
  bool json_, terminal_, drawn_ = false;
  double seconds_;  // between two lines
  Clock::time_point last_;
};

}  // namespace app
