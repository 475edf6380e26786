// SPDX-License-Identifier: MIT
#include "checkpoints/frames.h"

#include <memory>

#include "moorea/error.h"

#ifdef MOOREA_ZSTD_ENABLED
#include <zstd.h>
#endif

namespace moorea {

#ifdef MOOREA_ZSTD_ENABLED

namespace {

// Higher levels are slower and make no smaller files: level 3 takes 1 to 5 % more for soups of Life
constexpr int level = 1;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

}  // namespace

const char* frames_unavailable_reason() { return nullptr; }

std::string compress_words(std::span<const std::uint64_t> words) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  std::string frame(ZSTD_compressBound(words.size_bytes()), '\0');
  if (!context) throw Error("a checkpoint: zstd has no memory");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t bytes =
      ZSTD_compress2(context.get(), frame.data(), frame.size(), words.data(), words.size_bytes());
  if (ZSTD_isError(bytes) != 0) throw Error(std::string("a checkpoint: zstd: ") + ZSTD_getErrorName(bytes));
  frame.resize(bytes);
  return frame;
}

bool decompress_words(std::string_view frame, std::span<std::uint64_t> words) {
  const std::size_t bytes = ZSTD_decompress(words.data(), words.size_bytes(), frame.data(), frame.size());
  return ZSTD_isError(bytes) == 0 && bytes == words.size_bytes();
}

#else

const char* frames_unavailable_reason() {
  return "this build has no zstd, which checkpoints need: install libzstd-dev and build again with "
         "-DMOOREA_ZSTD=ON";
}

std::string compress_words(std::span<const std::uint64_t>) {
  throw Error(frames_unavailable_reason(), ErrorKind::unavailable);
}

bool decompress_words(std::string_view, std::span<std::uint64_t>) {
  throw Error(frames_unavailable_reason(), ErrorKind::unavailable);
}

#endif

}  // namespace moorea
