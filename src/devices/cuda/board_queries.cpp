// SPDX-License-Identifier: MIT
// Queries and instruments of CudaBoard.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "devices/cuda/board.h"
#include "model/bits.h"
#include "model/hash.h"
#include "model/statistics.h"
#include "moorea/error.h"

namespace moorea::cuda {
namespace {

using kernels::Layout;

constexpr std::size_t conversion_samples = 9;
constexpr std::size_t max_limits = 256;  // of levels; rounded up

// From row to row of a world with a byte per cell.
std::ptrdiff_t bytes_pitch(std::int64_t width) { return (width + 63) / 64 * 64; }

}  // namespace

// Calls per_rows(rows) for consecutive groups of rows, packed in the device's memory, until all rows are
// done.
template <class PerRows>
void CudaBoard::for_rows(const PerRows& per_rows) const {
  for (std::int64_t y = 0; y < world_.height; y += rows_at_once_)
    per_rows(pack(current_, y, world_.height, stages_[0]));
}

// Sum that count(answer) accumulates in the device's memory.
template <class Count>
std::uint64_t CudaBoard::counted(const Count& count) const {
  unsigned long long sum = 0;
  auto* const answer = answer_.as<unsigned long long>();
  MOOREA_CUDA(cudaMemsetAsync(answer, 0, sizeof sum, stream_));
  count(answer);
  MOOREA_CUDA(cudaGetLastError());
  MOOREA_CUDA(cudaMemcpyAsync(&sum, answer, sizeof sum, cudaMemcpyDeviceToHost, stream_));
  stream_.wait();
  return sum;
}

std::uint64_t CudaBoard::count_cells() const {
  use();
  return counted([&](unsigned long long* population) {
    const DeviceField& field = fields_[static_cast<std::size_t>(current_)];
    if (shape_.digits == 1 && is_countable(field)) {
      count(field, population, stream_);
    } else {
      for_rows([&](const PackedRows& rows) { count(rows, population, stream_); });
    }
  });
}

// Copies to the host through the pinned staging buffers, pipelined.
void CudaBoard::fetch(const void* from, std::size_t bytes, void* to) const {
  const std::size_t at_once = row_bytes(rows_at_once_);
  const auto part = [&](std::size_t at) { return std::min(at_once, bytes - at); };
  std::size_t turn = 0;
  for (std::size_t at = 0; at < bytes + at_once; at += at_once, turn = 1 - turn) {
    if (at < bytes) {
      const Stage& stage = stages_[turn];
      MOOREA_CUDA(cudaMemcpyAsync(stage.host.words(), static_cast<const std::byte*>(from) + at, part(at),
                                  cudaMemcpyDeviceToHost, stream_));
      MOOREA_CUDA(cudaEventRecord(stage.done, stream_));
    }
    if (at == 0) continue;
    const Stage& before = stages_[1 - turn];
    before.done.wait();
    std::memcpy(static_cast<std::byte*>(to) + (at - at_once), before.host.words(), part(at - at_once));
  }
}

CudaBoard::Squares CudaBoard::count_squares(const Raster& raster) const {
  const std::size_t number = static_cast<std::size_t>((raster.columns * raster.rows + 3) / 4 * 4);
  const std::size_t bytes = (max_limits + number) * sizeof(std::uint32_t) + number;
  if (squares_bytes_ < bytes) {
    squares_bytes_ = 0;
    squares_ = DeviceMemory();  // release before allocating the larger one
    squares_ = DeviceMemory(bytes);
    squares_bytes_ = bytes;
  }
  Squares squares;
  squares.limits = squares_.as<std::uint32_t>();
  squares.numbers = squares.limits + max_limits;
  squares.levels = reinterpret_cast<std::uint8_t*>(squares.numbers + number);
  MOOREA_CUDA(cudaMemsetAsync(squares.numbers, 0, number * sizeof(std::uint32_t), stream_));
  const std::int64_t end = std::min(world_.height, raster.y + raster.rows * raster.scale);
  for (std::int64_t y = std::max<std::int64_t>(0, raster.y); y < end; y += rows_at_once_) {
    add_density(pack(current_, y, end, stages_[0]), world_.width, raster, squares.numbers, stream_);
    MOOREA_CUDA(cudaGetLastError());
  }
  return squares;
}

std::vector<std::uint32_t> CudaBoard::density(const Raster& raster) const {
  use();
  const Squares squares = count_squares(raster);
  std::vector<std::uint32_t> answer(static_cast<std::size_t>(raster.columns * raster.rows));
  fetch(squares.numbers, answer.size() * sizeof answer[0], answer.data());
  return answer;
}

std::vector<std::uint8_t> CudaBoard::levels(const Raster& raster,
                                            std::span<const std::uint32_t> limits) const {
  use();
  const Squares squares = count_squares(raster);
  MOOREA_CUDA(
      cudaMemcpyAsync(squares.limits, limits.data(), limits.size_bytes(), cudaMemcpyHostToDevice, stream_));
  std::vector<std::uint8_t> answer(static_cast<std::size_t>(raster.columns * raster.rows));
  make_levels(squares.numbers, std::ssize(answer), squares.limits, static_cast<int>(limits.size()),
              squares.levels, stream_);
  MOOREA_CUDA(cudaGetLastError());
  fetch(squares.levels, answer.size(), answer.data());
  return answer;
}

// The previous generation is in the other buffer.
std::uint64_t CudaBoard::advance_comparing() {
  if (shape_.digits > 1) return Board::advance_comparing();
  use();
  pass(engine_, 1, all_rows());
  return counted([&](unsigned long long* changed) {
    const DeviceField& now = fields_[static_cast<std::size_t>(current_)];
    if (is_countable(now)) {
      count_changed(now, fields_[static_cast<std::size_t>(1 - current_)], changed, stream_);
      return;
    }
    for_rows([&](const PackedRows& rows) {
      count_changed(rows, pack(1 - current_, rows.y, world_.height, stages_[1]), changed, stream_);
    });
  });
}

// The weights are cached, because the next query usually has the same origin.
const CudaBoard::Weights& CudaBoard::weights_for(Position origin) const {
  if (weights_ && weights_->origin == origin) return *weights_;
  const auto upload = [&](std::uint64_t base, std::int64_t first, std::int64_t number) {
    std::vector<std::uint64_t> list;
    std::uint64_t power = hash_power(base, first);
    for (std::int64_t i = 0; i < number; ++i, power = hash_multiply(power, base)) list.push_back(power);
    DeviceMemory powers(list.size() * 8);
    MOOREA_CUDA(
        cudaMemcpyAsync(powers.data(), list.data(), list.size() * 8, cudaMemcpyHostToDevice, stream_));
    stream_.wait();
    return powers;
  };
  weights_.reset();
  weights_ = Weights{origin, upload(hash_column_base, (origin.x >> 6) * 2, words_per_row_ + 3),
                     upload(hash_row_base, origin.y, world_.height),
                     cuda::strided_raster(static_cast<int>(origin.x & 63), (world_.width + 31) / 32)};
  return *weights_;
}

// The sum of the states, each times the hash of the cells in it, by the digits from the highest on.
std::uint64_t CudaBoard::hash_cells(Position origin) const {
  std::uint64_t hash = 0;
  for (std::int64_t digit = shape_.digits; digit-- > 0;)
    hash = hash_add(hash_add(hash, hash), hash_digit(digit, origin));
  return hash;
}

std::uint64_t CudaBoard::hash_digit(std::int64_t digit, Position origin) const {
  use();
  const Weights& weights = weights_for(origin);
  HashSum sum{};
  auto* const answer = answer_.as<HashSum>();
  MOOREA_CUDA(cudaMemsetAsync(answer, 0, sizeof sum, stream_));
  const cuda::HashWeights powers{weights.columns.as<std::uint64_t>(), weights.rows.as<std::uint64_t>()};
  const DeviceField cells = field(current_, digit);
  if (cells.layout == Layout::strided) {
    cuda::hash(cells, weights.raster, powers, answer, stream_);
  } else {
    for_rows([&](const PackedRows& rows) {
      cuda::hash(rows, static_cast<int>(origin.x & 63), powers, answer, stream_);
    });
  }
  MOOREA_CUDA(cudaGetLastError());
  MOOREA_CUDA(cudaMemcpyAsync(&sum, answer, sizeof sum, cudaMemcpyDeviceToHost, stream_));
  stream_.wait();
  return hash_add(hash_reduce(sum.low), hash_multiply(hash_reduce(sum.high), std::uint64_t{1} << 32));
}

std::optional<Box> CudaBoard::find_box() const {
  use();
  constexpr long long far = std::numeric_limits<long long>::max();
  Bounds bounds{far, -1, far, -1};
  auto* const answer = answer_.as<Bounds>();
  MOOREA_CUDA(cudaMemcpyAsync(answer, &bounds, sizeof bounds, cudaMemcpyHostToDevice, stream_));
  for_rows([&](const PackedRows& rows) { extend(rows, answer, stream_); });
  MOOREA_CUDA(cudaGetLastError());
  MOOREA_CUDA(cudaMemcpyAsync(&bounds, answer, sizeof bounds, cudaMemcpyDeviceToHost, stream_));
  stream_.wait();
  if (bounds.right < 0) return std::nullopt;
  return Box{bounds.left, bounds.top, bounds.right - bounds.left + 1, bounds.bottom - bounds.top + 1};
}

std::optional<KernelResources> CudaBoard::resources() const {
  use();
  const kernels::DeviceFunction step =
      engine_.binding.device_function != nullptr
          ? engine_.binding.device_function(call(max_steps(), all_rows()), engine_.launch)
          : kernels::DeviceFunction{engine_.launch.functions[0]};
  if (step.function == nullptr) return std::nullopt;
  cudaFuncAttributes attributes;
  MOOREA_CUDA(cudaFuncGetAttributes(&attributes, step.function));
  KernelResources resources;
  resources.registers = attributes.numRegs;
  resources.shared_bytes = static_cast<std::int64_t>(attributes.sharedSizeBytes + step.shared_bytes);
  if (step.threads == 0) return resources;
  int blocks = 0, max_threads = 0;
  MOOREA_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, step.function, step.threads, step.shared_bytes));
  MOOREA_CUDA(cudaDeviceGetAttribute(&max_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device_));
  resources.occupancy = static_cast<double>(blocks * step.threads) / max_threads;
  return resources;
}

