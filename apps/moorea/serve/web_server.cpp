// SPDX-License-Identifier: MIT
#include "serve/web_server.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "moorea/error.h"

#ifdef MOOREA_BOOST_ENABLED
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#endif

namespace app {
namespace {

// Whether they are equal, in a time that depends on the length of the guess alone.
bool equal(std::string_view guess, std::string_view secret) {
  std::size_t difference = guess.size() ^ secret.size();
  for (std::size_t i = 0; i < guess.size() && !secret.empty(); ++i)
    difference |= static_cast<unsigned char>(guess[i] ^ secret[i % secret.size()]);
  return difference == 0 && !secret.empty();
}

}  // namespace

Access access_of(std::string_view token, std::string_view control, std::string_view audience) {
  const bool controls = equal(token, control), watches = equal(token, audience);
  if (controls) return Access::control;
  return watches ? Access::audience : Access::none;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw moorea::Error("the system gives no random numbers for a token");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

#ifdef MOOREA_BOOST_ENABLED

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds http_timeout{15}, idle_timeout{60};
constexpr std::size_t max_header_bytes = 8 << 10;
constexpr std::size_t max_waiting_bytes = 4 << 20;  // to be sent, before a client is listened to again
constexpr std::size_t write_buffer_bytes = 256 << 10;
constexpr std::size_t other_connections = 256;      // beside the clients': those that fetch files
constexpr std::size_t max_ignored_bytes = 1 << 20;  // that follow a refused request
constexpr const char* protocol = "moorea";
constexpr std::string_view token_prefix = "token.";
constexpr std::chrono::milliseconds accept_pause{100};

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

// The authority of an origin, localhost:8080 of http://localhost:8080
std::string_view authority(std::string_view origin) {
  const std::size_t slashes = origin.find("://");
  return slashes == std::string_view::npos ? std::string_view() : origin.substr(slashes + 3);
}

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// The token of a list of subprotocols such as "moorea, token.0123": there proxies do not write it into their
// logs, as they do with addresses.
std::string_view token_in(const Request& request) {
  for (const auto& each : http::token_list(request[http::field::sec_websocket_protocol])) {
    const std::string_view name = view(each);
    if (name.starts_with(token_prefix)) return name.substr(token_prefix.size());
  }
  return {};
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

std::string elsewhere(const Request& request) {
  return fmt::format("moorea serve is not called \"{}\"; --host NAME adds a name",
                     view(request[http::field::host]));
}

}  // namespace

struct WebServer::Listener {
  class Socket;
  class Connection;

  Listener(const WebOptions& wanted, std::vector<WebFile> all, WebHandlers what)
      : options(wanted), files(std::move(all)), handlers(std::move(what)) {
    error_code error;
    const asio::ip::address address = asio::ip::make_address(options.address, error);
    if (error)
      throw moorea::Error(
          fmt::format("--address \"{}\": expected an IP address such as 127.0.0.1, or 0.0.0.0 "
                      "for all of this machine's",
                      options.address),
          moorea::ErrorKind::usage);
    const tcp::endpoint endpoint(address, options.port);
    const auto check = [&](const char* what_failed) {
      if (error)
        throw moorea::Error(
            fmt::format("{} port {}: cannot {}: {}; --port chooses another, 0 any that is free",
                        options.address, options.port, what_failed, error.message()));
    };
    acceptor.open(endpoint.protocol(), error);
    check("open");
    acceptor.set_option(asio::socket_base::reuse_address(true), error);
    check("open");
    acceptor.bind(endpoint, error);
    check("listen");
    acceptor.listen(asio::socket_base::max_listen_connections, error);
    check("listen");
    port = acceptor.local_endpoint().port();
    accept();
    thread = std::thread([this] { run(); });
  }
  ~Listener() {
    asio::post(context, [this] { context.stop(); });
    thread.join();
  }

  void run();
  void accept();
  Response answer(const Request& request) const;
  /// Whether a Host field has a name of this server: a page from elsewhere whose name is made to lead here
  /// (DNS rebinding) has another one.
  bool is_here(std::string_view authority) const;
  /// Why a socket is refused, with HTTP's number for it.
  std::pair<http::status, std::string> refusal(const Request& request) const;

  WebOptions options;
  std::vector<WebFile> files;
  WebHandlers handlers;
  std::uint16_t port = 0;
  ClientId last_id = 0;
  std::uint64_t last_connection = 0;
  std::map<std::uint64_t, Connection*> connections;  // who has said nothing for longest first
  // The sockets go before what they run on
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};
  std::map<ClientId, std::shared_ptr<Socket>> sockets;
  std::thread thread;
};

// A client. What is dealt with next waits for two things: that the last message was consumed, and that the
// client reads what it is sent. No more than that one is read meanwhile.
class WebServer::Listener::Socket : public std::enable_shared_from_this<Socket> {
 public:
  Socket(Listener& listener, tcp::socket&& socket, ClientId id, Access access)
      : listener_(listener), stream_(std::move(socket)), id_(id), access_(access) {}

