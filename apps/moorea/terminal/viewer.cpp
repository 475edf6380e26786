// SPDX-License-Identifier: MIT
#include "terminal/viewer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/clock.h"
#include "moorea/picture.h"
#include "terminal/camera.h"
#include "terminal/colours.h"
#include "terminal/screen.h"
#include "terminal/sparkline.h"

namespace app {
namespace {

constexpr double idle_seconds = 0.2;  // maximum wait for a key
constexpr int min_columns = 20, min_lines = 4;
constexpr int help_columns = 58;

constexpr const char* help[] = {
    "Enter    play, stop              Space    one generation",
    "Tab .    one step forward        ,        one step back",
    "+ -      longer, shorter steps   r        restart",
    "u        undo a restart          U        redo it",
    "] [      closer, farther         arrows   move (PgUp, PgDn)",
    "f        fit the live cells      m        to their middle",
    "c        age, trails, activity   p        another palette",
    "b        blocks or braille       ?        this help",
    "h        hyperspeed              q        quit",
};

class Viewer {
 public:
  /// Stops at the generation `last`.
  Viewer(WorldEditor& editor, Player& player, std::optional<std::uint64_t> last,
         const PictureOptions& colours)
      : editor_(editor), player_(player), last_(last), colours_(colours), screen_(colours.palette.empty()) {}

  void run() {
    choose_dots();
    fit();
    while (!was_interrupted() && !quit_) {
      if (dirty_ && since(start_) >= next_draw_) draw();
      handle_keys();
      if (player_.busy() && player_.seconds_until_due(idle_seconds) <= 0) advance();
    }
  }

 private:
  const moorea::Simulation& simulation() const { return editor_.simulation(); }
  bool fits() const { return screen_.columns() >= min_columns && screen_.lines() >= min_lines; }
  int picture_lines() const { return screen_.lines() - 2; }
  DotCount dot_count() const {
    const bool braille = dots_ == Dots::braille;
    return {std::int64_t{screen_.columns()} * (braille ? 2 : 1),
            std::int64_t{picture_lines()} * (braille ? 4 : 2)};
  }

  void handle_keys() {
    const double until_frame = dirty_ ? std::max(0.0, next_draw_ - since(start_)) : idle_seconds;
    const double wait = std::min(player_.seconds_until_due(idle_seconds), until_frame);
    for (int key = screen_.wait_for_key(static_cast<int>(1000 * wait)); key != key_none && !quit_;
         key = screen_.wait_for_key(0)) {
      press(key);
      dirty_ = true;
      next_draw_ = 0;
    }
  }

  void advance() {
    const std::uint64_t generation = editor_.generation();
    const std::uint64_t maximum = last_ ? *last_ - std::min(*last_, generation) : UINT64_MAX;
    if (maximum == 0) player_.stop();
    player_.run(frame_seconds, maximum);
    if (fits()) colours_.watch(editor_, player_, camera_.view(dot_count()));
    dirty_ = true;
  }

  moorea::Box live_box() const {
    constexpr moorea::Box around_origin{-4, -4, 8, 8};
    return editor_.bounding_box().value_or(simulation().grows() ? around_origin : simulation().box());
  }

  // Braille if it shows every cell and half blocks do not. If a dot is many cells, half blocks have more
  // shades for their number.
  void choose_dots() {
    const moorea::Box box = live_box();
    const auto shows_all = [&](int wide, int high) {
      return box.width <= std::int64_t{wide} * screen_.columns() &&
             box.height <= std::int64_t{high} * picture_lines();
    };
    const bool braille = !shows_all(1, 2) && (shows_all(2, 4) || !screen_.has_shades());
    dots_ = braille ? Dots::braille : Dots::half_blocks;
  }

  void fit() {
    const moorea::Box box = live_box();
    const bool whole =
        !simulation().grows() && box.width == simulation().width() && box.height == simulation().height();
    const std::int64_t margin = whole ? 0 : 2;
    camera_.fit({box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin},
                dot_count());
  }

