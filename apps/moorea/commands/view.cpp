// SPDX-License-Identifier: MIT
// moorea view: a world in the terminal. Keys are Golly's where it has such.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/picture_options.h"
#include "cli/world.h"
#include "live/player.h"
#include "live/world_editor.h"
#include "moorea/error.h"
#include "moorea/picture.h"
#include "terminal/screen.h"

namespace app {
namespace {

constexpr double idle_seconds = 0.2;                // between two looks whether something else has happened
constexpr std::size_t max_noted_populations = 512;  // populations
constexpr int min_columns = 20, min_lines = 4;

struct ViewOptions {
  WorldOptions world;
  EngineOptions engine;
  std::string generations;
  std::string step = "0";
  bool play = false;
};

// The last of some numbers as bars, the largest as high as they go.
std::string sparkline(const std::deque<std::uint64_t>& numbers, std::size_t width) {
  constexpr const char* bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t count = std::min(width, numbers.size());
  const auto first = numbers.end() - static_cast<std::ptrdiff_t>(count);
  std::uint64_t minimum = UINT64_MAX, maximum = 0;
  for (auto i = first; i != numbers.end(); ++i)
    minimum = std::min(minimum, *i), maximum = std::max(maximum, *i);
  std::string text;
  for (auto i = first; i != numbers.end(); ++i) {
    const double part =
        maximum == minimum ? 0 : static_cast<double>(*i - minimum) / static_cast<double>(maximum - minimum);
    text += bars[static_cast<std::size_t>(std::lround(7 * part))];
  }
  return text;
}

// Which cells are seen: a point in the middle, and how many cells a dot is wide or how many dots a cell.
class Camera {
 public:
  /// Exponents of two: 3 is eight cells a dot, -1 two dots a cell.
  static constexpr int closest = -3, farthest = 15;

  void fit(const moorea::Box& box, std::int64_t width, std::int64_t height) {
    x_ = static_cast<double>(box.x) + static_cast<double>(box.width) / 2;
    y_ = static_cast<double>(box.y) + static_cast<double>(box.height) / 2;
    zoom_ = closest;
    while (zoom_ < farthest &&
           (static_cast<double>(box.width) > cells(width) || static_cast<double>(box.height) > cells(height)))
      ++zoom_;
  }
  void middle(const moorea::Box& box) {
    x_ = static_cast<double>(box.x) + static_cast<double>(box.width) / 2;
    y_ = static_cast<double>(box.y) + static_cast<double>(box.height) / 2;
  }
  void zoom(int by) { zoom_ = std::clamp(zoom_ + by, closest, farthest); }
  void pan(double right, double down, std::int64_t width, std::int64_t height) {
    x_ += right * cells(width);
    y_ += down * cells(height);
  }

  /// For so many dots.
  moorea::View view(std::int64_t width, std::int64_t height) const {
    moorea::View view;
    view.zoom = zoom_ < 0 ? 1 << -zoom_ : 1;
    moorea::Raster& raster = view.raster;
    raster.scale = std::min(zoom_ > 0 ? std::int64_t{1} << zoom_ : 1, moorea::max_raster_scale);
    raster.columns = std::max<std::int64_t>((width + view.zoom - 1) / view.zoom, 1);
    raster.rows = std::max<std::int64_t>((height + view.zoom - 1) / view.zoom, 1);
    // Squares stand where they stood, whatever is in the middle: else their shades would dance
    const auto corner = [&](double middle, std::int64_t number) {
      const auto scale = static_cast<double>(raster.scale);
      return static_cast<std::int64_t>(std::floor(middle / scale - static_cast<double>(number) / 2 + 0.5)) *
             raster.scale;
    };
    raster.x = corner(x_, raster.columns);
    raster.y = corner(y_, raster.rows);
    return view;
  }

  std::string text() const {
    return zoom_ > 0 ? fmt::format("1:{}", std::int64_t{1} << zoom_) : fmt::format("{}:1", 1 << -zoom_);
  }

