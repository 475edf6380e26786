// SPDX-License-Identifier: MIT
#include "devices/opencl/source.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <mutex>
#include <set>

#include "logic/emit_c.h"
#include "logic/network.h"
#include "logic/two_input.h"
#include "moorea/rule.h"

namespace moorea {

// Made by cmake/OpenCl.cmake.
extern const char* const opencl_cells_source;
extern const char* const opencl_step_source;

namespace opencl {
namespace {

// Gates of three inputs, on NVIDIA GPUs and in CPUs with AVX-512.
constexpr const char* gates = R"(
#if WORD_BITS == 32 && defined(__NV_CL_C_VERSION)
#define GATE(table)                                                                                      \
  word lut3_##table(word a, word b, word c) {                                                            \
    word made;                                                                                           \
    __asm__("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(made) : "r"(a), "r"(b), "r"(c));               \
    return made;                                                                                         \
  }
#elif WORD_BITS == 512 && defined(__AVX512F__)
#define GATE(table)                                                                                      \
  word lut3_##table(word a, word b, word c) {                                                            \
    __asm__("vpternlogq $" #table ", %2, %1, %0" : "+v"(a) : "v"(b), "v"(c));                            \
    return a;                                                                                            \
  }
#endif
)";

std::string make_network_text(kernels::RuleMask rule) {
  const Rule named(rule.birth, rule.survival);
  const Network network = network_for(named);
  std::set<unsigned> tables = {0x96, 0xE8};
  for (const Gate& gate : network.gates) tables.insert(gate.table);
  std::string text = gates;
  text += "#ifdef GATE\n#define LUT3(a, b, c, table) lut3_##table(a, b, c)\n";
  for (const unsigned table : tables) text += fmt::format("GATE(0x{:02X})\n", table);
  text += c_text(network, "next_states");
  text += "#else\n";
  text += c_text(circuit_for(named), "next_states");
  return text + "#endif\n";
}

// A circuit takes a tenth of a second to find, and boards of one rule often follow each other.
std::string network_text(kernels::RuleMask rule) {
  static std::mutex guard;
  static kernels::RuleMask latest;
  static std::string text;
  const std::lock_guard lock(guard);
  if (text.empty() || rule.birth != latest.birth || rule.survival != latest.survival) {
    text = make_network_text(rule);
    latest = rule;
  }
  return text;
}

}  // namespace

std::string kernel_text(const kernels::OpenClSource& source, const kernels::Kernel& kernel,
                        kernels::RuleMask rule, kernels::BlockShape group,
                        const kernels::OpenClTraits& device) {
  return (device.cpu ? "#define FOR_CPU\n" : "") +
         fmt::format(
             "#define COMPUTE_CAPABILITY {}\n#define BIRTH {}u\n#define SURVIVAL {}u\n#define GROUP_WIDTH "
             "{}\n#define GROUP_HEIGHT "
             "{}\n#define STEPS {}\n"
             "#define WORD_BITS {}\ntypedef {} word;\n#define AND_NOT(a, b) ((a) & ~(b))\n#define "
             "MOOREA_STEP\n",
             device.compute_capability, rule.birth, rule.survival, group.width, group.height, source.steps,
             source.word_bits, source.word_bits == 512 ? "ulong8" : "uint") +
         (kernel.layout == kernels::Layout::bytes
              ? ""
              : network_text(rule) + "#define MOOREA_NEXT next_states\n") +
         opencl_step_source + source.text;
}

std::string with_lines_of_file(std::string_view messages, std::string_view text, std::string_view path) {
  constexpr std::string_view whole = "<kernel>:", marker = "#line 1 ";
  const std::size_t begin = text.rfind(marker);
  if (begin == std::string_view::npos) return std::string(messages);
  // The marker's own line is the last one before the file's first
  const std::int64_t before =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n') + 1;
  std::string result;
  for (std::size_t at = 0; at < messages.size();) {
    const std::size_t found = std::min(messages.find(whole, at), messages.size());
    result += messages.substr(at, found - at);
    at = found;
    if (at == messages.size()) break;
    std::int64_t line = 0;
    const char* const number = messages.data() + at + whole.size();
    const auto [end, error] = std::from_chars(number, messages.data() + messages.size(), line);
    if (error == std::errc() && line > before) {
      result += fmt::format("{}:{}", path, line - before);
      at += whole.size() + static_cast<std::size_t>(end - number);
    } else {
      result += whole;
      at += whole.size();
    }
  }
  return result;
}

std::string cells_text() { return opencl_cells_source; }

}  // namespace opencl
}  // namespace moorea
