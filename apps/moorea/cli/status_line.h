// SPDX-License-Identifier: MIT
// How far something is: a line on the terminal that is written over, some times a second; where standard
// error is no terminal, a line of its own once a minute.
#pragma once

#include <cstdio>
#include <string>

#include "cli/clock.h"

namespace app {

class StatusLine {
 public:
  explicit StatusLine(std::FILE* stream = stderr, double plain_seconds = 60);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether it is time to show something new.
  bool due() const;
  void show(const std::string& text);
  void clear();

 private:
  std::FILE* stream_;
  bool terminal_, drawn_ = false;
  double seconds_;  // between two lines
  Clock::time_point last_;
};

}  // namespace app
