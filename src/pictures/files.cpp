// SPDX-License-Identifier: MIT
// Picture files.
#include <fmt/core.h>

#ifdef MOOREA_PNG_ENABLED
#include <png.h>
#endif

#include <algorithm>

#include "moorea/error.h"
#include "moorea/picture.h"
#include "moorea/support/file_names.h"
#include "moorea/support/output_file.h"

namespace moorea {
namespace {

constexpr std::int64_t max_png_side = 1'000'000;  // libpng's limit of columns and rows

std::string pbm_bytes(const Picture& picture) {
  std::string bytes = fmt::format("P4\n{} {}\n", picture.width, picture.height);
  for (std::int64_t y = 0; y < picture.height; ++y) {
    const std::uint8_t* row = picture.levels.data() + y * picture.width;
    for (std::int64_t x = 0; x < picture.width; x += 8) {
      unsigned byte = 0;
      for (std::int64_t i = 0; i < 8 && x + i < picture.width; ++i)
        byte |= (row[x + i] != 0 ? 0x80u : 0u) >> i;
      bytes += static_cast<char>(byte);
    }
  }
  return bytes;
}

#ifdef MOOREA_PNG_ENABLED

[[noreturn]] void fail(png_structp png, png_const_charp text) {
  *static_cast<std::string*>(png_get_error_ptr(png)) = text;
  png_longjmp(png, 1);
}

void ignore(png_structp, png_const_charp) {}

void append(png_structp png, png_bytep data, std::size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}

// Objects with destructors are not allowed between setjmp() and longjmp(), so the caller owns everything.
bool encode(const Picture& picture, const png_color* colours, std::string& bytes, std::string& error) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &error, fail, ignore);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, &bytes, append, nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height),
               8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_PLTE(png, info, colours, 256);
  png_write_info(png, info);
  for (std::int64_t y = 0; y < picture.height; ++y)
    png_write_row(png, picture.levels.data() + y * picture.width);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}

#endif

}  // namespace

void check_picture_path(const std::string& path) {
  const bool png = path == "-" || has_ending(path, ".png");
  if (!png && !has_ending(path, ".pbm")) {
    throw Error(fmt::format("picture \"{}\": expected a file whose name ends in .png or .pbm", path),
                ErrorKind::usage);
  }
#ifndef MOOREA_PNG_ENABLED
  if (png) throw Error("this build has no PNG support (MOOREA_PNG); use a .pbm file", ErrorKind::unavailable);
#endif
}

void check_picture(const View& view, const std::string& path) {
  check_picture_path(path);
  // (clamped, so that no product overflows; refused sizes are far smaller)
  const auto pixels = [&](std::int64_t squares) {
    return std::min(squares, max_coordinate / max_zoom) * std::clamp(view.zoom, 1, max_zoom);
  };
  const std::int64_t width = pixels(view.raster.columns), height = pixels(view.raster.rows);
  if (!has_ending(path, ".pbm") && (width > max_png_side || height > max_png_side)) {
    throw Error(fmt::format("a PNG of {} x {} pixels: it has 1 to {} of each", width, height, max_png_side),
                ErrorKind::usage);
  }
}

void write_picture(const Picture& picture, const Palette& palette, const std::string& path) {
  check_picture_path(path);
  require_levels(picture);
  OutputFile file(path);
  file.write(has_ending(path, ".pbm") ? pbm_bytes(picture) : png_bytes(picture, palette));
  file.finish();
}

std::string png_bytes(const Picture& picture, const Palette& palette) {
#ifdef MOOREA_PNG_ENABLED
  require_levels(picture);
  if (picture.width < 1 || picture.height < 1 || picture.width > max_png_side ||
      picture.height > max_png_side) {
    throw Error(fmt::format("a PNG of {} x {} pixels: it has 1 to {} of each", picture.width, picture.height,
                            max_png_side));
  }
  png_color colours[256];
  for (std::size_t i = 0; i < 256; ++i) colours[i] = {palette[i].red, palette[i].green, palette[i].blue};
  std::string bytes, error;
  if (!encode(picture, colours, bytes, error)) throw Error(fmt::format("libpng: {}", error));
  return bytes;
#else
  (void)picture, (void)palette;
  throw Error("this build has no PNG support (MOOREA_PNG)", ErrorKind::unavailable);
#endif
}

}  // namespace moorea
