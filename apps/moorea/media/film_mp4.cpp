// SPDX-License-Identifier: MIT
// MP4: raw pictures are piped to the system's ffmpeg, which is looked for at first use.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/paths.h"
#include "media/film_writer.h"
#include "moorea/error.h"
#include "moorea/support/output_file.h"
#include "moorea/support/process.h"

namespace app {
namespace {

// Limits of x264 and of ffmpeg, whose area includes a margin.
constexpr std::int64_t max_side = 16384;
constexpr double max_area = 1 << 28;

class Mp4Writer final : public FilmWriter {
 public:
  Mp4Writer(const std::string& path, const FilmFormat& format)
      : path_(path),
        in_place_(is_special_file(path)),
        file_(path),
        format_(format),
        // Two columns and two rows share a colour, so there is an even number of both
        width_(format.full_colour ? format.width : format.width + format.width % 2),
        height_(format.full_colour ? format.height : format.height + format.height % 2) {
    const auto around = [](std::int64_t side) { return static_cast<double>(side + 128); };
    if (width_ > max_side || height_ > max_side || around(width_) * around(height_) >= max_area)
      throw moorea::Error(
          fmt::format(
              "an MP4 of {} x {} pixels is too large: each side has at most {}, and their product is a "
              "little less than 2^28; --fit or --scale reduces it",
              width_, height_, max_side),
          moorea::ErrorKind::usage);
    start();
  }
  ~Mp4Writer() override {
    if (child_) ::close(pipe_);  // and its unfinished work is discarded: Process kills it
  }

  std::int64_t width() const override { return width_; }
  std::int64_t height() const override { return height_; }

  void add(const moorea::Picture& picture) override {
    moorea::Picture padded;
    if (picture.width != width_ || picture.height != height_) {
      padded.width = width_;
      padded.height = height_;
      padded.levels.resize(static_cast<std::size_t>(width_ * height_));
      for (std::int64_t y = 0; y < picture.height; ++y)
        std::copy_n(picture.levels.data() + y * picture.width, picture.width,
                    padded.levels.data() + y * width_);
    }
    const std::string bytes = moorea::rgb_bytes(padded.levels.empty() ? picture : padded, format_.palette);
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t now = write(pipe_, bytes.data() + done, bytes.size() - done);
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) fail(std::strerror(errno));
      done += static_cast<std::size_t>(now);
    }
  }

  void finish() override {
    const moorea::ProcessEnd end = close_and_wait();
    if (!end.succeeded()) fail(end.str());
    file_.finish();
  }

 private:
  // An ffmpeg that has ended is an error of write(), not our end.
  struct PipeIgnored {
    void (*before)(int) = std::signal(SIGPIPE, SIG_IGN);
    ~PipeIgnored() { std::signal(SIGPIPE, before); }
  };

  void start() {
    if (!words_) throw moorea::Error(fmt::format("no temporary file can be made: {}", std::strerror(errno)));
    const std::string size = fmt::format("{}x{}", width_, height_),
                      rate = fmt::format("{}", format_.frames_per_second);
    std::vector<std::string> words = {
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24",
        "-video_size", size, "-framerate", rate, "-i", "pipe:0", "-an", "-vf",
        "scale=out_color_matrix=bt709:out_range=tv", "-c:v", "libx264", "-crf", "16", "-pix_fmt",
        format_.full_colour ? "yuv444p" : "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709",
        "-color_trc", "bt709", "-color_range", "tv", "-movflags",
        // A pipe cannot be rewritten at the end, so its film is fragmented
        in_place_ ? "+frag_keyframe+empty_moov" : "+faststart", "-f", "mp4",
        // Opened again, because a part of it is read back
        in_place_ ? "pipe:3" : "file:/proc/self/fd/3"};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw moorea::Error(fmt::format("no pipe: {}", std::strerror(errno)));
    pipe_ = ends[1];
    const int output = fileno(words_.get());
    try {
      // Descriptor 3 is the last, as any of the others may have that number here. In a group of its own
      // Ctrl-C does not reach ffmpeg: the pictures that were made so far become a whole film
      child_.emplace(moorea::ProcessCommand{.words = std::move(words),
                                            .descriptors = {{ends[0], STDIN_FILENO},
                                                            {output, STDOUT_FILENO},
                                                            {output, STDERR_FILENO},
                                                            {file_.descriptor(), 3}},
                                            .own_group = true});
    } catch (const std::system_error& error) {
      ::close(ends[0]);
      ::close(pipe_);
      throw moorea::Error(
          fmt::format(
              "{}: cannot run ffmpeg, which writes MP4: {}; install it (Debian: apt-get install ffmpeg), "
              "or choose a name that ends in .gif",
              path_, error.code().message()),
          moorea::ErrorKind::unavailable);
    }
    ::close(ends[0]);
  }

  moorea::ProcessEnd close_and_wait() {
    ::close(pipe_);
    const moorea::ProcessEnd end = child_->wait();
    child_.reset();
    return end;
  }

  // Throws an error with the last messages of ffmpeg.
  [[noreturn]] void fail(const std::string& reason) {
    if (child_) close_and_wait();
    std::string said(1 << 12, ' ');
    std::rewind(words_.get());
    said.resize(std::fread(said.data(), 1, said.size(), words_.get()));
    throw moorea::Error(
        fmt::format("{}: ffmpeg did not make it ({}){}{}", path_, reason, said.empty() ? "" : "\n", said));
  }

  std::string path_;
  bool in_place_;
  moorea::OutputFile file_;
  // Messages of ffmpeg, in an unnamed file
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> words_{std::tmpfile(), std::fclose};
  FilmFormat format_;
  std::int64_t width_, height_;
  std::optional<moorea::Process> child_;
  int pipe_ = -1;
  PipeIgnored pipe_ignored_;
};

}  // namespace

std::unique_ptr<FilmWriter> open_mp4(const std::string& path, const FilmFormat& format) {
  return std::make_unique<Mp4Writer>(path, format);
}

}  // namespace app
