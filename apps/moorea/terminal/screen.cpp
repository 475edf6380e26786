// SPDX-License-Identifier: MIT
#include "terminal/screen.h"

#include "moorea/error.h"

#include <unistd.h>

#ifdef MOOREA_CURSES_ENABLED

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace app {
namespace {

using Keys = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Keys open_keys() {
  return {isatty(STDIN_FILENO) != 0 ? fdopen(dup(STDIN_FILENO), "r") : std::fopen("/dev/tty", "r"),
          [](std::FILE* file) { return std::fclose(file); }};
}

constexpr int escape = 27;

// Set by Ctrl-Z. The handler of ncurses loses the signal sometimes, as it ignores it while drawing.
volatile std::sig_atomic_t stop_asked = 0;

// Starts a child that restores the terminal after any end of this process, SIGKILL included: the read end of
// a pipe reports that the write end is closed. A byte in the pipe dismisses the child.
pid_t start_guardian(int keys, int& pipe_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return 0;
  termios before = {};
  if (tcgetattr(keys, &before) != 0) {
    close(ends[0]);
    close(ends[1]);
    return 0;
  }
  const pid_t child = fork();
  if (child != 0) {
    close(ends[0]);
    pipe_end = ends[1];
    return child;
  }
  close(ends[1]);
  setpgid(0, 0);
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTTOU, SIGTTIN, SIGTSTP})
    std::signal(each, SIG_IGN);
  char byte = 0;
  ssize_t got = 0;
  while ((got = read(ends[0], &byte, 1)) < 0 && errno == EINTR) {
  }
  if (got == 0) {
    // Main screen, cursor on, plain characters, mouse off, normal keys
    constexpr char plain[] = "\033[?1049l\033[?25h\033[0m\033[?1000l\033[?1l\033>\r\n";
    [[maybe_unused]] const ssize_t ignored = ::write(STDOUT_FILENO, plain, sizeof plain - 1);
    tcsetattr(keys, TCSANOW, &before);
  }
  _exit(0);
}

// The next character of a sequence; key_none if none follows soon, and key_resized.
int next_character() {
  timeout(25);
  wint_t key = 0;
  const int kind = get_wch(&key);
  if (kind == OK) return static_cast<int>(key);
  return kind == KEY_CODE_YES && key == KEY_RESIZE ? int{key_resized} : int{key_none};
}

bool is_character(int key) { return key != key_none && key != key_resized; }

// Returns what ended it, if not all of `end` was there.
int skip_to(std::string_view end) {
  std::string text;
  int c = 0;
  while (is_character(c) && !text.ends_with(end)) text += static_cast<char>(c = next_character());
  return is_character(c) ? int{key_none} : c;
}

// Button, column and row of a mouse that was not asked for, as three characters or as numbers.
void skip_mouse() {
  const char* const begin = tigetstr("kmous");
  if (begin != nullptr && std::string_view(begin).ends_with('<')) {
    for (int c = 0; is_character(c) && c != 'M' && c != 'm';) c = next_character();
  } else {
    for (int i = 0; i < 3; ++i) next_character();
  }
}

// After an escape character: the key of an arrow, or none for a sequence that ncurses does not know, such as
// an answer of the terminal or a paste, and for a key with Alt. Its characters are no keys of their own.
int key_of_sequence() {
  int kind = next_character();
  if (kind == key_none) return escape;
  while (kind == escape) kind = next_character();  // of a key with Alt
  if (std::string_view("]PX^_").find(static_cast<char>(kind)) != std::string_view::npos &&
      is_character(kind)) {
    // Up to its own end
    int c = 0;
    while (is_character(c) && c != '\a' && c != escape) c = next_character();
    if (c == escape) c = next_character();
    return is_character(c) ? int{key_none} : c;
  }
  if (kind != '[' && kind != 'O') return is_character(kind) ? int{key_none} : kind;
  std::string parameters;
  int last = next_character();
  for (; last >= ' ' && last < '@'; last = next_character()) parameters += static_cast<char>(last);
  if (parameters == "200" && last == '~') return skip_to("\033[201~");
  if (!is_character(last) || !parameters.empty()) return last == key_resized ? last : int{key_none};
  switch (last) {
    case 'A':
      return key_up;
    case 'B':
      return key_down;
    case 'C':
      return key_right;
    case 'D':
      return key_left;
    default:
      return key_none;
  }
}

}  // namespace

