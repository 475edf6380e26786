// SPDX-License-Identifier: MIT
// Runs random worlds of a few cells (sparse_worlds.h) on every kernel until a number of cases is reached: a
// case is one world on one kernel. The tests run a small sample of them; this program is for hours. Usage:
// sparse_search [--cases N] [--seed S] [--device cpu|cuda|opencl] [--kernel PREFIX] [--side CELLS] [--seconds
// LIMIT]
#include <fmt/core.h>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/error.h"
#include "moorea/inventory.h"
#include "sparse_worlds.h"

namespace {

using namespace moorea;
using namespace moorea::test;

std::string running;  // current case, for a kernel that crashes

void report_crash(int signal) {
  if (write(STDOUT_FILENO, running.data(), running.size()) < 0) _exit(1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

struct Arguments {
  std::uint64_t cases = 100000, seed = 1;
  double seconds = 1e9;
  std::string device = "cpu", kernel;
  std::int64_t side = SparseLimits().max_side;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* const value = argv[i + 1];
    if (name == "--cases")
      arguments.cases = std::strtoull(value, nullptr, 10);
    else if (name == "--seed")
      arguments.seed = std::strtoull(value, nullptr, 10);
    else if (name == "--seconds")
      arguments.seconds = std::strtod(value, nullptr);
    else if (name == "--device")
      arguments.device = value;
    else if (name == "--kernel")
      arguments.kernel = value;
    else if (name == "--side")
      arguments.side = std::strtoll(value, nullptr, 10);
    else
      throw Error(fmt::format("{}: unknown option", name), ErrorKind::usage);
  }
  return arguments;
}

// The device's kernels, its automatic choice, and on the CPU two kernels of different layouts in turn.
std::vector<std::string> kernels_of(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const KernelInfo& kernel : list_kernels()) {
    if (kernel.runs && to_string(kernel.backend) == arguments.device &&
        kernel.name.starts_with(arguments.kernel)) {
      names.push_back(kernel.name);
    }
  }
  if (!arguments.kernel.empty()) return names;
  names.emplace_back();
  if (arguments.device == "cpu") {
    names.emplace_back("cpu/strided + cpu/tiles");
    names.emplace_back("cpu/bits + cpu/tiles");
  }
  return names;
}

int search(const Arguments& arguments) {
  const std::vector<std::string> kernels = kernels_of(arguments);
  if (kernels.empty())
    throw Error(fmt::format("no kernel of {} runs here", arguments.device), ErrorKind::unavailable);
  const std::string device = arguments.device == "cpu" ? "cpu" : arguments.device;
  std::mt19937_64 random(arguments.seed);
  const Draw draw = [&](std::uint64_t below) { return random() % below; };
  SparseLimits limits;
  limits.max_side = arguments.side;
  std::uint64_t done = 0, refused = 0, worlds = 0;
  std::map<std::string, int> wrong;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds_since_start = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  while (done < arguments.cases && seconds_since_start() < arguments.seconds) {
    SparseCase test = draw_sparse_case(draw, limits);
    const std::vector<SparseState> expected = sparse_states(test);
    const std::string world = to_string(test);
    ++worlds;
    for (const std::string& kernel : kernels) {
      const Options options = draw_options(draw, kernel, device);
      const Options earlier = draw_options(draw, kernels[draw(kernels.size())], device);
      ++done;
      const std::string how =
          fmt::format("{} threads, {} generations per pass, before it {}\n{}\n", options.threads,
                      options.generations_a_pass.value_or(0), earlier.kernel, world);
      running = fmt::format("{}: crashed; {}", kernel, how);
      std::string what;
      try {
        what = run_sparse_case(test, expected, options, earlier);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::unavailable && error.kind() != ErrorKind::usage) throw;
        ++refused;  // kernels for worlds of certain sizes or rules
        continue;
      }
      if (what.empty() || wrong[kernel]++ >= 3) continue;
      print(fmt::format("{}: {}; {}", kernel.empty() ? "auto" : kernel, what, how));
    }
  }
  std::uint64_t all_wrong = 0;
  for (const auto& [kernel, number] : wrong) all_wrong += static_cast<unsigned>(number);
  print(fmt::format("{} cases of {} worlds on {} kernels of {} in {:.0f} s, seed {}: {} refused, {} wrong\n",
                    done, worlds, kernels.size(), arguments.device, seconds_since_start(), arguments.seed,
                    refused, all_wrong));
  return all_wrong == 0 ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) std::signal(signal, report_crash);
  try {
    return search(parse(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sparse_search: %s\n", error.what());
    return 1;
  }
}
