// SPDX-License-Identifier: MIT
#include "status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace app {
namespace {

constexpr double interval = 0.1;  // seconds

// A line that wraps could not be written over
std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace

StatusLine::StatusLine() : shown_(isatty(STDERR_FILENO) == 1) {}

bool StatusLine::due() const { return shown_ && since(last_) >= interval; }

void StatusLine::show(const std::string& text) {
  if (!shown_) return;
  last_ = Clock::now();
  std::fprintf(stderr, "\r\x1b[K%s", text.substr(0, columns() - 1).c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void StatusLine::clear() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace app
