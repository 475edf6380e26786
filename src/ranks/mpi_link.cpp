// SPDX-License-Identifier: MIT
#ifdef MOOREA_MPI_ENABLED

#include "ranks/mpi_link.h"

#include <fmt/core.h>
#include <sched.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

namespace moorea {
namespace {

// Tags of control messages
constexpr int query = 1;    // "are you there?", to a rank that is waited for
constexpr int answer = 2;   // of a rank that itself waits for another
constexpr int failure = 3;  // kind, whether a rank is silent, its number, text
constexpr int released = 4;

constexpr std::size_t max_text = 2000;        // of an error
constexpr std::size_t max_message = 1 << 30;  // bytes; MPI counts them in an int
constexpr int tests_a_look = 64;              // MPI_Test between two looks at control messages and clock
constexpr double spin_seconds = 0.002;        // then a waiting rank sleeps between its tests
constexpr auto nap = std::chrono::microseconds(50);
constexpr double max_grace = 5;    // seconds that a queried rank has for its answer
constexpr int max_queries = 10;    // of one wait: after these, ranks wait for each other
constexpr double work_factor = 2;  // a rank may take this times as long as another

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void check_mpi(int code, const char* call, const char* file, int line) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(fmt::format("MPI failed: {} ({}, {}:{})", text.data(), call, file, line));
}

bool is_cuda_aware() {
#ifdef MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

MpiLink::MpiLink(double patience) : patience_(patience), worked_from_(Clock::now()) {
  MOOREA_CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  MOOREA_CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
  MOOREA_CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &size_));
  for (MPI_Comm* comm : {&data_, &control_}) {
    MOOREA_CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, comm));
    MOOREA_CHECK_MPI(MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN));
  }
  answered_.resize(static_cast<std::size_t>(size_));
  // Hosts may have libraries that differ
  const int own = is_cuda_aware() ? 1 : 0;
  int all = 0;
  MOOREA_CHECK_MPI(MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, data_));
  reaches_gpus_ = all == 1;
  find_hosts();
}

void MpiLink::find_hosts() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> own{};
  int length = 0;
  MOOREA_CHECK_MPI(MPI_Get_processor_name(own.data(), &length));
  std::vector<char> all(own.size() * static_cast<std::size_t>(size_));
  const int each = static_cast<int>(own.size());
  MOOREA_CHECK_MPI(MPI_Allgather(own.data(), each, MPI_CHAR, all.data(), each, MPI_CHAR, data_));
  for (std::size_t i = 0; i < all.size(); i += own.size()) hosts_.emplace_back(all.data() + i);
  MPI_Comm host = MPI_COMM_NULL;
  MOOREA_CHECK_MPI(MPI_Comm_split_type(data_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host));
  int number = 0;
  MOOREA_CHECK_MPI(MPI_Comm_size(host, &number));
  ranks_of_host_.resize(static_cast<std::size_t>(number));
  MOOREA_CHECK_MPI(MPI_Allgather(&rank_, 1, MPI_INT, ranks_of_host_.data(), 1, MPI_INT, host));
  MOOREA_CHECK_MPI(MPI_Comm_free(&host));
}

std::string MpiLink::name(int rank) const { return fmt::format("rank {} on {}", rank, host(rank)); }

void MpiLink::post(std::vector<MPI_Request>& requests, std::vector<int>& peers, std::span<const Outgoing> out,
                   std::span<const Incoming> in) {
  const auto in_pieces = [&](int peer, auto bytes, const auto& start) {
    do {
      const auto piece = bytes.first(std::min(bytes.size(), max_message));
      requests.push_back(MPI_REQUEST_NULL);
      peers.push_back(peer);
      start(piece, &requests.back());
      bytes = bytes.subspan(piece.size());
    } while (!bytes.empty());
  };
  for (const Incoming& each : in) {
    in_pieces(each.rank, each.bytes, [&](std::span<std::byte> piece, MPI_Request* request) {
      MOOREA_CHECK_MPI(MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, each.rank, each.tag,
                                 data_, request));
    });
  }
  for (const Outgoing& each : out) {
    in_pieces(each.rank, each.bytes, [&](std::span<const std::byte> piece, MPI_Request* request) {
      MOOREA_CHECK_MPI(MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, each.rank, each.tag,
                                 data_, request));
    });
  }
}

void MpiLink::transfer(std::span<const Outgoing> out, std::span<const Incoming> in) {
  if (error_) throw Error(*error_);
  const double allowed = allowed_seconds();
  std::vector<MPI_Request> requests;
  std::vector<int> peers;
  try {
    post(requests, peers, out, in);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const auto is_complete = [&request = requests[i]] {
        int done = 0;
        MOOREA_CHECK_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        return done != 0;
      };
      wait(is_complete, {&peers[i], 1}, allowed);
    }
  } catch (...) {
    // No message may arrive in memory that is freed now; MPI completes what cannot be cancelled
    for (MPI_Request& request : requests) {
      if (request == MPI_REQUEST_NULL) continue;
      MPI_Cancel(&request);
      MPI_Request_free(&request);
    }
    throw;
  }
  worked_from_ = Clock::now();
}