// GPU times of two functions that convert the whole world.
template <class Decode, class Encode>
ConversionTimes CudaBoard::times_of(const Decode& decode, const Encode& encode) const {
  const Event begin, between, end;
  std::vector<double> encoding, decoding;
  const auto add_sample = [](std::vector<double>& samples, const Event& from, const Event& to) {
    float milliseconds = 0;
    MOOREA_CUDA(cudaEventElapsedTime(&milliseconds, from, to));
    samples.push_back(static_cast<double>(milliseconds) / 1000);
  };
  // The first sample loads the code and is not counted
  for (std::size_t i = 0; i <= conversion_samples; ++i) {
    MOOREA_CUDA(cudaEventRecord(begin, stream_));
    decode();
    MOOREA_CUDA(cudaEventRecord(between, stream_));
    encode();
    MOOREA_CUDA(cudaEventRecord(end, stream_));
    MOOREA_CUDA(cudaEventSynchronize(end));
    if (i == 0) continue;
    add_sample(decoding, begin, between);
    add_sample(encoding, between, end);
  }
  return {median(encoding), median(decoding)};
}

// Rows of a buffer from y on, as many as are converted at once, and their bytes.
kernels::ByteRows CudaBoard::byte_rows(int buffer, std::int64_t y, const DeviceMemory& bytes) const {
  const DeviceField& field = fields_[static_cast<std::size_t>(buffer)];
  return {bytes.as<std::uint8_t>(),
          bytes_pitch(field.width),
          field.first + y * field.pitch,
          field.pitch,
          field.width,
          std::min(rows_at_once_, field.height - y),
          static_cast<cudaStream_t>(stream_)};
}

