// SPDX-License-Identifier: MIT
// The terminal as a screen: text, and pictures of half blocks or braille dots. ncurses draws; this header
// hides its names. The terminal is restored whatever ends the program.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "moorea/picture.h"
#include "terminal/inks.h"

namespace app {

/// Dots of a picture per character.
enum class Dots {
  half_blocks,  ///< 1 x 2, each with its own shade
  braille,      ///< 2 x 4, all of one shade
};

/// Keys other than characters.
enum Key : int {
  key_none = -1,
  key_resized = 0x110000,  // beyond the last character of Unicode
  key_up,
  key_down,
  key_left,
  key_right,
  key_page_up,
  key_page_down,
};

class Screen {
 public:
  /// Whether there is a terminal and this program runs in its foreground.
  static bool is_there();

  /// Opens the terminal. Keys come from it also if standard input is redirected. If `heeds_no_color`, the
  /// variable NO_COLOR (no-color.org) leaves out all shades and colours. Throws moorea::Error (unavailable)
  /// if ncurses does not know the terminal or it has no UTF-8.
  explicit Screen(bool heeds_no_color);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Whether dots have shades, which takes 256 colours. Without them trails are not drawn: they would look
  /// like live cells.
  bool has_shades() const;

  int columns() const;
  int lines() const;

  /// Waits for a key, `milliseconds` at most. Returns a character, a Key, or key_none.
  int wait_for_key(int milliseconds);

  /// Draws a picture's dots in `lines` lines from `line` on. The dots of a braille character have one ink;
  /// trails are only in those without live cells.
  void draw(const moorea::Picture& picture, int line, int lines, Dots dots, const Inks& inks);
  void write(int line, int column, const std::string& text, bool bright = false);
  void clear_line(int line);
  void clear();
  void show();

 private:
  static int max_pairs();
  short pair_of(short front, short back);
  void leave();
  void dismiss_guardian();
  void stop();

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> keys_;
  std::map<std::pair<short, short>, short> pairs_;  // of the terminal's colours, by number
  bool plain_ = false;                              // NO_COLOR
  int guard_ = -1;                                  // pipe at which the guardian waits
  pid_t guardian_ = 0;
};

}  // namespace app