  void open(const Request& request) {
    websocket::stream_base::timeout timeout{http_timeout, idle_timeout, true};
    stream_.set_option(timeout);
    stream_.write_buffer_bytes(write_buffer_bytes);  // frames of that size, so that pings come between
    stream_.read_message_max(access_ == Access::control ? listener_.options.max_control_bytes
                                                        : listener_.options.max_audience_bytes);
    stream_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
      response.set(http::field::sec_websocket_protocol, protocol);
    }));
    stream_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (error) return self->gone();
      self->opened_ = true;
      self->send(self->listener_.handlers.opened(self->id_, self->access_), true);
      self->read();
    });
  }

  void send(Message message, bool binary) {
    if (gone_) return;
    waiting_ += message->size();
    outgoing_.push_back({std::move(message), binary});
    if (outgoing_.size() == 1) write();
  }

  void consumed() {
    busy_ = false;
    deliver();
  }

  void gone() {
    if (gone_) return;
    gone_ = true;
    listener_.sockets.erase(id_);
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
    if (opened_) listener_.handlers.closed(id_);
  }

 private:
  struct Outgoing {
    Message message;
    bool binary;
  };
  struct Incoming {
    std::string message;
    bool binary;
  };

  // One message is read ahead, so that pings are answered while another is dealt with.
  void read() {
    if (gone_ || reading_ || next_) return;
    reading_ = true;
    stream_.async_read(incoming_, [self = shared_from_this()](error_code error, std::size_t) {
      self->reading_ = false;
      if (error) return self->gone();
      self->next_ = Incoming{beast::buffers_to_string(self->incoming_.data()), self->stream_.got_binary()};
      self->incoming_ = {};  // its memory, too: the message may have been a large one
      self->deliver();
    });
  }

  void deliver() {
    while (next_ && !gone_ && !busy_ && waiting_ <= max_waiting_bytes) {
      const Incoming now = std::move(*next_);
      next_.reset();
      busy_ = true;
      const Received received = listener_.handlers.received(id_, now.message, now.binary);
      if (!received.fault.empty()) return close(received.fault);
      if (received.done) busy_ = false;
    }
    read();
  }

  void write() {
    stream_.binary(outgoing_.front().binary);
    stream_.async_write(asio::buffer(*outgoing_.front().message),
                        [self = shared_from_this()](error_code error, std::size_t) {
                          if (error) return self->gone();
                          self->waiting_ -= self->outgoing_.front().message->size();
                          self->outgoing_.pop_front();
                          if (!self->outgoing_.empty()) self->write();
                          self->deliver();
                        });
  }

  void close(const std::string& why) {
    websocket::close_reason reason(websocket::close_code::policy_error);
    // A control frame has room for so much
    reason.reason.assign(why.data(), std::min<std::size_t>(why.size(), 120));
    stream_.async_close(reason, [self = shared_from_this()](error_code) { self->gone(); });
  }

  Listener& listener_;
  websocket::stream<beast::tcp_stream> stream_;
  ClientId id_;
  Access access_;
  beast::flat_buffer incoming_;
  std::deque<Outgoing> outgoing_;
  std::size_t waiting_ = 0;
  std::optional<Incoming> next_;
  bool opened_ = false, reading_ = false, busy_ = false, gone_ = false;
};