void MpiLink::wait_until(const std::function<bool()>& done, std::span<const int> ranks) {
  if (error_) throw Error(*error_);
  wait(done, ranks, allowed_seconds());
  worked_from_ = Clock::now();
}

// How long another rank may take, by the time that this one has worked since it last heard of others.
double MpiLink::allowed_seconds() const { return patience_ + work_factor * seconds_since(worked_from_); }

// Waits for one or several ranks; those that take long are queried one after the other.
void MpiLink::wait(const std::function<bool()>& done, std::span<const int> peers, double allowed) {
  const auto start = Clock::now();
  auto since = start;  // of the query, or of the last answer
  bool is_queried = false;
  std::size_t queried = 0;
  const double grace = std::min(max_grace, patience_);
  for (int test = 1, queries = 0;; ++test) {
    if (done()) return;
    if (test % tests_a_look != 0) continue;
    read_control();
    if (error_) throw Error(*error_);
    if (seconds_since(start) < spin_seconds) {
      sched_yield();
      continue;
    }
    test = tests_a_look - 1;  // a look after each nap
    std::this_thread::sleep_for(nap);
    if (!is_queried) {
      if (seconds_since(since) < allowed) continue;
      const int peer = peers[queried % peers.size()];
      if (++queries > max_queries) accuse(peer, seconds_since(start));
      answered_[static_cast<std::size_t>(peer)] = false;
      send_control(peer, query);
      is_queried = true;
      since = Clock::now();
    } else if (answered_[static_cast<std::size_t>(peers[queried % peers.size()])]) {
      // It waits for another rank itself, whose neighbours find out about it
      is_queried = false;
      ++queried;
      since = Clock::now();
    } else if (seconds_since(since) > grace) {
      accuse(peers[queried % peers.size()], seconds_since(start));
    }
  }
}

void MpiLink::accuse(int rank, double seconds) {
  fail(fmt::format("{} has not answered for {:.0f} s: it hangs, or needs a longer time limit of ranks",
                   name(rank), seconds),
       ErrorKind::run, rank);
  throw Error(*error_);
}

void MpiLink::send_control(int to, int tag, const std::string& text) {
  const std::string& kept = sent_.emplace_back(text);
  MPI_Request request = MPI_REQUEST_NULL;
  MOOREA_CHECK_MPI(
      MPI_Isend(kept.data(), static_cast<int>(kept.size()), MPI_CHAR, to, tag, control_, &request));
  MOOREA_CHECK_MPI(MPI_Request_free(&request));
}

// Reads the messages that have arrived, and answers queries.
void MpiLink::read_control() {
  for (;;) {
    int arrived = 0;
    MPI_Status status;
    MOOREA_CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, control_, &arrived, &status));
    if (arrived == 0) return;
    int length = 0;
    MOOREA_CHECK_MPI(MPI_Get_count(&status, MPI_CHAR, &length));
    std::string text(static_cast<std::size_t>(length), '\0');
    MOOREA_CHECK_MPI(MPI_Recv(text.data(), length, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, control_,
                              MPI_STATUS_IGNORE));
    const int from = status.MPI_SOURCE;
    if (status.MPI_TAG == query) send_control(from, answer);
    if (status.MPI_TAG == answer) answered_[static_cast<std::size_t>(from)] = true;
    if (status.MPI_TAG == released) released_ = true;
    if (status.MPI_TAG != failure || error_) continue;
    int kind = 0, silent = 0;
    std::memcpy(&kind, text.data(), sizeof kind);
    std::memcpy(&silent, text.data() + sizeof kind, sizeof silent);
    text.erase(0, sizeof kind + sizeof silent);
    if (silent >= 0) silent_ = silent;
    error_.emplace(silent >= 0 ? text : fmt::format("{}: {}", name(from), text),
                   static_cast<ErrorKind>(kind));
  }
}

void MpiLink::fail(const std::string& text, ErrorKind kind, std::optional<int> silent) {
  if (error_) return;
  error_.emplace(text, kind);
  silent_ = silent;
  const int values[] = {static_cast<int>(kind), silent.value_or(-1)};
  std::string message(reinterpret_cast<const char*>(values), sizeof values);
  message += text.substr(0, max_text);
  for (int to = 0; to < size_; ++to)
    if (to != rank_) send_control(to, failure, message);
}

void MpiLink::raise(const std::string& text, ErrorKind kind) noexcept {
  try {
    fail(text, kind, std::nullopt);
  } catch (const std::exception&) {
    // The others find out that this rank does not answer
  }
}

bool MpiLink::wait_for_release(double seconds) {
  for (const auto start = Clock::now(); !released_; std::this_thread::sleep_for(nap)) {
    read_control();
    if (seconds_since(start) > seconds) return false;
  }
  return true;
}

void MpiLink::release() {
  for (int to = 0; to < size_; ++to)
    if (to != rank_ && to != silent_.value_or(-1)) send_control(to, released);
}

}  // namespace moorea

#endif
