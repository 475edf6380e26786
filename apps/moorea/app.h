// SPDX-License-Identifier: MIT
// What the subcommands share: exit codes, numbers as people write them, interruption, and the list of
// subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace app {

using Json = nlohmann::ordered_json;

enum Exit { ok = 0, run_error = 1, usage_error = 2, results_differ = 3, unavailable = 4, interrupted = 130 };

/// A command fills in its options and returns what to do when it was chosen; that returns the exit code.
using Action = std::function<int()>;
Action add_run(CLI::App& app);
Action add_info(CLI::App& app);
Action add_convert(CLI::App& app);
Action add_kernels(CLI::App& app);
Action add_verify(CLI::App& app);
Action add_bench(CLI::App& app);
Action add_completion(CLI::App& app);

/// 1000, 1e6, 1.5e6, 2^20, 10k, 1M, 2G. Throws moorea::Error (usage) naming `what` for anything else and for
/// what is not a whole number below 2^63.
std::uint64_t parse_count(const std::string& text, const std::string& what);

/// 512M, 4G, 100000: bytes, with K, M, G and T as powers of 1024.
std::uint64_t parse_bytes(const std::string& text);

struct Size {
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// 640x480, or 1000 for a square; each number as in parse_count.
Size parse_size(const std::string& text);

/// "1.23e+09" as "1.23 billion"
std::string human_rate(double per_second);
std::string human_seconds(double seconds);
std::string human_bytes(double bytes);

/// The state hash as it is printed: 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

/// Data go to standard output, and a full disk there is an error (moorea::Error).
void print(const std::string& text);
void print_json(const Json& json);

/// One line of talk on standard error.
void say(const std::string& text);

/// From the first call on, Ctrl-C and SIGTERM only set a flag (a second one ends the program at once).
void catch_interruption();
bool was_interrupted();
/// 128 + the signal that came.
int interruption_exit();

}  // namespace app