 private:
  double cells(std::int64_t dots) const { return static_cast<double>(dots) * std::ldexp(1.0, zoom_); }

  double x_ = 0, y_ = 0;
  int zoom_ = 0;
};

constexpr const char* help[] = {
    "Enter    play, stop              Space    one generation",
    "Tab      one step                + -      longer, shorter steps",
    "] [      closer, farther         arrows   move (PgUp, PgDn)",
    "f        fit what lives          m        what lives in the middle",
    "b        blocks or braille       r        from the beginning",
    "q        quit                    ?        this",
};

class Viewer {
 public:
  Viewer(WorldEditor& editor, Player& player, std::optional<std::uint64_t> last)
      : editor_(editor), player_(player), last_(last) {}

  void run() {
    choose_dots();
    fit();
    while (!was_interrupted() && !quit_) {
      if (dirty_ && since(start_) >= next_draw_) draw();
      const double until_frame = dirty_ ? std::max(0.0, next_draw_ - since(start_)) : idle_seconds;
      const int key = screen_.wait_for_key(
          static_cast<int>(1000 * std::min(player_.seconds_until_due(idle_seconds), until_frame)));
      for (int next = key; next != key_none && !quit_; next = screen_.wait_for_key(0)) {
        press(next);
        dirty_ = true;
        next_draw_ = 0;
      }
      if (player_.busy() && player_.seconds_until_due(idle_seconds) <= 0) {
        const std::uint64_t generation = editor_.simulation().generation();
        const std::uint64_t maximum = last_ ? *last_ - std::min(*last_, generation) : UINT64_MAX;
        if (maximum == 0) player_.stop();
        player_.run(frame_seconds, maximum);
        dirty_ = true;
      }
    }
  }

 private:
  bool fits() const { return screen_.columns() >= min_columns && screen_.lines() >= min_lines; }
  int picture_lines() const { return screen_.lines() - 2; }
  std::int64_t dots_across() const { return screen_.columns() * (dots_ == Dots::braille ? 2 : 1); }
  std::int64_t dots_down() const { return picture_lines() * (dots_ == Dots::braille ? 4 : 2); }

  moorea::Box live_box() const {
    const moorea::Simulation& simulation = editor_.simulation();
    return simulation.bounding_box().value_or(simulation.grows() ? moorea::Box{-4, -4, 8, 8}
                                                                 : simulation.box());
  }

  // Braille where that shows every cell and half blocks do not; where a dot is many cells, half blocks have
  // more shades for how many live.
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
    const moorea::Simulation& simulation = editor_.simulation();
    const bool whole =
        !simulation.grows() && box.width == simulation.width() && box.height == simulation.height();
    const std::int64_t margin = whole ? 0 : 2;
    camera_.fit({box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin},
                dots_across(), dots_down());
  }

  void draw() {
    const auto begin = Clock::now();
    dirty_ = false;
    if (!fits()) {
      screen_.clear();
      screen_.write(0, 0, "larger, please");
    } else {
      note();
      draw_world();
      draw_status();
      if (shows_help_) draw_help();
    }
    screen_.show();
    // Drawing has its share of the time at most while something runs
    const double took = since(begin);
    next_draw_ = since(start_) + std::max(frame_seconds, player_.busy() ? took / max_drawing_share : 0.0);
  }

  // Counts what lives, for the curve.
  void note() {
    populations_.push_back(editor_.simulation().population());
    if (populations_.size() > max_noted_populations) populations_.pop_front();
  }

  void draw_world() {
    screen_.draw(moorea::draw_density(editor_.simulation(), camera_.view(dots_across(), dots_down())), 0,
                 picture_lines(), dots_);
  }