bool Screen::is_there() {
  if (isatty(STDOUT_FILENO) == 0) return false;
  const Keys keys = open_keys();
  if (!keys) return false;
  // A terminal that controls no session has no jobs
  const pid_t group = tcgetpgrp(fileno(keys.get()));
  return group < 0 ? isatty(fileno(keys.get())) != 0 : group == getpgrp();
}

Screen::Screen(bool heeds_no_color) : keys_(open_keys()) {
  const char* const no_color = std::getenv("NO_COLOR");
  plain_ = heeds_no_color && no_color != nullptr && *no_color != 0;
  std::setlocale(LC_ALL, "");
  if (MB_CUR_MAX < 4)
    throw moorea::Error("the locale's characters are not UTF-8; LC_ALL=C.UTF-8 selects it",
                        moorea::ErrorKind::unavailable);
  guardian_ = start_guardian(fileno(keys_.get()), guard_);
  // Before newterm(), which keeps an existing handler
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = 1; };
  action.sa_flags = SA_RESTART;
  sigaction(SIGTSTP, &action, nullptr);
  if (newterm(nullptr, stdout, keys_.get()) == nullptr) {
    leave();
    const char* const terminal = std::getenv("TERM");
    throw moorea::Error(std::string("the variable TERM names no terminal that ncurses knows: \"") +
                            (terminal == nullptr ? "" : terminal) + "\"",
                        moorea::ErrorKind::unavailable);
  }
  if (tigetstr("cup") == nullptr) {
    endwin();
    leave();
    throw moorea::Error("this terminal cannot move its cursor (TERM=" + std::string(termname()) +
                            "): without one, as in moorea view ... | cat, a line a second is printed",
                        moorea::ErrorKind::unavailable);
  }
  cbreak();
  noecho();
  keypad(stdscr, TRUE);
  set_escdelay(25);
  curs_set(0);
  if (has_colors()) {
    start_color();
    use_default_colors();
  }
}

Screen::~Screen() {
  endwin();
  leave();
}

void Screen::leave() {
  std::signal(SIGTSTP, SIG_DFL);
  dismiss_guardian();
}

// Stops until the shell continues the process. raise() signals this thread, which stops before it returns.
void Screen::stop() {
  stop_asked = 0;
  endwin();
  struct sigaction plain {
  }, ours{};
  plain.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &plain, &ours);
  std::raise(SIGTSTP);
  sigaction(SIGTSTP, &ours, nullptr);
  ::clearok(curscr, TRUE);
  refresh();
}

