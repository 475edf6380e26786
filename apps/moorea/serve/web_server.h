// SPDX-License-Identifier: MIT
// An HTTP server with a few files and WebSockets: connections, message sizes and back-pressure. It knows no
// cells. Boost.Beast does the work; this header hides it, as it takes long to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serve/access.h"

namespace app {

struct WebFile {
  std::string path;  ///< "/" or "/style.css"
  std::string type;  ///< media type, "text/css"
  std::string_view text;
};

struct WebOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any free port
  std::string control_token, audience_token;
  /// Names of this server in small letters, in addition to localhost and IP addresses. Requests by other
  /// names are refused, so that no page can reach it under a name of its own (DNS rebinding).
  std::vector<std::string> hosts;
  std::size_t max_clients = 256;
  std::size_t kept_for_control = 16;         ///< of max_clients
  std::size_t max_control_bytes = 64 << 20;  ///< per message; a larger one closes its socket
  std::size_t max_audience_bytes = 4 << 10;
};

using ClientId = std::uint64_t;

/// A message to a client; many clients can share one.
using Message = std::shared_ptr<const std::string>;

/// Result of WebHandlers::received.
struct Received {
  std::string fault;  ///< reason to close the client; empty: none
  bool done = false;  ///< handled; otherwise WebServer::consumed() follows
};

/// Called on the server's thread.
struct WebHandlers {
  /// Returns the first message to the client.
  std::function<Message(ClientId, Access)> opened;
  /// The client's next message comes when this one is done or WebServer::consumed() was called.
  std::function<Received(ClientId, const std::string& message, bool binary)> received;
  std::function<void(ClientId)> closed;
};

class WebServer {
 public:
  /// Listens from now on. Throws moorea::Error (run) if the address cannot be used, Error (unavailable) in a
  /// build without Boost.Beast.
  WebServer(const WebOptions& options, std::vector<WebFile> files, WebHandlers handlers);
  /// Closes every socket.
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::uint16_t port() const;

  // Any thread; without effect if the client is gone

  /// Queues a message. While more than a few megabytes are queued, the client's own messages wait.
  void send(ClientId client, Message message, bool binary);
  /// Its last message has been handled.
  void consumed(ClientId client);

 private:
  struct Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace app