  void draw_status() {
    const moorea::Simulation& simulation = editor_.simulation();
    const int line = picture_lines();
    screen_.clear_line(line);
    screen_.clear_line(line + 1);
    const int exponent = player_.exponent();
    const std::string step = exponent < 0
                                 ? fmt::format("1 every {:.2g} s", frame_seconds * std::ldexp(1.0, -exponent))
                                 : fmt::format("step {}", std::uint64_t{1} << exponent);
    const std::string rule =
        simulation.rule().name().empty() ? simulation.rule().str() : std::string(simulation.rule().name());
    const double rate = player_.generations_per_second();
    const std::string pace = !player_.busy() ? "stopped"
                             : rate > 0      ? fmt::format("{} generations/s", human_rate(rate))
                                             : "playing";
    // What there is no room for in the first line begins the second one
    std::vector<std::string> items = {fmt::format("generation {}", simulation.generation()),
                                      fmt::format("population {}", populations_.back()), pace, step,
                                      camera_.text()};
    screen_.write(line, 0, cut(take_items(items)), true);
    if (simulation.edge_met()) items.push_back(fmt::format("met its edge at {}", *simulation.edge_met()));
    items.insert(items.end(), {"? help", fmt::format("{} on {}", rule, simulation.device())});
    const std::string left = take_items(items) + "  ";
    screen_.write(line + 1, 0, cut(left));
    const auto room =
        static_cast<std::ptrdiff_t>(screen_.columns()) - static_cast<std::ptrdiff_t>(left.size()) - 1;
    if (room > 4)
      screen_.write(line + 1, static_cast<int>(left.size()),
                    sparkline(populations_, static_cast<std::size_t>(room)));
  }

  // As many of the items as a line has room for, one at least; they are removed.
  std::string take_items(std::vector<std::string>& items) const {
    std::string text = items.front();
    std::size_t taken = 1;
    while (taken < items.size() &&
           text.size() + 2 + items[taken].size() <= static_cast<std::size_t>(screen_.columns()))
      text += "  " + items[taken++];
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(taken));
    return text;
  }

  void draw_help() {
    int line = 1;
    for (const char* text : help) {
      if (line >= picture_lines()) break;
      screen_.write(line++, 2, cut(fmt::format(" {:58} ", text), 2));
    }
  }

  // ASCII that would go beyond the screen.
  std::string cut(std::string text, int from = 0) const {
    text.resize(std::min(text.size(), static_cast<std::size_t>(std::max(screen_.columns() - from, 0))));
    return text;
  }

  void toggle() {
    if (player_.busy()) {
      player_.stop();
    } else {
      player_.play();
    }
  }

  void press(int key) {
    constexpr double near = 0.1, far = 0.5;
    shows_help_ = key == '?' && !shows_help_;
    switch (key) {
      case 'q':
      case 3:  // Ctrl-C as a character
        quit_ = true;
        break;
      case '\n':
      case '\r':
        toggle();
        break;
      case ' ':
        player_.step(1);
        break;
      case '\t':
        player_.step(player_.exponent() < 0 ? 1 : std::uint64_t{1} << player_.exponent());
        break;
      case '+':
      case '=':
        player_.set_exponent(player_.exponent() + 1);
        break;
      case '-':
      case '_':
        player_.set_exponent(player_.exponent() - 1);
        break;
      case ']':
        camera_.zoom(-1);
        break;
      case '[':
        camera_.zoom(1);
        break;
      case 'f':
        fit();
        break;
      case 'm':
        camera_.middle(live_box());
        break;
      case 'b':
        dots_ = dots_ == Dots::braille ? Dots::half_blocks : Dots::braille;
        break;
      case 'r':
        player_.stop();
        editor_.reset();
        populations_.clear();
        break;
      case key_left:
        camera_.pan(-near, 0, dots_across(), dots_down());
        break;
      case key_right:
        camera_.pan(near, 0, dots_across(), dots_down());
        break;
      case key_up:
        camera_.pan(0, -near, dots_across(), dots_down());
        break;
      case key_down:
        camera_.pan(0, near, dots_across(), dots_down());
        break;
      case key_page_up:
        camera_.pan(0, -far, dots_across(), dots_down());
        break;
      case key_page_down:
        camera_.pan(0, far, dots_across(), dots_down());
        break;
      case key_resized:
        screen_.clear();
        break;
      default:
        break;
    }
  }