  void draw() {
    const auto begin = Clock::now();
    dirty_ = false;
    if (!fits()) {
      screen_.clear();
      screen_.write(0, 0, "larger terminal needed");
    } else {
      draw_world();
      draw_status();
      if (help_page_ > 0) draw_help();
    }
    screen_.show();
    // While the world runs, drawing takes a share of the time at most
    const double took = since(begin);
    next_draw_ =
        since(start_) + std::max(frame_seconds, player_.busy() ? took / player_.drawing_share() : 0.0);
  }

  void draw_world() {
    const ViewColours::Drawing drawing = colours_.draw(editor_, camera_.view(dot_count()));
    screen_.draw(drawing.picture, 0, picture_lines(), dots_, drawing.inks);
  }

  // The first line; items that do not fit begin the second one.
  std::vector<std::string> numbers(const std::string& population) const {
    const std::string step = step_text(player_);
    const double rate = player_.generations_per_second();
    const bool is_at_end = last_ && editor_.generation() >= *last_;
    const std::string pace = !player_.busy() ? is_at_end ? "stopped at the end" : "stopped"
                             : rate > 0      ? fmt::format("{} generations/s", human_rate(rate))
                                             : "playing";
    return {fmt::format("generation {}", editor_.generation()), fmt::format("population {}", population),
            pace, step, camera_.text()};
  }

  void draw_status() {
    const int line = picture_lines();
    screen_.clear_line(line);
    screen_.clear_line(line + 1);
    const moorea::BigInteger population = simulation().far_population();
    curve_.add(editor_.generation(), population.as_unsigned().value_or(UINT64_MAX));
    std::vector<std::string> items = numbers(population.str());
    screen_.write(line, 0, cut(take_items(items)), true);
    const std::optional<std::uint64_t>& edge = editor_.edge_met();
    if (edge && editor_.generation() >= *edge) items.push_back(fmt::format("met its edge at {}", *edge));
    if (const std::string text = colours_.text(); !text.empty()) items.push_back(text);
    const moorea::Rule& rule = simulation().rule();
    const std::string name = rule.name().empty() ? rule.str() : std::string(rule.name());
    items.insert(
        items.end(),
        {"? help", fmt::format("{} on {}", name, simulation().is_tree() ? "a tree" : simulation().device())});
    const std::string left = take_items(items) + "  ";
    screen_.write(line + 1, 0, cut(left));
    const auto room =
        static_cast<std::ptrdiff_t>(screen_.columns()) - static_cast<std::ptrdiff_t>(left.size()) - 1;
    if (room > 4)
      screen_.write(line + 1, static_cast<int>(left.size()), curve_.text(static_cast<std::size_t>(room)));
  }

  // Removes and returns the items that fit in a line, at least one.
  std::string take_items(std::vector<std::string>& items) const {
    std::string text = items.front();
    std::size_t taken = 1;
    while (taken < items.size() &&
           text.size() + 2 + items[taken].size() <= static_cast<std::size_t>(screen_.columns()))
      text += "  " + items[taken++];
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(taken));
    return text;
  }

  // Two keys in a line, or one where the terminal is too narrow.
  std::vector<std::string> help_lines() const {
    constexpr std::size_t left_columns = 33;
    std::vector<std::string> lines;
    for (const std::string text : help) {
      if (screen_.columns() >= help_columns + 4) {
        lines.push_back(text);
        continue;
      }
      lines.push_back(text.substr(0, left_columns));
      if (text.size() > left_columns) lines.push_back(text.substr(left_columns));
    }
    return lines;
  }

  // Lines of a page of the help, without the one that says that there are more.
  int lines_of_help() const {
    const int lines = std::max(picture_lines() - 1, 1);
    return lines < static_cast<int>(help_lines().size()) ? std::max(lines - 1, 1) : lines;
  }

  void draw_help() {
    const std::vector<std::string> lines = help_lines();
    const int first = (help_page_ - 1) * lines_of_help(),
              last = std::min<int>(first + lines_of_help(), static_cast<int>(lines.size()));
    const int width = screen_.columns() >= help_columns + 4 ? help_columns : screen_.columns() - 4;
    const auto write = [&](int line, const std::string& text) {
      screen_.write(line, 2, cut(fmt::format(" {:{}} ", text, width), 2));
    };
    for (int i = first; i < last; ++i) write(1 + i - first, lines[static_cast<std::size_t>(i)]);
    if (next_help_page() > 0) write(1 + last - first, "?        more keys");
  }

