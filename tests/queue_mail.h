// SPDX-License-Identifier: MIT
// Links between the queues of ranks that are threads: messages are work of the queues, as those of NCCL are.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "boards/queue_link.h"
#include "moorea/error.h"

namespace moorea::test {

/// Messages on their way between the queues of all ranks.
class QueueMail {
 public:
  void send(int from, const QueueMessage& message) {
    const std::lock_guard lock(mutex_);
    sent_[{from, message.rank}].emplace_back(message.words, message.words + message.number);
    changed_.notify_all();
  }

  /// Waits for the next message, unless all have been ended.
  void receive(int to, const QueueMessage& message) {
    std::unique_lock lock(mutex_);
    std::deque<std::vector<std::uint64_t>>& from = sent_[{message.rank, to}];
    changed_.wait(lock, [&] { return ended_ || !from.empty(); });
    if (from.empty()) return;
    if (from.front().size() == message.number) std::ranges::copy(from.front(), message.words);
    from.pop_front();
  }

  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int, int>, std::deque<std::vector<std::uint64_t>>> sent_;
  bool ended_ = false;
};

class MailLink final : public QueueLink {
 public:
  using Put = std::function<void(std::function<void()>)>;

  /// `put` puts work into the queue of the rank, which may live longer than the link.
  MailLink(QueueMail& mail, int rank, Put put) : mail_(mail), rank_(rank), put_(std::move(put)) {}

  void transfer(std::span<const QueueMessage> out, std::span<const QueueMessage> in) override {
    put_([&mail = mail_, rank = rank_, out = std::vector(out.begin(), out.end()),
          in = std::vector(in.begin(), in.end())] {
      for (const QueueMessage& each : out) mail.send(rank, each);
      for (const QueueMessage& each : in) mail.receive(rank, each);
    });
  }
  void check() override {}
  void abort() noexcept override { mail_.end(); }
  std::string name() const override { return "mail"; }

 private:
  QueueMail& mail_;
  int rank_;
  Put put_;
};

}  // namespace moorea::test
