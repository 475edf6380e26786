// SPDX-License-Identifier: MIT
// The answers to HTTP requests: files of the page, and whether a request may become a WebSocket. It knows no
// connections. Empty in a build without Boost.Beast.
#pragma once

#ifdef MOOREA_BOOST_ENABLED

#include <boost/beast/http.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/access.h"
#include "serve/web_server.h"

namespace app {

namespace http = boost::beast::http;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

class HttpPolicy {
 public:
  HttpPolicy(const WebOptions& options, std::vector<WebFile> files)
      : options_(options), files_(std::move(files)) {}

  /// Returns a file of the page, or why there is none.
  Response answer(const Request& request) const;

  /// Returns the response to a request for a WebSocket that is refused while `clients` are connected; empty
  /// if it is accepted.
  std::optional<Response> refusal(const Request& request, std::size_t clients) const;

  /// Access by the token in a request for a WebSocket.
  Access access(const Request& request) const;

 private:
  struct Refused {
    http::status status = http::status::ok;  // accepted
    std::string text;
  };

  Refused check_file(const Request& request, const WebFile* file) const;
  Refused check_socket(const Request& request, std::size_t clients) const;
  bool is_own_origin(const Request& request) const;
  bool is_own_name(std::string_view authority) const;

  WebOptions options_;
  std::vector<WebFile> files_;
};

}  // namespace app

#endif
