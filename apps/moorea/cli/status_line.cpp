// SPDX-License-Identifier: MIT
#include "cli/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace app {
namespace {

constexpr double interval = 0.1, json_interval = 1;  // seconds

// A line that wraps could not be written over
std::size_t columns(int terminal) {
  winsize size{};
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace

StatusLine::StatusLine(std::FILE* stream, double plain_seconds)
    : stream_(stream),
      json_(prints_json_lines()),
      terminal_(!json_ && isatty(fileno(stream)) == 1),
      seconds_(json_       ? json_interval
               : terminal_ ? interval
                           : plain_seconds),
      // On a terminal the first one comes at once
      last_(terminal_ ? Clock::time_point{} : Clock::now()) {}

bool StatusLine::due() const { return (json_ || has_remarks()) && since(last_) >= seconds_; }

void StatusLine::show(const std::string& text, const Json& facts) {
  if (!terminal_ && !due()) return;
  last_ = Clock::now();
  if (json_) return print_event("progress", facts);
  if (!has_remarks()) return;
  if (!terminal_) {
    std::fprintf(stream_, "moorea: %s\n", text.c_str());
    std::fflush(stream_);
    return;
  }
  std::fprintf(stream_, "\r\x1b[K%s", text.substr(0, columns(fileno(stream_)) - 1).c_str());
  std::fflush(stream_);
  drawn_ = true;
}

void StatusLine::clear() {
  if (drawn_) std::fputs("\r\x1b[K", stream_);
  drawn_ = false;
}

}  // namespace app
