// SPDX-License-Identifier: MIT
#include "thread_ranks.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <thread>

namespace moorea::test {

class ThreadRanks::Link final : public RankLink {
 public:
  Link(ThreadRanks& ranks, int rank) : ranks_(ranks), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return ranks_.size_; }
  std::vector<int> ranks_of_host() const override {
    std::vector<int> all;
    for (int rank = 0; rank < size(); ++rank) all.push_back(rank);
    return all;
  }

  bool reaches_gpus() const override { return ranks_.reaches_gpus_; }

  void transfer(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    std::unique_lock lock(ranks_.mutex_);
    for (const Outgoing& each : out)
      ranks_.messages_[{rank_, each.rank, each.tag}].emplace_back(each.bytes.begin(), each.bytes.end());
    ranks_.changed_.notify_all();
    for (const Incoming& each : in) {
      std::deque<std::vector<std::byte>>& queue = ranks_.messages_[{each.rank, rank_, each.tag}];
      ranks_.changed_.wait(lock, [&] { return ranks_.error_ || !queue.empty(); });
      if (ranks_.error_) throw Error(*ranks_.error_);
      if (queue.front().size() != each.bytes.size()) throw std::logic_error("a message of another length");
      std::ranges::copy(queue.front(), each.bytes.begin());
      queue.pop_front();
    }
  }

  void wait_until(const std::function<bool()>& done, std::span<const int>) override {
    while (!done()) {
      {
        const std::lock_guard lock(ranks_.mutex_);
        if (ranks_.error_) throw Error(*ranks_.error_);
      }
      std::this_thread::yield();
    }
  }

  void raise(const std::string& text, ErrorKind kind) noexcept override {
    const std::lock_guard lock(ranks_.mutex_);
    if (!ranks_.error_) ranks_.error_.emplace("rank " + std::to_string(rank_) + ": " + text, kind);
    ranks_.changed_.notify_all();
  }

 private:
  ThreadRanks& ranks_;
  int rank_;
};

std::vector<std::string> ThreadRanks::run(const std::function<void(const std::shared_ptr<RankLink>&)>& body) {
  std::vector<std::string> errors(static_cast<std::size_t>(size_));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size_; ++rank) {
    threads.emplace_back([&, rank] {
      const auto link = std::make_shared<Link>(*this, rank);
      try {
        body(link);
      } catch (const std::exception& error) {
        link->raise(error.what(), ErrorKind::run);  // so that nobody waits for this rank
        errors[static_cast<std::size_t>(rank)] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return errors;
}

}  // namespace moorea::test