// Somebody who fetches files, until it asks to become a socket.
class WebServer::Listener::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Listener& listener, tcp::socket&& socket) : listener_(listener), stream_(std::move(socket)) {}
  ~Connection() { listener_.connections.erase(number_); }

  /// Makes room for others.
  void drop() {
    listener_.connections.erase(number_);
    stream_.close();
  }

  void read() {
    // The last to make room
    listener_.connections.erase(number_);
    number_ = ++listener_.last_connection;
    listener_.connections.emplace(number_, this);
    parser_.emplace();
    parser_->header_limit(max_header_bytes);
    parser_->body_limit(UINT64_MAX);  // none is read
    stream_.expires_after(http_timeout);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (error) return self->close();
                              self->handle(self->parser_->get(), !self->parser_->is_done());
                            });
  }

 private:
  // A body is never read, so that nothing else can be said behind it.
  void handle(const Request& request, bool has_body) {
    if (has_body || !websocket::is_upgrade(request)) {
      Response response = listener_.answer(request);
      if (has_body) response.keep_alive(false);
      return reply(std::move(response));
    }
    const auto [status, text] = listener_.refusal(request);
    if (status != http::status::switching_protocols) {
      Response response(status, request.version(), text + "\n");
      response.set(http::field::content_type, "text/plain");
      response.keep_alive(false);
      response.prepare_payload();
      return reply(std::move(response));
    }
    const Access access =
        access_of(token_in(request), listener_.options.control_token, listener_.options.audience_token);
    stream_.expires_never();
    const ClientId id = ++listener_.last_id;
    const auto socket = std::make_shared<Socket>(listener_, stream_.release_socket(), id, access);
    listener_.sockets[id] = socket;
    socket->open(request);
  }

  void reply(Response response) {
    response_ = std::move(response);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error || self->response_.need_eof()) return self->close();
      self->read();
    });
  }

  // Closing while bytes wait to be read would take the answer from the client: they are read and forgotten.
  void close() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    buffer_.clear();
    ignore(max_ignored_bytes);
  }

  void ignore(std::size_t maximum) {
    stream_.async_read_some(buffer_.prepare(max_header_bytes),
                            [self = shared_from_this(), maximum](error_code error, std::size_t bytes) {
                              if (!error && bytes < maximum) self->ignore(maximum - bytes);
                            });
  }

  Listener& listener_;
  std::uint64_t number_ = 0;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  Response response_;
};

void WebServer::Listener::accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (error) {  // no descriptor is free, mostly
      pause.expires_after(accept_pause);
      pause.async_wait([this](error_code aborted) {
        if (!aborted) accept();
      });
      return;
    }
    accept();
    // Those that have said nothing for longest make room
    if (connections.size() >= other_connections) connections.begin()->second->drop();
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    std::make_shared<Connection>(*this, std::move(socket))->read();
  });
}

// Where memory ran out nobody knows for whom: all sockets are closed, and pages come back by themselves.
void WebServer::Listener::run() {
  for (;;) {
    try {
      context.run();
      return;
    } catch (const std::exception&) {
      while (!sockets.empty()) {
        const std::shared_ptr<Socket> socket = sockets.begin()->second;
        try {
          socket->gone();
        } catch (const std::exception&) {
          // It is gone all the same
        }
      }
    }
  }
}

