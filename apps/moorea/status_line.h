// SPDX-License-Identifier: MIT
// A line on the terminal that is written over, some times a second; nothing where standard error is no
// terminal.
#pragma once

#include <string>

#include "clock.h"

namespace app {

class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether it is time to show something new.
  bool due() const;
  void show(const std::string& text);
  void clear();

 private:
  bool shown_, drawn_ = false;
  Clock::time_point last_{};
};

}  // namespace app
