// SPDX-License-Identifier: MIT
#include "serve/http_policy.h"

#ifdef MOOREA_BOOST_ENABLED

#include <fmt/core.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cctype>
#include <utility>

namespace app {
namespace {

constexpr std::string_view token_prefix = "token.";

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

// The authority of an origin: localhost:8080 of http://localhost:8080
std::string_view authority(std::string_view origin) {
  const std::size_t slashes = origin.find("://");
  return slashes == std::string_view::npos ? std::string_view() : origin.substr(slashes + 3);
}

// The host of an authority in small letters, without its port and the brackets of IPv6.
std::string host_of(std::string_view authority) {
  if (authority.starts_with('[')) {
    authority = authority.substr(1, authority.find(']') - 1);
  } else {
    authority = authority.substr(0, authority.find(':'));
  }
  if (authority.ends_with('.')) authority.remove_suffix(1);
  std::string host(authority);
  std::transform(host.begin(), host.end(), host.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return host;
}

std::string_view path_of(const Request& request) {
  const std::string_view target = view(request.target());
  return target.substr(0, target.find('?'));
}

// The token in a list of subprotocols such as "moorea, token.0123". Proxies do not log this field, unlike the
// address.
std::string_view token_in(const Request& request) {
  for (const auto& each : http::token_list(request[http::field::sec_websocket_protocol])) {
    const std::string_view name = view(each);
    if (name.starts_with(token_prefix)) return name.substr(token_prefix.size());
  }
  return {};
}

std::string unknown_name(const Request& request) {
  return fmt::format("moorea serve is not called \"{}\"; --host NAME adds a name",
                     view(request[http::field::host]));
}

void set_security_fields(Response& response) {
  response.set("Content-Security-Policy",
               "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
               "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
}

}  // namespace

// A page from elsewhere whose name is made to lead here (DNS rebinding) sends its own name as Host.
bool HttpPolicy::is_own_name(std::string_view authority) const {
  const std::string host = host_of(authority);
  boost::system::error_code error;
  boost::asio::ip::make_address(host, error);
  return !error || host == "localhost" || host.ends_with(".localhost") ||
         std::find(options_.hosts.begin(), options_.hosts.end(), host) != options_.hosts.end();
}

// A page from elsewhere must not use its visitors' browsers to open sockets. Programs send no origin. A proxy
// may send its own Host; then --host has the name that the browser knows.
bool HttpPolicy::is_own_origin(const Request& request) const {
  const auto origin = request.find(http::field::origin);
  if (origin == request.end()) return true;
  const std::string_view from = authority(view(origin->value()));
  return from == view(request[http::field::host]) ||
         std::find(options_.hosts.begin(), options_.hosts.end(), host_of(from)) != options_.hosts.end();
}

HttpPolicy::Refused HttpPolicy::check_file(const Request& request, const WebFile* file) const {
  if (!is_own_name(view(request[http::field::host])))
    return {http::status::misdirected_request, unknown_name(request)};
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return {http::status::method_not_allowed, "the methods are GET and HEAD"};
  if (file == nullptr) return {http::status::not_found, "there is no such file; the page is at /"};
  return {};
}

Response HttpPolicy::answer(const Request& request) const {
  const std::string_view path = path_of(request);
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&](const WebFile& each) { return each.path == path; });
  const WebFile* const file = found == files_.end() ? nullptr : &*found;
  const Refused refused = check_file(request, file);
  Response response(refused.status, request.version());
  set_security_fields(response);
  response.set(http::field::cache_control, "no-cache");
  response.keep_alive(request.keep_alive() &&
                      (refused.status == http::status::ok || refused.status == http::status::not_found));
  if (refused.status == http::status::ok) {
    response.set(http::field::content_type, file->type);
    response.body() = std::string(file->text);
  } else {
    response.set(http::field::content_type, "text/plain");
    if (refused.status == http::status::method_not_allowed) response.set(http::field::allow, "GET, HEAD");
    response.body() = refused.text + "\n";
  }
  response.prepare_payload();
  if (request.method() == http::verb::head) response.body().clear();
  return response;
}

Access HttpPolicy::access(const Request& request) const {
  return access_of(token_in(request), options_.control_token, options_.audience_token);
}

HttpPolicy::Refused HttpPolicy::check_socket(const Request& request, std::size_t clients) const {
  if (!is_own_name(view(request[http::field::host])))
    return {http::status::misdirected_request, unknown_name(request)};
  if (path_of(request) != "/socket") return {http::status::not_found, "the socket is at /socket"};
  if (!is_own_origin(request))
    return {http::status::forbidden, "this page comes from another server; --host NAME adds a name"};
  const Access granted = access(request);
  if (granted == Access::none)
    return {http::status::forbidden, "the link has no token, or another one than moorea serve printed"};
  if (clients + (granted == Access::control ? 0 : options_.kept_for_control) >= options_.max_clients)
    return {http::status::service_unavailable, "too many clients are connected"};
  return {};
}

std::optional<Response> HttpPolicy::refusal(const Request& request, std::size_t clients) const {
  const Refused refused = check_socket(request, clients);
  if (refused.status == http::status::ok) return std::nullopt;
  Response response(refused.status, request.version(), refused.text + "\n");
  response.set(http::field::content_type, "text/plain");
  response.keep_alive(false);
  response.prepare_payload();
  return response;
}

}  // namespace app

#endif
