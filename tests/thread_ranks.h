// SPDX-License-Identifier: MIT
// Ranks that are threads of one process: what they compute is tested without MPI.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "moorea/ranks.h"

namespace moorea::test {

class ThreadRanks {
 public:
  /// `reaches_gpus` is what the links say.
  explicit ThreadRanks(int size, bool reaches_gpus = false) : size_(size), reaches_gpus_(reaches_gpus) {}

  /// Calls body(link) on a thread for each rank and returns what each threw; empty texts for those that did
  /// not.
  std::vector<std::string> run(const std::function<void(const std::shared_ptr<RankLink>&)>& body);

 private:
  class Link;
  using Key = std::tuple<int, int, int>;  // sender, receiver, tag

  int size_;
  bool reaches_gpus_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Key, std::deque<std::vector<std::byte>>> messages_;
  std::optional<Error> error_;
};

}  // namespace moorea::test
