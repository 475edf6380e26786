// SPDX-License-Identifier: MIT
// moorea census: soups until they settle, and the objects that remain.
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <system_error>

#include "cli/app.h"
#include "cli/clock.h"
#include "cli/file_lock.h"
#include "cli/numbers.h"
#include "cli/paths.h"
#include "cli/status_line.h"
#include "moorea/census.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "moorea/support/file_names.h"
#include "moorea/support/output_file.h"
#include "report/census_page.h"

namespace app {
namespace {

struct CensusCommand {
  std::string soups = "10k";
  std::string rule, symmetry, seed, reach;  // empty: of the haul that is continued, else the defaults
  std::string generations;
  std::string output, page;
  std::string show_soup;
  std::string threads = "0";
  std::string device = "cpu";
  bool resume = false;
  bool json = false, json_lines = false;
};

// Whether a text is a root of soups that commands can contain as it is.
bool is_word(const std::string& text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

moorea::CensusSpec census_spec(const CensusCommand& command) {
  moorea::CensusSpec spec;
  spec.rule = moorea::Rule::parse(command.rule.empty() ? "Life" : command.rule);
  spec.symmetry = command.symmetry.empty() ? "C1" : command.symmetry;
  spec.root = command.seed.empty() ? "moorea" : command.seed;
  if (!is_word(spec.root)) usage(fmt::format("--seed \"{}\": expected letters, digits, _ and -", spec.root));
  spec.reach = static_cast<std::int64_t>(
      parse_whole(command.reach.empty() ? "0" : command.reach, "--reach", INT32_MAX));
  spec.soups = parse_count(command.soups, "--soups");
  spec.max_generations =
      parse_count(command.generations.empty() ? "100k" : command.generations, "--generations");
  spec.threads = static_cast<int>(parse_whole(command.threads, "--threads", 4096));
  spec.device = command.device;
  return spec;
}

class CensusRun {
 public:
  explicit CensusRun(const CensusCommand& command) : command_(command), spec_(census_spec(command)) {
    if (command.resume && command.output.empty()) usage("--resume needs -o FILE, which it continues");
    if (!command.page.empty()) require_page_name("--page", command.page);
    require_different_files("-o", command.output, "--page", command.page);
    if (!command.output.empty()) open_haul();
    total_ = spec_.soups;
    if (haul_.soups > total_)
      usage(fmt::format("{} has {} soups, more than --soups {}", command.output, haul_.soups, total_));
    spec_.first = haul_.soups;
    spec_.soups = total_ - haul_.soups;
    moorea::check_census(spec_);
  }

  int run() {
    // What cannot be written is refused before a long run
    if (!command_.page.empty()) moorea::OutputFile{command_.page};
    save();
    begun_ = saved_ = Clock::now();
    try {
      moorea::take_census(
          spec_,
          [&](const moorea::Haul& next) {
            haul_.add(next);
            constexpr double save_seconds = 30;
            if (since(saved_) >= save_seconds) try_to_save();
          },
          [&] {
            show();
            if (!was_interrupted()) return true;
            say("finishing the soups that are under way, for at most five seconds");
            return false;
          });
    } catch (...) {
      line_.clear();
      try_to_save();  // the soups before the error
      throw;
    }
    stop_time_limit();
    line_.clear();
    finish();
    if (haul_.soups == total_) return ok;
    constexpr std::uint64_t few = 32;
    const bool is_slow = haul_.soups - spec_.first < few && command_.generations.empty() && spec_.reach == 0;
    say(fmt::format("{} after {} of {} soups{}{}", interruption_text(), haul_.soups, total_,
                    command_.output.empty() ? "" : "; the same command with --resume continues",
                    is_slow ? "; soups of this rule take long: -g 1000 counts those as PATHOLOGICAL that "
                              "have not settled by then, --reach 64 those that have grown"
                            : ""));
    return interruption_exit();
  }

 private:
  // Haul, page and report: what cannot be written does not keep the others from it.
  void finish() {
    std::exception_ptr error;
    const auto attempt = [&](const auto& write_one) {
      try {
        write_one();
      } catch (const moorea::Error& problem) {
        if (error)
          say_error(problem.what());
        else
          error = std::current_exception();
      }
    };
    attempt([&] { report(); });
    attempt([&] { save(); });
    attempt([&] {
      if (!command_.page.empty()) write(command_.page, census_page(haul_, spec_));
    });
    if (error) std::rethrow_exception(error);
  }

  void open_haul() {
    const std::string& path = command_.output;
    std::error_code error;
    if (path == "-" || moorea::has_ending(path, ".gz") || is_special_file(path))
      usage(fmt::format(
          "-o {}: expected an uncompressed file, which is rewritten every 30 seconds; --json prints "
          "the census at the end",
          path));
    lock_.emplace(path, "haul");
    if (std::filesystem::is_regular_file(path, error)) return load();
    if (command_.resume) say(fmt::format("there is no {} yet: the census begins with soup 0", path));
  }

  void load() {
    if (!command_.resume)
      usage(fmt::format("{} exists: add --resume to continue it, or remove it", command_.output));
    std::ifstream file(command_.output, std::ios::binary);
    if (!file) throw moorea::Error(fmt::format("{}: cannot read: {}", command_.output, std::strerror(errno)));
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    moorea::SavedHaul saved = moorea::read_haul(text, command_.output);
    if (!is_word(saved.root))
      throw moorea::Error(
          fmt::format("{}: @ROOT \"{}\": expected letters, digits, _ and -", command_.output, saved.root));
    if (command_.seed.empty()) spec_.root = saved.root;
    if (command_.symmetry.empty()) spec_.symmetry = saved.symmetry;
    if (command_.rule.empty()) spec_.rule = moorea::Rule::parse(saved.rule);
    if (command_.reach.empty()) spec_.reach = saved.reach;
    if (saved.reach != spec_.reach)
      usage(
          fmt::format("{} is the haul of {}", command_.output,
                      saved.reach > 0 ? fmt::format("--reach {}", saved.reach) : "a census without --reach"));
    if (saved.root != spec_.root || saved.symmetry != spec_.symmetry ||
        moorea::Rule::parse(saved.rule) != spec_.rule)
      usage(fmt::format("{} is the haul of --rule {} --symmetry {} --seed {}", command_.output, saved.rule,
                        saved.symmetry, saved.root));
    haul_ = std::move(saved.haul);
    // Soups after the last one would be counted twice
    for (const auto& [code, entry] : haul_.objects)
      for (const std::uint64_t soup : entry.soups)
        if (soup >= haul_.soups)
          throw moorea::Error(fmt::format("{}: soup {} of {} is none of the first {}, as @NUM_SOUPS says",
                                          command_.output, soup, code, haul_.soups));
  }

  static void write(const std::string& path, const std::string& text) {
    moorea::OutputFile file(path);
    file.write(text);
    file.finish();
  }

  void save() {
    if (!command_.output.empty()) write(command_.output, moorea::haul_text(haul_, spec_));
    saved_ = Clock::now();
  }

  // The census goes on: there may be space later.
  void try_to_save() try { save(); } catch (const moorea::Error& error) {
    say_error(error.what());
    saved_ = Clock::now();
  }

  double rate() const {
    return static_cast<double>(haul_.soups - spec_.first) / std::max(since(begun_), 1e-9);
  }

  void show() {
    if (!line_.due() || since(begun_) < 0.1) return;
    line_.show(fmt::format("soup {} of {}, {} soups/s", haul_.soups, total_, human_rate(rate())),
               {{"soup", haul_.soups}, {"goal", total_}, {"soups_per_second", rate()}});
  }

  void report() const {
    const std::vector<CensusLine> lines = census_lines(haul_, spec_.rule);
    const std::uint64_t objects = haul_.object_count();
    const double seconds = since(begun_);
    if (command_.json) {
      Json json = {{"rule", spec_.rule.str()},  {"symmetry", spec_.symmetry}, {"seed", spec_.root},
                   {"soups", haul_.soups},      {"object_count", objects},    {"seconds", seconds},
                   {"first_soup", spec_.first}, {"soups_per_second", rate()}, {"objects", Json::array()}};
      if (spec_.reach > 0) {
        json["reach"] = spec_.reach;
        json["cut_off"] = cut_off_soups(haul_);
      }
      for (const CensusLine& line : lines)
        json["objects"].push_back({{"apgcode", line.code},
                                   {"name", line.name},
                                   {"count", line.entry.count},
                                   {"soups", line.entry.soups}});
      json["interrupted"] = false;
      if (haul_.soups < total_ && was_interrupted()) add_interruption(json);
      print_json(json);
      return;
    }
    constexpr std::size_t max_lines = 30;
    print(fmt::format("{} in {}, {} soups/s: {} of {}\n", counted(haul_.soups, "soup"),
                      human_seconds(seconds), human_rate(rate()), counted(objects, "object"),
                      counted(lines.size(), "kind")));
    if (spec_.reach > 0) print(cut_off_note(haul_, spec_) + "\n");
    for (std::size_t i = 0; i < std::min(max_lines, lines.size()); ++i)
      print(fmt::format("{:>12}  {:>9.4f} %  {:24}  {}\n", lines[i].entry.count,
                        100 * static_cast<double>(lines[i].entry.count) / static_cast<double>(objects),
                        lines[i].name, lines[i].code));
    if (lines.size() > max_lines)
      print(fmt::format("and {}: -o FILE.txt, --page FILE.html or --json has all\n",
                        counted(lines.size() - max_lines, "rarer kind")));
  }

  const CensusCommand& command_;
  moorea::CensusSpec spec_;
  std::uint64_t total_ = 0;
  moorea::Haul haul_;
  Clock::time_point begun_, saved_;
  StatusLine line_;
  std::optional<FileLock> lock_;
};

int show_soup(const CensusCommand& command) {
  const moorea::CensusSpec spec = census_spec(command);
  const std::uint64_t number = parse_whole(command.show_soup, "--show-soup", INT64_MAX);
  if (!command.page.empty() || command.json || command.resume)
    usage("--show-soup shows one soup: leave --page, --json, --jsonl and --resume out");
  const moorea::Pattern soup =
      moorea::soup_pattern(spec.root + std::to_string(number), spec.symmetry, spec.rule);
  if (command.output.empty())
    print(moorea::format_pattern(soup));
  else
    moorea::write_pattern(soup, command.output);
  return ok;
}

}  // namespace

Action add_census(CommandLine& line) {
  Command command = line.add_command("census", "Run soups until they settle and count their objects");
  const auto options = std::make_shared<CensusCommand>();
  command.add_option("--soups", options->soups, "Number of soups: 1000, 1e6, 10k. Default: 10k")
      .type_name("N");
  command
      .add_option("-r,--rule", options->rule,
                  "Isotropic rule without B0, such as B36/S23 and B2-a/S12. Default: Life")
      .type_name("RULE");
  command
      .add_option(
          "--symmetry", options->symmetry,
          "Symmetry of the soups: C1 (none), C2_1, C2_2, C2_4, C4_1, C4_4, D2_+1, D2_+2, D2_x, D4_+1, "
          "D4_+2, D4_+4, D4_x1, D4_x4, D8_1, D8_4. Default: C1")
      .type_name("NAME");
  command
      .add_option("--seed", options->seed, "Root of the soups' names, as apgsearch has it. Default: moorea")
      .type_name("TEXT");
  command
      .add_option("-g,--generations", options->generations,
                  "A soup that has not settled at this generation counts as PATHOLOGICAL. Default: 100k")
      .type_name("N");
  command
      .add_option(
          "--reach", options->reach,
          "Cut soups off that leave the middle N columns and rows: they count as zz_CUT_OFF. A multiple "
          "of 16 from 64 to 1024; 0: an unbounded plane. Default: 0")
      .type_name("N");
  command.add_option("-o,--output", options->output, "Haul to write, in the format of apgsearch")
      .type_name("FILE");
  command.add_option("--page", options->page, "Write a page with pictures of rare objects and their soups")
      .type_name("FILE");
  command.add_flag("--resume", options->resume,
                   "Continue the haul -o, with its rule, symmetry, seed and reach");
  command.add_option("--show-soup", options->show_soup, "Print a soup as RLE, or write it to -o, and end")
      .type_name("NUMBER");
  command.add_option("--threads", options->threads, "CPU threads; 0: all cores. Default: 0").type_name("N");
  command
      .add_option("--device", options->device,
                  "cpu, or cuda or cuda:N, which advances the soups. Default: cpu")
      .type_name("NAME");
  command.add_flag("--json", options->json, "Print the census as JSON");
  command.add_flag("--jsonl", options->json_lines,
                   "Print progress once a second and the census as lines of JSON");
  command.footer(
      "A soup has 16 x 16 random cells, or their images by the symmetry, on an unbounded plane; soup N is "
      "that of\n"
      "SHA-256 of the seed followed by N, as Catagolue names it. Counts do not depend on the number of "
      "threads.\n"
      "Examples:\n"
      "  moorea census --soups 1e6 -o haul.txt --page census.html\n"
      "  moorea census --soups 2e6 -o haul.txt --resume\n"
      "  moorea census --rule B34/S34 --reach 96\n"
      "  moorea census --show-soup 17 --seed moorea > soup.rle");
  return [options] {
    if (options->json_lines) {
      set_json_lines();
      options->json = true;
    }
    if (!options->show_soup.empty()) return show_soup(*options);
    catch_interruption();
    catch_broken_output();
    return CensusRun(*options).run();
  };
}

}  // namespace app
