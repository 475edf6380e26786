// SPDX-License-Identifier: MIT
#include "devices/cuda/compile.h"

#include <fmt/core.h>
#include <nvrtc.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "devices/cuda.h"
#include "devices/shared_library.h"
#include "jit/code_cache.h"
#include "jit/system_compiler.h"
#include "logic/block_network.h"
#include "logic/emit_c.h"
#include "logic/network.h"
#include "logic/pair_network.h"
#include "logic/state_logic.h"
#include "logic/state_text.h"
#include "logic/transition_text.h"
#include "logic/wide_text.h"
#include "model/process_cache.h"
#include "moorea/error.h"
#include "moorea/rule.h"
#include "moorea/transitions.h"

namespace moorea {
namespace {

// Functions of the compiler, from whichever version is installed.
struct Nvrtc {
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetCUBINSize) code_size = nullptr;
  decltype(&nvrtcGetCUBIN) code = nullptr;
  decltype(&nvrtcGetErrorString) error = nullptr;
  std::string missing;  // why it is unavailable; empty: available
  int major = 0, minor = 0;
};

Nvrtc open_nvrtc() {
  Nvrtc nvrtc;
  const SharedLibrary library(
      {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"});
  if (!library.is_open()) {
    nvrtc.missing = "that needs CUDA's run-time compiler, and there is no libnvrtc.so";
    return nvrtc;
  }
  if (!library.find("nvrtcVersion", nvrtc.version) || !library.find("nvrtcCreateProgram", nvrtc.create) ||
      !library.find("nvrtcDestroyProgram", nvrtc.destroy) ||
      !library.find("nvrtcCompileProgram", nvrtc.compile) ||
      !library.find("nvrtcGetProgramLogSize", nvrtc.log_size) ||
      !library.find("nvrtcGetProgramLog", nvrtc.log) || !library.find("nvrtcGetCUBINSize", nvrtc.code_size) ||
      !library.find("nvrtcGetCUBIN", nvrtc.code) || !library.find("nvrtcGetErrorString", nvrtc.error) ||
      nvrtc.version(&nvrtc.major, &nvrtc.minor) != NVRTC_SUCCESS) {
    nvrtc.missing = "that needs CUDA's run-time compiler, and this libnvrtc.so is too old";
  }
  return nvrtc;
}

const Nvrtc& nvrtc() {
  static const Nvrtc opened = open_nvrtc();
  return opened;
}

// The rule's network, or its counts, and its states, as cuda/row_logic.cuh, cuda/wide.cuh and
// cuda/state_logic.cuh expect them, or its transitions for cuda/transitions.cuh.
std::string network_text(const Rule& rule) {
  if (rule.blocks() != nullptr)
    return c_text(block_network(*rule.blocks()), "next_block") +
           "#define MOOREA_BLOCKS\n#define MOOREA_NEXT_BLOCK next_block\n";
  if (rule.transitions() != nullptr && !rule.is_wires()) return transition_text(rule, "");
  if (rule.states() > 2) {
    return network_text(rule.two_state()) + fmt::format("#define MOOREA_DIGITS {}\n", state_digits(rule)) +
           (rule.has_history() ? "#define MOOREA_BOUNDARY\n" : "") + state_gates_text(rule);
  }
  if (rule.larger_than_life() != nullptr) return wide_text(*rule.larger_than_life());
  if (rule.is_life_like())
    return c_text(network_for(rule), "next_states") + "#define MOOREA_NEXT next_states\n";
  const PairNetwork network = pair_network_for(rule);
  return c_text(network, "next_pair") +
         fmt::format(
             "#define MOOREA_NEXT_PAIR next_pair\n#define MOOREA_NEXT_PAIR_ROW next_pair_row\n"
             "#define MOOREA_ROW_GATES {}\n#define MOOREA_GATES {}\n",
             network.row_gates.size(), std::lround(network.gates_per_word()));
}

constexpr const char* gpu_definitions =
    "typedef unsigned int word;\n"
    "template <int table>\n"
    "__device__ __forceinline__ word lut3(word a, word b, word c) {\n"
    "  word result;\n"
    "  asm(\"lop3.b32 %0, %1, %2, %3, %4;\" : \"=r\"(result) : \"r\"(a), \"r\"(b), \"r\"(c), \"n\"(table));\n"
    "  return result;\n"
    "}\n"
    "#define LUT3(a, b, c, table) lut3<table>(a, b, c)\n"
    "#define AND_NOT(a, b) ((a) & ~(b))\n"
    "#define MOOREA_STEP [[maybe_unused]] static __device__ __forceinline__\n";

std::string source_text(const kernels::RuntimeSource& source, const Rule& rule) {
  return gpu_definitions + gpu_text(source, rule);
}

// Compiles for a GPU of this compute capability: 90 is 9.0. `path` is that of the user's file, null for
// built-in kernels.
std::vector<char> compiled(const std::string& text, const char* path, int capability) {
  nvrtcProgram program = nullptr;
  const auto check = [&](nvrtcResult result) {
    if (result == NVRTC_SUCCESS) return;
    std::string log;
    std::size_t size = 0;
    if (program != nullptr && nvrtc().log_size(program, &size) == NVRTC_SUCCESS && size > 1) {
      log.resize(size);
      nvrtc().log(program, log.data());
    }
    if (program != nullptr) nvrtc().destroy(&program);
    throw Error(
        fmt::format("CUDA's run-time compiler {}.{}: {}{}{}", nvrtc().major, nvrtc().minor,
                    path != nullptr && !log.empty() ? fmt::format("refuses {}", path) : nvrtc().error(result),
                    log.empty() ? "" : "\n", log.c_str()));
  };
  const char* const header_name = "moorea/kernel.h";
  check(nvrtc().create(&program, text.c_str(), path != nullptr ? path : "rule.cu", 1, &kernel_header,
                       &header_name));
  const std::string architecture = fmt::format("--gpu-architecture=sm_{}", capability);
  // NVRTC treats a generic lambda as a host function by default
  std::vector<const char*> options = {architecture.c_str(), "--std=c++17",
                                      "--device-as-default-execution-space"};
  std::error_code ignored;
  const std::string include_option =
      path == nullptr ? "" : "-I" + std::filesystem::absolute(path, ignored).parent_path().string();
  if (path != nullptr) options.push_back(include_option.c_str());
  check(nvrtc().compile(program, static_cast<int>(options.size()), options.data()));
  std::size_t size = 0;
  check(nvrtc().code_size(program, &size));
  std::vector<char> code(size);
  check(nvrtc().code(program, code.data()));
  nvrtc().destroy(&program);
  return code;
}

class Loaded final : public cuda::CompiledKernels {
 public:
  // False if the driver rejects the code
  bool load(std::vector<char> code, const kernels::RuntimeSource& source) {
    code_ = std::move(code);
    if (cudaLibraryLoadData(&library_, code_.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) !=
        cudaSuccess) {
      library_ = nullptr;
      cudaGetLastError();
      return false;
    }
    for (std::size_t i = 0; i < functions_.size() && source.functions[i] != nullptr; ++i) {
      cudaKernel_t kernel = nullptr;
      const cudaError_t found = cudaLibraryGetKernel(&kernel, library_, source.functions[i]);
      if (found != cudaSuccess && source.path != nullptr) {
        cudaGetLastError();
        throw Error(
            fmt::format("{} has no function {}; it is declared extern \"C\" __global__ void {}(Block "
                        "block)",
                        source.path, source.functions[i], source.functions[i]));
      }
      MOOREA_CUDA(found);
      functions_[i] = kernel;
    }
    return true;
  }
  ~Loaded() override {
    if (library_ != nullptr) cudaLibraryUnload(library_);
  }
  std::array<const void*, 2> functions() const override { return functions_; }

 private:
  std::vector<char> code_;
  cudaLibrary_t library_ = nullptr;
  std::array<const void*, 2> functions_{};
};

}  // namespace

const char* cuda_compiler_unavailable_reason() {
  return nvrtc().missing.empty() ? nullptr : nvrtc().missing.c_str();
}

std::string gpu_text(const kernels::RuntimeSource& source, const Rule& rule) {
  return network_text(rule) +
         (source.path == nullptr
              ? ""
              : fmt::format("#define BIRTH {}u\n#define SURVIVAL {}u\n", rule.birth(), rule.survival())) +
         source.definitions + source.text;
}

std::vector<char> compile_for_gpu(const kernels::RuntimeSource& source, const Rule& rule, int capability) {
  return compiled(source_text(source, rule), source.path, capability);
}

namespace cuda {

namespace {

std::shared_ptr<const CompiledKernels> load(const kernels::RuntimeSource& source, const Rule& rule, int major,
                                            int minor) {
  const std::string text = source_text(source, rule);
  const std::string name = fmt::format("{:016x}-sm_{}{}-nvrtc{}.{}.cubin", fingerprint(text), major, minor,
                                       nvrtc().major, nvrtc().minor);
  auto loaded = std::make_shared<Loaded>();
  // Not cached for a user's file, because the files it includes may change
  const bool keeps = source.path == nullptr;
  if (std::vector<char> code = keeps ? cached_code(name) : std::vector<char>();
      !code.empty() && loaded->load(std::move(code), source))
    return loaded;
  const std::vector<char> code = compiled(text, source.path, 10 * major + minor);
  if (!loaded->load(code, source)) throw Error("CUDA: the driver rejects the code of its run-time compiler");
  if (keeps) keep_code(name, code.data(), code.size());
  return loaded;
}

constexpr std::size_t max_loaded = 16;

}  // namespace

std::shared_ptr<const CompiledKernels> compile(const kernels::RuntimeSource& source, const Rule& rule) {
  int device = 0, major = 0, minor = 0;
  MOOREA_CUDA(cudaGetDevice(&device));
  MOOREA_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  MOOREA_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  static ProcessCache<std::string, CompiledKernels> loaded(max_loaded);
  // Two files may have rules of one name
  const std::string key =
      fmt::format("{} {} {} {} {} {} {} {} {}", static_cast<const void*>(source.text), source.definitions,
                  rule.two_state().str(), rule.states(), rule.is_wires(), rule.has_history(),
                  static_cast<const void*>(rule.transitions()), major, minor);
  return loaded.find_or_make(key, [&] { return load(source, rule, major, minor); });
}

}  // namespace cuda
}  // namespace moorea
