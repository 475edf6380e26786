// SPDX-License-Identifier: MIT
// One port with some files and WebSockets: who may connect, how much they may say, and who must wait. It
// knows nothing of cells. Boost.Beast does the work and stays behind this header, as it takes long to
// compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace app {

enum class Access { none, audience, control };

/// Which of two secrets this is; takes as long for each wrong one.
Access access_of(std::string_view token, std::string_view control, std::string_view audience);

/// 128 random bits from the system, as 32 hexadecimal digits.
std::string random_token();

struct WebFile {
  std::string path;  ///< "/" or "/style.css"
  std::string type;  ///< as HTTP has it, "text/css"
  std::string_view text;
};

struct WebOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any that is free
  std::string control_token, audience_token;
  /// Names under which it is reached, in small letters: beside them localhost and IP addresses are taken,
  /// which no page from elsewhere can make its own name lead to.
  std::vector<std::string> hosts;
  std::size_t max_clients = 256;
  std::size_t kept_for_control = 16;         ///< of them
  std::size_t max_control_bytes = 64 << 20;  ///< of one message; a larger one closes its socket
  std::size_t max_audience_bytes = 4 << 10;
};

using ClientId = std::uint64_t;

/// A message to a client; many clients can share one.
using Message = std::shared_ptr<const std::string>;

/// What became of a message.
struct Received {
  std::string fault;  ///< why the client is to be closed, if it is
  bool done = false;  ///< dealt with already
};

/// What happens on the server's own thread.
struct WebHandlers {
  /// Returns what the client is sent first.
  std::function<Message(ClientId, Access)> opened;
  /// The next message of this client comes after WebServer::consumed(), where it is not dealt with already.
  std::function<Received(ClientId, const std::string& message, bool binary)> received;
  std::function<void(ClientId)> closed;
};

class WebServer {
 public:
  /// Listens from now on. Throws moorea::Error (run) where the address cannot be used, Error (unavailable) in
  /// a build without Boost.
  WebServer(const WebOptions& options, std::vector<WebFile> files, WebHandlers handlers);
  /// Closes every socket.
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::uint16_t port() const;

  // From any thread; nothing happens where the client is gone.

  /// Sends after what was sent before. While more than a few megabytes wait, nothing that the client says is
  /// dealt with.
  void send(ClientId client, Message message, bool binary);
  /// What it said last has been dealt with.
  void consumed(ClientId client);

 private:
  struct Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace app