  // The next page of the help; none after the last one.
  int next_help_page() const {
    const bool is_last = help_page_ * lines_of_help() >= static_cast<int>(help_lines().size());
    return help_page_ > 0 && is_last ? 0 : help_page_ + 1;
  }

  // Shortens ASCII text to the screen.
  std::string cut(std::string text, int from = 0) const {
    text.resize(std::min(text.size(), static_cast<std::size_t>(std::max(screen_.columns() - from, 0))));
    return text;
  }

  void press(int key) {
    help_page_ = key == '?' ? next_help_page() : 0;
    if (!press_time_key(key) && !press_view_key(key)) press_other_key(key);
  }

  // Keys that play, step and go back in time. Returns false for another key.
  bool press_time_key(int key) {
    switch (key) {
      case '\n':
      case '\r':
        player_.busy() ? player_.stop() : player_.play();
        return true;
      case ' ':
        player_.step(1);
        return true;
      case '\t':
      case '.':
        player_.step_forward();
        return true;
      case ',':
        player_.step_back();
        return true;
      case '+':
      case '=':
        player_.set_exponent(player_.exponent() + 1);
        return true;
      case '-':
      case '_':
        player_.set_exponent(player_.exponent() - 1);
        return true;
      case 'h':
        player_.set_hyperspeed(!player_.hyperspeed());
        return true;
      case 'r':
        edit(&WorldEditor::reset);
        return true;
      case 'u':
        if (editor_.can_undo()) edit(&WorldEditor::undo);
        return true;
      case 'U':
        if (editor_.can_redo()) edit(&WorldEditor::redo);
        return true;
      default:
        return false;
    }
  }

  void edit(void (WorldEditor::*verb)()) {
    (editor_.*verb)();
    player_.stop();
  }

  // Keys that choose what is seen. Returns false for another key.
  bool press_view_key(int key) {
    constexpr double near = 0.1, far = 0.5;
    switch (key) {
      case ']':
        camera_.zoom(-1);
        return true;
      case '[':
        camera_.zoom(1);
        return true;
      case 'f':
        fit();
        return true;
      case 'm':
        camera_.move_to_middle_of(live_box());
        return true;
      case key_left:
        camera_.pan(-near, 0, dot_count());
        return true;
      case key_right:
        camera_.pan(near, 0, dot_count());
        return true;
      case key_up:
        camera_.pan(0, -near, dot_count());
        return true;
      case key_down:
        camera_.pan(0, near, dot_count());
        return true;
      case key_page_up:
        camera_.pan(0, -far, dot_count());
        return true;
      case key_page_down:
        camera_.pan(0, far, dot_count());
        return true;
      default:
        return false;
    }
  }

  void press_other_key(int key) {
    switch (key) {
      case 'q':
      case ctrl_c:
        quit_ = true;
        break;
      case 'c':
        colours_.next_colouring();
        break;
      case 'p':
        colours_.next_palette();
        break;
      case 'b':
        dots_ = dots_ == Dots::braille ? Dots::half_blocks : Dots::braille;
        break;
      case key_resized:
        screen_.clear();
        break;
      default:
        break;
    }
  }

  static constexpr int ctrl_c = 3;  // as a character

  WorldEditor& editor_;
  Player& player_;
  std::optional<std::uint64_t> last_;
  ViewColours colours_;
  PopulationCurve curve_;
  Screen screen_;
  Camera camera_;
  Dots dots_ = Dots::half_blocks;
  Clock::time_point start_ = Clock::now();
  double next_draw_ = 0;
  bool dirty_ = true, quit_ = false;
  int help_page_ = 0;  // from 1 on; 0: not shown
};

}  // namespace

void show_in_terminal(WorldEditor& editor, Player& player, std::optional<std::uint64_t> last,
                      const PictureOptions& colours) {
  Viewer(editor, player, last, colours).run();
}

std::span<const char* const> terminal_keys() { return help; }

}  // namespace app