  WorldEditor& editor_;
  Player& player_;
  std::optional<std::uint64_t> last_;
  std::deque<std::uint64_t> populations_;
  Screen screen_;
  Camera camera_;
  Dots dots_ = Dots::half_blocks;
  Clock::time_point start_ = Clock::now();
  double next_draw_ = 0;
  bool dirty_ = true, shows_help_ = false, quit_ = false;
};

// Where there is no terminal: a line now and then.
void run_without_screen(const WorldEditor& editor, Player& player, std::optional<std::uint64_t> last) {
  constexpr double line_seconds = 1;
  const moorea::Simulation& simulation = editor.simulation();
  player.step(last ? *last - simulation.generation() : std::uint64_t{1} << 62);
  const auto begin = Clock::now();
  const std::uint64_t first = simulation.generation();
  auto said = begin;
  const auto say_line = [&] {
    print(fmt::format("generation {}, population {}, {} generations/s\n", simulation.generation(),
                      simulation.population(),
                      human_rate(static_cast<double>(simulation.generation() - first) / since(begin))));
    said = Clock::now();
  };
  while (!was_interrupted() && player.busy()) {
    player.run(line_seconds, UINT64_MAX);
    if (since(said) >= line_seconds) say_line();
  }
  say_line();
}

int view(const ViewOptions& options) {
  const std::uint64_t exponent = parse_whole(options.step, "--step", Player::fastest);
  const World world(options.world);
  catch_interruption();
  WorldEditor editor({[&](const moorea::Options& engine) { return world.simulate(engine); }, world.name(),
                      options.engine.options(), Screen::is_there() ? default_history_bytes() : 0});
  Player player(editor, static_cast<int>(exponent));
  std::optional<std::uint64_t> last;
  if (!options.generations.empty())
    last = editor.simulation().generation() + parse_count(options.generations, "generations");
  if (!Screen::is_there()) {
    run_without_screen(editor, player, last);
  } else {
    if (options.play) player.play();
    Viewer(editor, player, last).run();
    const moorea::Simulation& simulation = editor.simulation();
    say(fmt::format("generation {}, population {}", simulation.generation(), simulation.population()));
  }
  if (const auto edge = edge_text(editor.simulation())) say(*edge);
  return was_interrupted() ? interruption_exit() : int{ok};
}

}  // namespace

Action add_view(CommandLine& line) {
  Command command = line.add_command("view", "Watch a pattern or noise in the terminal");
  const auto options = std::make_shared<ViewOptions>();
  add_world_options(command, options->world);
  command.add_option("-g,--generations", options->generations, "Stop after so many. Default: when told to")
      .type_name("N");
  command
      .add_option("--step", options->step,
                  "Generations between two frames, as a power of two: 10 is 1024. Default: 0")
      .type_name("K");
  command.add_flag("--play", options->play, "Begin at once, instead of with Enter");
  add_kernel_option(command, options->engine);
  add_engine_options(command, options->engine);
  std::string keys;
  for (const char* text : help) keys += fmt::format("  {}\n", text);
  command.footer("Keys, as Golly's where it has such:\n" + keys +
                 "A cell is a half block, or a braille dot where all of them fit so; where a dot is many "
                 "cells, its shade is\n"
                 "how many live. Without a terminal it prints a line each second.\n"
                 "Examples:\n"
                 "  moorea view patterns/acorn.rle\n"
                 "  moorea view --random 0.5 --size 65536 --device cuda --step 6 --play");
  return [options] { return view(*options); };
}

}  // namespace app
