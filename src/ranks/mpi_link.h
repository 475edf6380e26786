// SPDX-License-Identifier: MIT
// Messages by MPI. All waiting is a loop around MPI_Test that also looks for control messages and at the
// clock: an error of any rank reaches those that wait for others, and a rank that hangs is found. Only this
// header and its source files include mpi.h.
#pragma once

#include <mpi.h>

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "moorea/ranks.h"

namespace moorea {

/// Throws Error (run) with the call, MPI's text, file and line unless `code` is MPI_SUCCESS.
void check_mpi(int code, const char* call, const char* file, int line);
#define MOOREA_CHECK_MPI(call) ::moorea::check_mpi(call, #call, __FILE__, __LINE__)

/// Whether the MPI library says that messages may lie in the memory of CUDA devices.
bool is_cuda_aware();

class MpiLink final : public RankLink {
 public:
  /// MPI has been initialised.
  explicit MpiLink(double patience);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::vector<int> ranks_of_host() const override { return ranks_of_host_; }
  bool reaches_gpus() const override { return reaches_gpus_; }
  void transfer(std::span<const Outgoing> out, std::span<const Incoming> in) override;
  void wait_until(const std::function<bool()>& done, std::span<const int> ranks) override;
  void raise(const std::string& text, ErrorKind kind) noexcept override;

  const std::string& host(int rank) const { return hosts_[static_cast<std::size_t>(rank)]; }
  std::string name(int rank) const;  ///< "rank 3 on node7"

  /// The rank that does not answer; empty if all do.
  const std::optional<int>& silent_rank() const { return silent_; }

  /// Returns when rank `from` has called release(), or after `seconds`: then false.
  bool wait_for_release(double seconds);
  /// Lets all other ranks return from wait_for_release().
  void release();

 private:
  using Clock = std::chrono::steady_clock;

  void find_hosts();
  void post(std::vector<MPI_Request>& requests, std::vector<int>& peers, std::span<const Outgoing> out,
            std::span<const Incoming> in);
  double allowed_seconds() const;
  void wait(const std::function<bool()>& done, std::span<const int> peers, double allowed);
  void read_control();
  void send_control(int to, int tag, const std::string& text = "");
  void accuse(int rank, double seconds);
  void fail(const std::string& text, ErrorKind kind, std::optional<int> silent);

  double patience_;
  bool reaches_gpus_ = false;
  int rank_ = 0, size_ = 1;
  MPI_Comm data_ = MPI_COMM_NULL, control_ = MPI_COMM_NULL;
  std::vector<std::string> hosts_;
  std::vector<int> ranks_of_host_;
  std::optional<Error> error_;
  std::optional<int> silent_;
  bool released_ = false;
  std::vector<bool> answered_;     // whether a rank has answered the last query
  Clock::time_point worked_from_;  // end of the last transfer
  std::deque<std::string> sent_;   // control messages, which MPI may still read
};

}  // namespace moorea