// Compares the cells that the kernel decodes with those that the board converts, and the cells that it
// encodes again, in the buffer of the next generation, with its own.
void CudaBoard::require_exact_conversion(const DeviceMemory& bytes) const {
  const std::uint64_t wrong = counted([&](unsigned long long* differing) {
    for (std::int64_t y = 0; y < world_.height; y += rows_at_once_) {
      const PackedRows expected = pack(current_, y, world_.height, stages_[0]);
      const kernels::ByteRows own = byte_rows(current_, y, bytes);
      engine_.contract->decode(own);
      const PackedRows decoded = rows_at(0, own.height, stages_[1]);
      to_packed({Layout::bytes, bytes.data(), own.bytes_pitch, own.width, own.height}, decoded, stream_);
      count_changed(expected, decoded, differing, stream_);
      engine_.contract->encode(byte_rows(1 - current_, y, bytes));
      MOOREA_CUDA(cudaGetLastError());
    }
    count_changed(fields_[0], fields_[1], differing, stream_);
  });
  if (wrong != 0)
    throw Error(
        fmt::format("wrong answer: {} cells differ after the kernel's conversion to bytes and back; "
                    "it is not timed",
                    wrong));
}

// Converts back into the buffer of the next generation, whose cells are not needed.
std::optional<ConversionTimes> CudaBoard::time_conversion() {
  use();
  forget();
  const int other = 1 - current_;
  const auto for_groups = [&](const auto& convert) {
    for (std::int64_t y = 0; y < world_.height; y += rows_at_once_) {
      convert(y);
      MOOREA_CUDA(cudaGetLastError());
    }
  };
  const kernels::CudaContract& contract = *engine_.contract;
  if (contract.encode != nullptr) {
    const DeviceMemory bytes(static_cast<std::size_t>(rows_at_once_ * bytes_pitch(world_.width)));
    require_exact_conversion(bytes);
    return times_of(
        [&] { for_groups([&](std::int64_t y) { contract.decode(byte_rows(current_, y, bytes)); }); },
        [&] { for_groups([&](std::int64_t y) { contract.encode(byte_rows(other, y, bytes)); }); });
  }
  return times_of([&] { for_rows([](const PackedRows&) {}); },
                  [&] {
                    for_groups([&](std::int64_t y) {
                      for (std::int64_t digit = 0; digit < shape_.digits; ++digit)
                        from_packed(rows_at(y, world_.height, stages_[0]), field(other, digit), stream_);
                    });
                  });
}

}  // namespace moorea::cuda
