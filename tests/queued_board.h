// SPDX-License-Identifier: MIT
// A board with a queue, as those of GPUs have one: a thread that does the work of a CPU board late.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "boards/board.h"
#include "boards/board_queue.h"
#include "queue_mail.h"

namespace moorea::test {

class QueuedBoard final : public Board, private BoardQueue {
 public:
  /// Each piece of work begins up to `max_delay` after the one before; equal seeds give equal delays. Counts
  /// the boxes that other queues write, if asked to. With `mail` the queue can be linked to those of other
  /// ranks, as a device that has the number of the rank.
  QueuedBoard(std::unique_ptr<Board> board, std::chrono::microseconds max_delay, std::uint32_t seed,
              std::atomic<int>* boxes_of_queues = nullptr, QueueMail* mail = nullptr, int rank = 0)
      : Board(board->world()),
        board_(std::move(board)),
        max_delay_(max_delay.count()),
        random_(seed),
        boxes_of_queues_(boxes_of_queues),
        mail_(mail),
        rank_(rank) {
    worker_ = std::thread([this] { work(); });
  }
  ~QueuedBoard() override {
    put([this] { ends_ = true; });
    worker_.join();
  }

  void load(const Grid& cells, Position at) override {
    now([&] { board_->load(cells, at); });
  }
  void load_states(const Cells& cells, Position at) override {
    now([&] { board_->load_states(cells, at); });
  }
  void write(const ConstGridView& cells, Position at, PasteMode mode) override {
    now([&] { board_->write(cells, at, mode); });
  }
  void write_states(const Cells& cells, Position at) override {
    now([&] { board_->write_states(cells, at); });
  }
  void read(const Box& box, const GridView& to) const override {
    now([&] { board_->read(box, to); });
  }
  Cells states(const Box& box) const override {
    Cells result;
    now([&] { result = board_->states(box); });
    return result;
  }
  void set_phase(bool odd) override {
    now([&] { board_->set_phase(odd); });
  }
  bool phase() const override {
    bool result = false;
    now([&] { result = board_->phase(); });
    return result;
  }
  void advance(std::uint64_t generations) override {
    now([&] { board_->advance(generations); });
  }
  BoardSummary summary(const SummaryParts& parts, Position origin) const override {
    BoardSummary result;
    now([&] { result = board_->summary(parts, origin); });
    return result;
  }
  BoardQueue* queue() override { return this; }

 private:
  // How often it was put into a queue and passed by it, which may happen after the mark's end.
  class Mark final : public QueueMark {
   public:
    struct State {
      std::mutex mutex;
      std::condition_variable changed;
      std::uint64_t put = 0, passed = 0;
      std::chrono::steady_clock::time_point time;

      void pass() {
        const std::lock_guard lock(mutex);
        ++passed;
        time = std::chrono::steady_clock::now();
        changed.notify_all();
      }
      void wait_for(std::uint64_t times) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return passed >= times; });
      }
    };

    std::shared_ptr<State> state() const { return state_; }
    void put() {
      const std::lock_guard lock(state_->mutex);
      ++state_->put;
    }
    std::uint64_t times_put() const {
      const std::lock_guard lock(state_->mutex);
      return state_->put;
    }
    void wait() const override { state_->wait_for(times_put()); }
    bool is_reached() const override {
      const std::lock_guard lock(state_->mutex);
      return state_->passed >= state_->put;
    }
    double seconds_since(const QueueMark& earlier) const override {
      const auto before = dynamic_cast<const Mark&>(earlier).state_->time;
      return std::chrono::duration<double>(state_->time - before).count();
    }

   private:
    std::shared_ptr<State> state_ = std::make_shared<State>();
  };

  // Rows that nobody needs afterwards get other cells.
  void enqueue(std::uint64_t generations, RowRange needed) override {
    put([this, generations, needed] {
      board_->advance(generations);
      replace_rows(0, needed.first);
      replace_rows(needed.end, world_.height);
    });
  }
  void replace_rows(std::int64_t first, std::int64_t end) {
    if (first >= end) return;
    board_->write(Grid::random(world_.width, end - first, 0.5, random_()), {0, first}, PasteMode::replace);
  }
  void read_rows(std::int64_t y, std::int64_t rows, std::uint64_t* to) override {
    put([this, y, rows, to] { moorea::read_rows(*board_, y, rows, to); });
  }
  void write_rows(std::int64_t y, std::int64_t rows, const std::uint64_t* from) override {
    put([this, y, rows, from] { moorea::write_rows(*board_, y, rows, from); });
  }
  std::unique_ptr<QueueMark> make_mark() const override { return std::make_unique<Mark>(); }
  void mark(QueueMark& mark) override {
    auto& own = dynamic_cast<Mark&>(mark);
    own.put();
    put([state = own.state()] { state->pass(); });
  }
  void wait_for(const QueueMark& mark) override {
    const auto& other = dynamic_cast<const Mark&>(mark);
    put([state = other.state(), times = other.times_put()] { state->wait_for(times); });
  }
  void finish() override {
    now([] {});
  }
  RowMemory make_row_memory(std::size_t words, const BoardQueue* writer) override {
    if (writer != nullptr && boxes_of_queues_ != nullptr) ++*boxes_of_queues_;
    return {std::make_unique<std::uint64_t[]>(words),
            writer == nullptr ? RowPath::page_locked : RowPath::peer};
  }

  bool may_be_linked() const override { return mail_ != nullptr; }
  std::optional<DeviceId> link_device() const override {
    return DeviceId{1, static_cast<std::uint64_t>(rank_)};
  }
  LinkId make_link_id() const override { return {1, 2, 3}; }
  std::unique_ptr<QueueLink> make_link(const LinkId& id, RankLink&) override {
    if (id != make_link_id()) throw Error("the ranks have different links");
    return std::make_unique<MailLink>(*mail_, rank_,
                                      [this](std::function<void()> task) { put(std::move(task)); });
  }

  void put(std::function<void()> task) const {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_all();
  }

  // What the calling thread asks for is done after all other work.
  void now(const std::function<void()>& action) const {
    Mark done;
    done.put();
    put([&] {
      action();
      done.state()->pass();
    });
    done.wait();
  }

  void work() {
    while (!ends_) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !tasks_.empty(); });
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      const auto delay = std::uniform_int_distribution<std::int64_t>(-3 * max_delay_, max_delay_)(random_);
      if (delay > 0) std::this_thread::sleep_for(std::chrono::microseconds(delay));
      task();
    }
  }

  std::unique_ptr<Board> board_;
  std::int64_t max_delay_;
  std::mt19937 random_;
  std::atomic<int>* boxes_of_queues_;
  QueueMail* mail_;
  int rank_;
  bool ends_ = false;  // of the worker alone
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::deque<std::function<void()>> tasks_;
  std::thread worker_;
};

}  // namespace moorea::test
