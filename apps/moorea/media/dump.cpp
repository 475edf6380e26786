// SPDX-License-Identifier: MIT
#include "media/dump.h"

#include <fmt/core.h>

#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/app.h"
#include "cli/picture_options.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "moorea/picture.h"
#include "moorea/support/file_names.h"

namespace app {
namespace {

[[noreturn]] void bad_path(const std::string& path) {
  usage(fmt::format(
      "--dump \"{}\": expected a path that has %d, or %06d for six digits, once in place of the generation",
      path));
}

}  // namespace

Dump::Dump(const DumpOptions& options, moorea::Simulation& simulation, const NamedFiles& others, bool resumed)
    : format_(options.format), queue_(max_queued_bytes) {
  const std::string& path = options.files;
  const std::size_t percent = path.find('%');
  const std::size_t d =
      percent == std::string::npos ? percent : path.find_first_not_of("0123456789", percent + 1);
  if (d == std::string::npos || path[d] != 'd' || path.find('%', d) != std::string::npos) bad_path(path);
  const std::string width = path.substr(percent + 1, d - percent - 1);
  if (!width.empty() && (width[0] != '0' || width.size() > 3)) bad_path(path);
  if (!width.empty()) digits_ = std::stoi(width);
  before_ = path.substr(0, percent);
  behind_ = path.substr(d + 1);
  if (behind_.find('/') != std::string::npos)
    usage(fmt::format("--dump \"{}\": the generation is a part of the file's name, not of a folder's", path));
  const bool known = behind_.find('.') == std::string::npos || moorea::has_ending(behind_, ".pbm") ||
                     moorea::has_ending(behind_, ".pbm.gz") || moorea::has_ending(behind_, ".png");
  if (!known) usage(fmt::format("--dump \"{}\": expected names that end in .pbm or .png", path));
  if (format_.empty()) format_ = moorea::has_ending(behind_, ".png") ? "png" : "pbm";
  if (format_ != "png" && format_ != "pbm" && format_ != "pbm-plain")
    usage(fmt::format("--dump-format \"{}\": expected pbm (P4), pbm-plain (P1) or png", format_));
  if ((format_ == "png") != moorea::has_ending(behind_, ".png"))
    usage(fmt::format("--dump \"{}\" with the format {}: their names and PNG go together", path, format_));
  picture_ = format_ == "png";
  if (picture_) moorea::check_picture_path(path);
  if (simulation.grows()) usage("--dump: the pictures of an unbounded plane have many sizes; add --size WxH");
  const std::uint64_t every = parse_count(options.every, "--every");
  if (every == 0) usage("--every 0: expected at least 1");
  for (const auto& [option, file] : others) {
    if (!file.empty() && makes(file))
      usage(fmt::format("--dump {} and {} {} name the same file; choose another name for one of them", path,
                        option, file));
  }
  const std::filesystem::path folder = std::filesystem::path(path_of(0)).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw moorea::Error(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  if (!resumed || simulation.generation() % every == 0) add(simulation);
  observation_ = simulation.observe(every, [this](const moorea::Simulation& now) {
    if (!failure_) add(now);
  });
}

std::string Dump::path_of(std::uint64_t generation) const {
  return fmt::format("{}{:0{}}{}", before_, generation, digits_, behind_);
}

// Whether the path is that of a generation's picture, however it is written.
bool Dump::makes(const std::string& path) const {
  if (path == "-") return false;
  const std::filesystem::path here = resolved_path(path_of(0)), there = resolved_path(path);
  if (here.parent_path() != there.parent_path()) return false;
  const std::string name = there.filename().string();
  const std::string before = std::filesystem::path(before_ + "0").filename().string();
  const std::size_t begin = before.size() - 1;
  if (name.size() <= begin + behind_.size() || !name.starts_with(before.substr(0, begin)) ||
      !name.ends_with(behind_))
    return false;
  const std::string number = name.substr(begin, name.size() - begin - behind_.size());
  std::uint64_t generation = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), generation);
  return error == std::errc() && end == number.data() + number.size() &&
         number == fmt::format("{:0{}}", generation, digits_);
}

void Dump::add(const moorea::Simulation& simulation) {
  try {
    const auto bytes = static_cast<std::size_t>((simulation.width() + 63) / 64 * 8 * simulation.height());
    const std::string path = path_of(simulation.generation());
    if (picture_) {
      const PictureStyle style{PictureOptions{}};
      const moorea::View view{{0, 0, simulation.width(), simulation.height(), 1}, 1};
      moorea::Picture picture = style.draw_cells(simulation, view);
      const std::size_t pixels = picture.levels.size();
      queue_.add(pixels,
                 [path, picture = std::move(picture), palette = style.palette(simulation.rule(), view)] {
                   moorea::write_picture(picture, palette, path);
                 });
      return;
    }
    const auto pattern = std::make_shared<moorea::Pattern>(simulation.snapshot(true));
    pattern->states.reset();  // a bitmap has the cells that are not dead, as `moorea render`
    queue_.add(bytes, [path, pattern, format = format_] { moorea::write_pattern(*pattern, path, format); });
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void Dump::finish() {
  if (failure_) std::rethrow_exception(failure_);
  queue_.finish();
}

}  // namespace app
