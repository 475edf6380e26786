// SPDX-License-Identifier: MIT
#include "devices/cuda/nccl.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "devices/cuda/runtime.h"
#include "devices/shared_library.h"
#include "moorea/error.h"

namespace moorea {
namespace cuda {
namespace {

using Comm = struct ncclComm*;
using Result = int;
constexpr Result success = 0, in_progress = 7;
constexpr int unsigned_bytes = 1;     // ncclUint8
constexpr int first_version = 21400;  // 2.14: communicators that do not block
constexpr unsigned config_magic = 0xCAFEBEEF;

struct UniqueId {
  char bytes[128];
};
static_assert(sizeof(UniqueId) == sizeof(LinkId));

// ncclConfig_t of version 2.14, which later versions accept.
struct Config {
  std::size_t size = sizeof(Config);
  unsigned magic = config_magic;
  unsigned version = first_version;
  int blocking = 0;
};

struct Nccl {
  Result (*get_version)(int* version) = nullptr;
  Result (*get_id)(UniqueId* id) = nullptr;
  Result (*init)(Comm* comm, int ranks, UniqueId id, int rank, Config* config) = nullptr;
  Result (*finalize)(Comm comm) = nullptr;
  Result (*destroy)(Comm comm) = nullptr;
  Result (*abort)(Comm comm) = nullptr;
  Result (*async_error)(Comm comm, Result* state) = nullptr;
  Result (*send)(const void* from, std::size_t number, int type, int to, Comm comm,
                 cudaStream_t stream) = nullptr;
  Result (*receive)(void* to, std::size_t number, int type, int from, Comm comm,
                    cudaStream_t stream) = nullptr;
  Result (*begin_group)() = nullptr;
  Result (*end_group)() = nullptr;
  const char* (*error)(Result result) = nullptr;
  const char* (*last_error)(Comm comm) = nullptr;
  int version = 0;
  const char* missing = nullptr;
};

Nccl open_nccl() {
  Nccl nccl;
  const SharedLibrary library({"libnccl.so.2"});
  if (!library.is_open()) {
    nccl.missing = "there is no libnccl.so.2";
    return nccl;
  }
  const bool has_all =
      library.find("ncclGetVersion", nccl.get_version) && library.find("ncclGetUniqueId", nccl.get_id) &&
      library.find("ncclCommInitRankConfig", nccl.init) && library.find("ncclCommFinalize", nccl.finalize) &&
      library.find("ncclCommDestroy", nccl.destroy) && library.find("ncclCommAbort", nccl.abort) &&
      library.find("ncclCommGetAsyncError", nccl.async_error) && library.find("ncclSend", nccl.send) &&
      library.find("ncclRecv", nccl.receive) && library.find("ncclGroupStart", nccl.begin_group) &&
      library.find("ncclGroupEnd", nccl.end_group) && library.find("ncclGetErrorString", nccl.error) &&
      library.find("ncclGetLastError", nccl.last_error);
  if (!has_all || nccl.get_version(&nccl.version) != success || nccl.version < first_version)
    nccl.missing = "its libnccl.so.2 is older than version 2.14";
  return nccl;
}

const Nccl& nccl() {
  static const Nccl opened = open_nccl();
  return opened;
}

std::string version_text() {
  const int version = nccl().version;
  return fmt::format("NCCL {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

void check_nccl(Result result, Comm comm, const char* call, const char* file, int line) {
  if (result == success || result == in_progress) return;
  throw Error(
      fmt::format("NCCL failed: {} ({}), {} ({}:{}): NCCL_DEBUG=WARN in the environment says more, "
                  "and ranks do without NCCL if their transport is mpi",
                  nccl().error(result), nccl().last_error(comm), call, file, line));
}
#define MOOREA_NCCL(comm, call) check_nccl(call, comm, #call, __FILE__, __LINE__)

// A communicator that never blocks: the thread that waits for it also looks for errors of other ranks.
class NcclLink final : public QueueLink {
 public:
  NcclLink(const LinkId& id, RankLink& ranks, cudaStream_t stream) : ranks_(ranks), stream_(stream) {
    for (int rank = 0; rank < ranks.size(); ++rank)
      if (rank != ranks.rank()) others_.push_back(rank);
    UniqueId unique;
    std::memcpy(&unique, id.data(), sizeof unique);
    Config config;
    try {
      MOOREA_NCCL(comm_, nccl().init(&comm_, ranks.size(), unique, ranks.rank(), &config));
      wait_until_started(others_);
    } catch (...) {
      abort();
      throw;
    }
  }

  NcclLink(const NcclLink&) = delete;
  NcclLink& operator=(const NcclLink&) = delete;

  ~NcclLink() override {
    if (comm_ == nullptr) return;
    try {
      MOOREA_NCCL(comm_, nccl().finalize(comm_));
      wait_until_started(others_);
      nccl().destroy(comm_);
    } catch (const std::exception&) {
      abort();  // another rank has failed, and its error has been reported
    }
  }

  void transfer(std::span<const QueueMessage> out, std::span<const QueueMessage> in) override {
    if (comm_ == nullptr) throw Error("messages between GPUs were ended by an earlier error");
    std::vector<int> peers;
    MOOREA_NCCL(comm_, nccl().begin_group());
    for (const QueueMessage& each : out) {
      MOOREA_NCCL(comm_, nccl().send(each.words, 8 * each.number, unsigned_bytes, each.rank, comm_, stream_));
      peers.push_back(each.rank);
    }
    for (const QueueMessage& each : in)
      MOOREA_NCCL(comm_,
                  nccl().receive(each.words, 8 * each.number, unsigned_bytes, each.rank, comm_, stream_));
    MOOREA_NCCL(comm_, nccl().end_group());
    wait_until_started(peers);
  }

  void check() override { (void)is_started(); }

  void abort() noexcept override {
    if (comm_ != nullptr) nccl().abort(comm_);
    comm_ = nullptr;
  }

  std::string name() const override { return version_text(); }

 private:
  // Whether the last call is in the stream, or complete if it is none of the stream's.
  bool is_started() {
    Result state = success;
    MOOREA_NCCL(comm_, nccl().async_error(comm_, &state));
    MOOREA_NCCL(comm_, state);
    return state == success;
  }

  void wait_until_started(std::span<const int> peers) {
    if (!is_started()) ranks_.wait_until([this] { return is_started(); }, peers);
  }

  RankLink& ranks_;
  cudaStream_t stream_;
  std::vector<int> others_;
  Comm comm_ = nullptr;
};

}  // namespace

const char* nccl_missing() { return nccl().missing; }

LinkId make_nccl_id() {
  UniqueId unique;
  MOOREA_NCCL(nullptr, nccl().get_id(&unique));
  LinkId id;
  std::memcpy(id.data(), &unique, sizeof unique);
  return id;
}

std::unique_ptr<QueueLink> make_nccl_link(const LinkId& id, RankLink& ranks, cudaStream_t stream) {
  return std::make_unique<NcclLink>(id, ranks, stream);
}

}  // namespace cuda

std::string nccl_text() {
  return cuda::nccl_missing() == nullptr ? cuda::version_text()
                                         : fmt::format("no NCCL: {}", cuda::nccl_missing());
}

}  // namespace moorea