void Screen::dismiss_guardian() {
  if (guardian_ == 0) return;
  [[maybe_unused]] const ssize_t ignored = ::write(guard_, "q", 1);
  close(guard_);
  while (waitpid(guardian_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Screen::has_shades() const { return !plain_ && COLORS >= 256 && COLOR_PAIRS >= 256; }
int Screen::columns() const { return getmaxx(stdscr); }
int Screen::lines() const { return getmaxy(stdscr); }

int Screen::wait_for_key(int milliseconds) {
  if (stop_asked != 0) stop();
  timeout(milliseconds);
  wint_t key = 0;
  const int kind = get_wch(&key);
  if (kind == ERR) {
    // Quits if the terminal is gone
    pollfd input = {fileno(keys_.get()), POLLIN, 0};
    return poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0 ? int{'q'}
                                                                                           : int{key_none};
  }
  if (kind == OK) return key == escape ? key_of_sequence() : static_cast<int>(key);
  switch (key) {
    case KEY_RESIZE:
      return key_resized;
    case KEY_UP:
      return key_up;
    case KEY_DOWN:
      return key_down;
    case KEY_LEFT:
      return key_left;
    case KEY_RIGHT:
      return key_right;
    case KEY_PPAGE:
      return key_page_up;
    case KEY_NPAGE:
      return key_page_down;
    case KEY_ENTER:
      return '\n';
    case KEY_MOUSE:
      skip_mouse();
      return key_none;
    default:
      return key_none;
  }
}

int Screen::max_pairs() { return std::min(COLOR_PAIRS, int{SHRT_MAX}); }

// Pair 0 has the terminal's own colours; with fewer than 256 colours all dots use it, and those of a picture
// with more pairs than the terminal has.
short Screen::pair_of(short front, short back) {
  if (!has_shades()) return 0;
  if (const auto known = pairs_.find({front, back}); known != pairs_.end()) return known->second;
  if (std::ssize(pairs_) + 1 >= max_pairs()) return 0;
  const auto pair = static_cast<short>(pairs_.size() + 1);
  init_pair(pair, front, back);
  pairs_.insert({{front, back}, pair});
  return pair;
}

void Screen::draw(const moorea::Picture& picture, int line, int lines, Dots dots, const Inks& inks) {
  // Those of earlier pictures are given away, and ncurses draws their cells again
  if (2 * std::ssize(pairs_) > max_pairs()) pairs_.clear();
  const bool braille = dots == Dots::braille;
  const int wide = braille ? 2 : 1, high = braille ? 4 : 2;
  const bool has_trails = !inks.are_states && has_shades();
  const auto level = [&](std::int64_t x, std::int64_t y) -> std::uint8_t {
    const std::uint8_t here =
        x < picture.width && y < picture.height ? picture.levels[y * picture.width + x] : 0;
    return inks.are_states || has_trails || here >= moorea::min_live_level ? here : 0;
  };
  const auto pair = [&](std::uint8_t front, std::uint8_t back) {
    return pair_of(inks.colour[front], inks.colour[back]);
  };
  // Bits of the dots of a braille character, by column from the top
  constexpr unsigned bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
  for (int row = 0; row < lines; ++row) {
    for (int column = 0; column < columns(); ++column) {
      wchar_t text[2] = {L' ', 0};
      short colours = 0;
      if (braille) {
        unsigned set = 0;
        std::uint8_t shown = 0;
        for (int x = 0; x < wide; ++x) {
          for (int y = 0; y < high; ++y) {
            const std::uint8_t dot = level(column * wide + x, std::int64_t{row} * high + y);
            if (dot == 0) continue;
            const auto is_trail = [&](std::uint8_t each) {
              return !inks.are_states && each < moorea::min_live_level;
            };
            if (shown != 0 && is_trail(dot) != is_trail(shown)) {
              if (is_trail(dot)) continue;
              set = 0;  // those so far were trails
            }
            set |= bits[x][y];
            const bool decides = shown == 0 || (inks.are_states ? dot < shown : dot > shown);
            if (decides) shown = dot;
          }
        }
        text[0] = static_cast<wchar_t>(set == 0 ? L' ' : 0x2800 + set);
        colours = pair(shown, 0);
      } else {
        const std::uint8_t above = level(column, std::int64_t{row} * 2),
                           below = level(column, std::int64_t{row} * 2 + 1);
        const bool same = inks.colour[above] == inks.colour[below] && (above == 0) == (below == 0);
        // The foreground colours a live half, so that it is visible without colours, too
        text[0] = above == 0 ? (below == 0 ? L' ' : L'\u2584') : (same ? L'\u2588' : L'\u2580');
        colours = above == 0 ? pair(below, 0) : pair(above, same ? 0 : below);
      }
      cchar_t cell;
      setcchar(&cell, text, A_NORMAL, colours, nullptr);
      mvadd_wch(line + row, column, &cell);
    }
  }
}

void Screen::write(int line, int column, const std::string& text, bool bright) {
  if (bright) attron(A_BOLD);
  mvaddnstr(line, column, text.c_str(), -1);
  if (bright) attroff(A_BOLD);
}

void Screen::clear_line(int line) {
  move(line, 0);
  clrtoeol();
}

void Screen::clear() { ::clear(); }
void Screen::show() { refresh(); }

}  // namespace app

#else

namespace app {

bool Screen::is_there() { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }
Screen::Screen(bool) : keys_(nullptr, std::fclose) {
  throw moorea::Error("this build has no terminal view (MOOREA_CURSES)", moorea::ErrorKind::unavailable);
}
Screen::~Screen() = default;
bool Screen::has_shades() const { return false; }
int Screen::columns() const { return 0; }
int Screen::lines() const { return 0; }
int Screen::wait_for_key(int) { return key_none; }
void Screen::draw(const moorea::Picture&, int, int, Dots, const Inks&) {}
void Screen::write(int, int, const std::string&, bool) {}
void Screen::clear_line(int) {}
void Screen::clear() {}
void Screen::show() {}

}  // namespace app

#endif