Response WebServer::Listener::answer(const Request& request) const {
  const bool head = request.method() == http::verb::head;
  Response response(http::status::ok, request.version());
  response.set(http::field::content_type, "text/plain");
  response.set(http::field::cache_control, "no-cache");
  response.set("Content-Security-Policy",
               "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
               "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.keep_alive(request.keep_alive());
  const std::string_view target = view(request.target());
  const std::string_view path = target.substr(0, target.find('?'));
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const WebFile& each) { return each.path == path; });
  if (!is_here(view(request[http::field::host]))) {
    response.result(http::status::misdirected_request);
    response.body() = elsewhere(request) + "\n";
    response.keep_alive(false);
  } else if (!head && request.method() != http::verb::get) {
    response.result(http::status::method_not_allowed);
    response.set(http::field::allow, "GET, HEAD");
    response.body() = "files can be fetched, nothing else\n";
    response.keep_alive(false);
  } else if (file == files.end()) {
    response.result(http::status::not_found);
    response.body() = "there is nothing here; the page is at /\n";
  } else {
    response.set(http::field::content_type, file->type);
    response.body() = std::string(file->text);
  }
  response.prepare_payload();
  if (head) response.body().clear();
  return response;
}

bool WebServer::Listener::is_here(std::string_view authority) const {
  const std::string host = host_of(authority);
  error_code error;
  asio::ip::make_address(host, error);
  return !error || host == "localhost" || host.ends_with(".localhost") ||
         std::find(options.hosts.begin(), options.hosts.end(), host) != options.hosts.end();
}

std::pair<http::status, std::string> WebServer::Listener::refusal(const Request& request) const {
  if (!is_here(view(request[http::field::host])))
    return {http::status::misdirected_request, elsewhere(request)};
  const std::string_view target = view(request.target());
  if (target.substr(0, target.find('?')) != "/socket")
    return {http::status::not_found, "the socket is at /socket"};
  // A page of somebody else's may not speak through its visitors' browsers. Programs send no origin. A proxy
  // may have written a Host of its own; then --host has the name that the browser knows.
  const auto origin = request.find(http::field::origin);
  if (origin != request.end()) {
    const std::string_view from = authority(view(origin->value()));
    if (from != view(request[http::field::host]) &&
        std::find(options.hosts.begin(), options.hosts.end(), host_of(from)) == options.hosts.end())
      return {http::status::forbidden, "this page is not from here"};
  }
  const Access access = access_of(token_in(request), options.control_token, options.audience_token);
  if (access == Access::none)
    return {http::status::forbidden, "the link has no token, or another one than moorea serve printed"};
  if (sockets.size() + (access == Access::control ? 0 : options.kept_for_control) >= options.max_clients)
    return {http::status::service_unavailable, "too many are watching"};
  return {http::status::switching_protocols, ""};
}

WebServer::WebServer(const WebOptions& options, std::vector<WebFile> files, WebHandlers handlers)
    : listener_(std::make_unique<Listener>(options, std::move(files), std::move(handlers))) {}
WebServer::~WebServer() = default;

std::uint16_t WebServer::port() const { return listener_->port; }

void WebServer::send(ClientId client, Message message, bool binary) {
  asio::post(listener_->context, [listener = listener_.get(), client, message = std::move(message), binary] {
    const auto found = listener->sockets.find(client);
    if (found != listener->sockets.end()) found->second->send(message, binary);
  });
}

void WebServer::consumed(ClientId client) {
  asio::post(listener_->context, [listener = listener_.get(), client] {
    const auto found = listener->sockets.find(client);
    if (found != listener->sockets.end()) found->second->consumed();
  });
}

#else

struct WebServer::Listener {};

WebServer::WebServer(const WebOptions&, std::vector<WebFile>, WebHandlers) {
  throw moorea::Error(
      "this build has no Boost.Beast (MOOREA_SERVE); moorea view shows worlds in the terminal",
      moorea::ErrorKind::unavailable);
}
WebServer::~WebServer() = default;
std::uint16_t WebServer::port() const { return 0; }
void WebServer::send(ClientId, Message, bool) {}
void WebServer::consumed(ClientId) {}

#endif

}  // namespace app
