// SPDX-License-Identifier: MIT
#include "serve/deflate.h"

#ifdef MOOREA_ZLIB_ENABLED
#include <zlib.h>
#endif

#include "moorea/error.h"

namespace app {

std::string deflated(const std::string& bytes, Matches matches) {
#ifdef MOOREA_ZLIB_ENABLED
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL,
                   matches == Matches::runs ? Z_RLE : Z_DEFAULT_STRATEGY) != Z_OK)
    throw moorea::Error("zlib: out of memory for a message");
  std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int status = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw moorea::Error("zlib: a deflated message exceeds its bound");
  return result;
#else
  (void)bytes, (void)matches;
  return {};
#endif
}

}  // namespace app
