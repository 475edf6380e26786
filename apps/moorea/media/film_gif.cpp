// SPDX-License-Identifier: MIT
// Animated GIF: each picture after the first is the rectangle that changed.
#include <fmt/core.h>

#ifdef MOOREA_GIF_ENABLED
#include <gif_lib.h>
#endif

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "media/film_writer.h"
#include "moorea/error.h"
#include "moorea/support/output_file.h"

namespace app {

#ifdef MOOREA_GIF_ENABLED

namespace {

constexpr std::int64_t max_side = 65535;

class GifWriter final : public FilmWriter {
 public:
  GifWriter(const std::string& path, const FilmFormat& format) : format_(format), file_(path) {
    if (format.width > max_side || format.height > max_side)
      throw moorea::Error(
          fmt::format(
              "a GIF of {} x {} pixels is too large: each side has at most {}; --fit or --scale reduces it",
              format.width, format.height, max_side),
          moorea::ErrorKind::usage);
    GifColorType colours[256];
    for (std::size_t i = 0; i < 256; ++i)
      colours[i] = {format.palette[i].red, format.palette[i].green, format.palette[i].blue};
    int error = 0;
    gif_ = EGifOpen(this, write, &error);
    if (gif_ == nullptr) throw moorea::Error(fmt::format("giflib: {}", GifErrorString(error)));
    EGifSetGifVersion(gif_, true);
    ColorMapObject* map = GifMakeMapObject(256, colours);
    const int described =
        EGifPutScreenDesc(gif_, static_cast<int>(format.width), static_cast<int>(format.height), 8, 0, map);
    GifFreeMapObject(map);
    check(described);
    // Loop without end: a 1, then the number of repetitions in two bytes, 0 for infinite
    const GifByteType forever[] = {1, 0, 0};
    check(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE));
    check(EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0"));
    check(EGifPutExtensionBlock(gif_, sizeof forever, forever));
    check(EGifPutExtensionTrailer(gif_));
  }
  ~GifWriter() override {
    int ignored = 0;
    if (gif_ != nullptr) EGifCloseFile(gif_, &ignored);
  }

  std::int64_t width() const override { return format_.width; }
  std::int64_t height() const override { return format_.height; }

  void add(const moorea::Picture& picture) override {
    // Times are hundredths of a second, so that some are longer than others
    const double begin = std::round(100 * frames_ / format_.frames_per_second),
                 end = std::round(100 * (frames_ + 1) / format_.frames_per_second);
    ++frames_;
    GraphicsControlBlock control = {};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = static_cast<int>(end - begin);
    control.TransparentColor = NO_TRANSPARENT_COLOR;
    GifByteType extension[4];
    EGifGCBToExtension(&control, extension);
    check(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, sizeof extension, extension));
    const moorea::Box box = changed(picture);
    check(EGifPutImageDesc(gif_, static_cast<int>(box.x), static_cast<int>(box.y),
                           static_cast<int>(box.width), static_cast<int>(box.height), false, nullptr));
    line_.resize(static_cast<std::size_t>(box.width));
    for (std::int64_t y = box.y; y < box.y + box.height; ++y) {
      std::copy_n(picture.levels.data() + y * picture.width + box.x, box.width, line_.data());
      check(EGifPutLine(gif_, line_.data(), static_cast<int>(box.width)));
    }
    before_ = picture;
  }

  void finish() override {
    int error = 0;
    const int closed = EGifCloseFile(std::exchange(gif_, nullptr), &error);
    if (failure_) throw moorea::Error(*failure_);
    if (closed == GIF_ERROR) throw moorea::Error(fmt::format("giflib: {}", GifErrorString(error)));
    file_.finish();
  }

 private:
  static int write(GifFileType* gif, const GifByteType* data, int size) {
    auto* self = static_cast<GifWriter*>(gif->UserData);
    try {  // nothing may be thrown through the library
      self->file_.write({reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)});
    } catch (const moorea::Error& error) {
      if (!self->failure_) self->failure_ = error.what();
      return 0;
    }
    return size;
  }

  void check(int result) const {
    if (failure_) throw moorea::Error(*failure_);
    if (result == GIF_ERROR) throw moorea::Error(fmt::format("giflib: {}", GifErrorString(gif_->Error)));
  }

  // The rectangle that changed; one pixel if nothing did, because a picture has at least one.
  moorea::Box changed(const moorea::Picture& now) const {
    if (before_.levels.empty()) return {0, 0, now.width, now.height};
    moorea::Box box;
    for (std::int64_t y = 0; y < now.height; ++y) {
      const std::uint8_t *a = before_.levels.data() + y * now.width, *b = now.levels.data() + y * now.width;
      const std::uint8_t* first = std::mismatch(a, a + now.width, b).first;
      if (first == a + now.width) continue;
      std::int64_t last = now.width - 1;
      while (a[last] == b[last]) --last;
      box = unite(box, {first - a, y, last + 1 - (first - a), 1});
    }
    return box.empty() ? moorea::Box{0, 0, 1, 1} : box;
  }

  FilmFormat format_;
  moorea::OutputFile file_;
  GifFileType* gif_ = nullptr;
  moorea::Picture before_;
  std::vector<GifByteType> line_;
  std::optional<std::string> failure_;
  double frames_ = 0;
};

}  // namespace

std::unique_ptr<FilmWriter> open_gif(const std::string& path, const FilmFormat& format) {
  return std::make_unique<GifWriter>(path, format);
}

#else

std::unique_ptr<FilmWriter> open_gif(const std::string&, const FilmFormat&) {
  throw moorea::Error("this build writes no GIF (MOOREA_GIF)", moorea::ErrorKind::unavailable);
}

#endif

}  // namespace app
