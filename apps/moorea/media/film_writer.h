// SPDX-License-Identifier: MIT
// Pictures of one size as a film: MP4 by the system's ffmpeg, animated GIF by giflib.
#pragma once

#include <memory>
#include <string>

#include "moorea/picture.h"

namespace app {

struct FilmFormat {
  double frames_per_second = 30;
  std::int64_t width = 0, height = 0;  ///< of every picture
  moorea::Palette palette;
  bool full_colour = false;  ///< MP4: full colour resolution (4:4:4), which some players cannot show
};

/// The film appears under its name when it is complete; devices and pipes are written in place.
class FilmWriter {
 public:
  virtual ~FilmWriter() = default;

  /// Adds a picture. Throws moorea::Error (run) with the reason if it cannot be written.
  virtual void add(const moorea::Picture& picture) = 0;
  virtual void finish() = 0;

  /// Size of the film, which may be a pixel wider or higher than its pictures.
  virtual std::int64_t width() const = 0;
  virtual std::int64_t height() const = 0;

  /// Creates the file. Throws moorea::Error (usage) if the format does not support the size, (run) if the
  /// file cannot be written.
  static std::unique_ptr<FilmWriter> open(const std::string& path, const FilmFormat& format);

  /// Throws moorea::Error (usage) for a name that ends in neither .mp4 nor .gif, (unavailable) if the encoder
  /// is missing, with the way to install it.
  static void check(const std::string& path);
};

std::unique_ptr<FilmWriter> open_mp4(const std::string& path, const FilmFormat& format);
std::unique_ptr<FilmWriter> open_gif(const std::string& path, const FilmFormat& format);

}  // namespace app
