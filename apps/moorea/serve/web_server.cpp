// SPDX-License-Identifier: MIT
#include "serve/web_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "moorea/error.h"
#include "serve/http_policy.h"

#ifdef MOOREA_BOOST_ENABLED
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#endif

namespace app {
#ifdef MOOREA_BOOST_ENABLED

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds http_timeout{15}, idle_timeout{60};
constexpr std::size_t max_header_bytes = 8 << 10;
constexpr std::size_t max_unsent_bytes = 4 << 20;  // beyond which a client's messages wait
constexpr std::size_t write_buffer_bytes = 256 << 10;
constexpr std::size_t max_http_connections = 256;   // in addition to the clients' sockets
constexpr std::size_t max_ignored_bytes = 1 << 20;  // after a refused request
constexpr const char* protocol = "moorea";
constexpr std::chrono::milliseconds accept_pause{100};

}  // namespace

struct WebServer::Listener {
  class Socket;
  class Connection;

  Listener(const WebOptions& wanted, std::vector<WebFile> files, WebHandlers what)
      : options(wanted), policy(wanted, std::move(files)), handlers(std::move(what)) {
    listen();
    thread = std::thread([this] { run(); });
  }
  ~Listener() {
    asio::post(context, [this] { context.stop(); });
    thread.join();
  }

  void listen();
  void run();
  void accept();

  WebOptions options;
  HttpPolicy policy;
  WebHandlers handlers;
  std::uint16_t port = 0;
  ClientId last_id = 0;
  std::uint64_t last_connection = 0;
  std::map<std::uint64_t, Connection*> connections;  // the longest idle first
  // Declared before the sockets, which use it
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};
  std::map<ClientId, std::shared_ptr<Socket>> sockets;
  std::thread thread;
};

// A client. Its next message is handled when the last one was consumed and the client has read most of what
// it was sent. One message is read ahead.
class WebServer::Listener::Socket : public std::enable_shared_from_this<Socket> {
 public:
  Socket(Listener& listener, tcp::socket&& socket, ClientId id, Access access)
      : listener_(listener), stream_(std::move(socket)), id_(id), access_(access) {}

  void open(const Request& request) {
    websocket::stream_base::timeout timeout{http_timeout, idle_timeout, true};
    stream_.set_option(timeout);
    stream_.write_buffer_bytes(write_buffer_bytes);  // frames of this size leave room for pings
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
    unsent_bytes_ += message->size();
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

  // Reads one message ahead, so that pings are answered while another is handled.
  void read() {
    if (gone_ || reading_ || next_) return;
    reading_ = true;
    stream_.async_read(incoming_, [self = shared_from_this()](error_code error, std::size_t) {
      self->reading_ = false;
      if (error) return self->gone();
      self->next_ = Incoming{beast::buffers_to_string(self->incoming_.data()), self->stream_.got_binary()};
      self->incoming_ = {};  // frees its memory, too: the message may have been large
      self->deliver();
    });
  }

  void deliver() {
    while (next_ && !gone_ && !busy_ && unsent_bytes_ <= max_unsent_bytes) {
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
                          self->unsent_bytes_ -= self->outgoing_.front().message->size();
                          self->outgoing_.pop_front();
                          if (!self->outgoing_.empty()) self->write();
                          self->deliver();
                        });
  }

  void close(const std::string& why) {
    websocket::close_reason reason(websocket::close_code::policy_error);
    // A control frame has 125 bytes
    reason.reason.assign(why.data(), std::min<std::size_t>(why.size(), 120));
    stream_.async_close(reason, [self = shared_from_this()](error_code) { self->gone(); });
  }

  Listener& listener_;
  websocket::stream<beast::tcp_stream> stream_;
  ClientId id_;
  Access access_;
  beast::flat_buffer incoming_;
  std::deque<Outgoing> outgoing_;
  std::size_t unsent_bytes_ = 0;
  std::optional<Incoming> next_;
  bool opened_ = false, reading_ = false, busy_ = false, gone_ = false;
};

// An HTTP connection, until it becomes a WebSocket.
class WebServer::Listener::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Listener& listener, tcp::socket&& socket) : listener_(listener), stream_(std::move(socket)) {}
  ~Connection() { listener_.connections.erase(number_); }

  /// Closes it to make room for others.
  void drop() {
    listener_.connections.erase(number_);
    stream_.close();
  }

  void read() {
    // Now the last in the order in which connections are dropped
    listener_.connections.erase(number_);
    number_ = ++listener_.last_connection;
    listener_.connections.emplace(number_, this);
    parser_.emplace();
    parser_->header_limit(max_header_bytes);
    parser_->body_limit(UINT64_MAX);  // bodies are not read
    stream_.expires_after(http_timeout);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (error) return self->close();
                              self->handle(self->parser_->get(), !self->parser_->is_done());
                            });
  }

 private:
  // A request with a body ends the connection: the body is not read, and no request can follow it.
  void handle(const Request& request, bool has_body) {
    if (has_body || !websocket::is_upgrade(request)) {
      Response response = listener_.policy.answer(request);
      if (has_body) response.keep_alive(false);
      return reply(std::move(response));
    }
    if (std::optional<Response> refusal = listener_.policy.refusal(request, listener_.sockets.size()))
      return reply(std::move(*refusal));
    stream_.expires_never();
    const ClientId id = ++listener_.last_id;
    const auto socket =
        std::make_shared<Socket>(listener_, stream_.release_socket(), id, listener_.policy.access(request));
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

void WebServer::Listener::listen() {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(options.address, error);
  if (error)
    throw moorea::Error(fmt::format("--address \"{}\": expected an IP address such as 127.0.0.1, or 0.0.0.0 "
                                    "for all addresses of this machine",
                                    options.address),
                        moorea::ErrorKind::usage);
  const tcp::endpoint endpoint(address, options.port);
  const auto check = [&](const char* what_failed) {
    if (error)
      throw moorea::Error(fmt::format("{} port {}: cannot {}: {}; {}", options.address, options.port,
                                      what_failed, error.message(),
                                      error == boost::system::errc::address_not_available
                                          ? "--address expects an address of this machine"
                                          : "--port chooses another port, 0 any free one"));
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
}

void WebServer::Listener::accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (error) {  // mostly too many open files
      pause.expires_after(accept_pause);
      pause.async_wait([this](error_code aborted) {
        if (!aborted) accept();
      });
      return;
    }
    accept();
    // The longest idle connection makes room
    if (connections.size() >= max_http_connections) connections.begin()->second->drop();
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    std::make_shared<Connection>(*this, std::move(socket))->read();
  });
}

// Out of memory, for an unknown client: all sockets are closed, and pages reconnect.
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
          // It is removed nevertheless
        }
      }
    }
  }
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
