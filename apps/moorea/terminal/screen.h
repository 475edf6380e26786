// SPDX-License-Identifier: MIT
// The terminal as a screen: text, and pictures of half blocks or braille dots. ncurses draws; it stays behind
// this header for its names. The terminal is as it was when the screen is gone, whatever ended the program.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "moorea/picture.h"

namespace app {

/// How many dots of a picture a character shows.
enum class Dots {
  half_blocks,  ///< 1 x 2, each with its own shade
  braille,      ///< 2 x 4, of one shade
};

/// Keys that are no characters.
enum Key : int {
  key_none = -1,
  key_resized = 0x110000,  // behind the last character
  key_up,
  key_down,
  key_left,
  key_right,
  key_page_up,
  key_page_down,
};

class Screen {
 public:
  /// Whether there is a terminal, and this program has it: it is no job in the background.
  static bool is_there();

  /// Takes the terminal: its keys come from there where standard input is something else. Throws
  /// moorea::Error (unavailable) where it is none that ncurses knows.
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Whether dots have shades here: with 256 colours.
  bool has_shades() const;

  int columns() const;
  int lines() const;

  /// Waits for a key for so long at most; a character, a Key, or key_none.
  int wait_for_key(int milliseconds);

  /// The picture's dots from the given line on, as many as there are. Braille can only show one shade in a
  /// character, which is that of its brightest dot.
  void draw(const moorea::Picture& picture, int line, int lines, Dots dots);
  void write(int line, int column, const std::string& text, bool bright = false);
  void clear_line(int line);
  void clear();
  void show();

 private:
  int pair_of(int front, int back) const;
  void dismiss_guardian();
  void stop();

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> keys_;
  int guard_ = -1;  // what keeps the guardian waiting
  pid_t guardian_ = 0;
};

}  // namespace app
