// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "devices/opencl/runtime.h"
#include "devices/opencl/source.h"
#include "jit/code_cache.h"
#include "model/process_cache.h"
#include "moorea/error.h"
#include "moorea/inventory.h"

namespace moorea::opencl {
namespace {

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  if (functions().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) !=
      CL_SUCCESS)
    return {};
  std::string log(size, '\0');
  functions().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log.c_str();
}

Program from_binary(const Device& device, const std::vector<char>& code) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(code.data());
  const std::size_t size = code.size();
  cl_int state = CL_SUCCESS, error = CL_SUCCESS;
  Program program(functions().clCreateProgramWithBinary(context_of(device), 1, &device.id, &size, &bytes,
                                                        &state, &error));
  if (error != CL_SUCCESS || state != CL_SUCCESS ||
      functions().clBuildProgram(program.get(), 1, &device.id, "", nullptr, nullptr) != CL_SUCCESS)
    return {};
  return program;
}

// Does not ask for code that cannot be kept: PoCL compiles a program for its binary once more, for
// work-groups of any size.
void keep(cl_program program, const std::string& name) {
  if (cache_folder().empty()) return;
  std::size_t size = 0;
  if (functions().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) !=
          CL_SUCCESS ||
      size == 0)
    return;
  std::vector<unsigned char> code(size);
  unsigned char* to = code.data();
  if (functions().clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) == CL_SUCCESS)
    keep_code(name, reinterpret_cast<const char*>(code.data()), size);
}

// Include option for headers in the file's folder. OpenCL compilers accept no folder with a blank or a quote
// in its name.
std::string include_option(const char* path) {
  std::error_code error;
  const std::string folder = std::filesystem::absolute(path, error).parent_path().string();
  return error || folder.find_first_of(" \"'") != std::string::npos ? "" : "-I" + folder;
}

// A user's file is never cached, because the files it includes may change.
Program build(const Device& device, const std::string& text, const char* path) {
  const std::uint64_t key =
      fingerprint(text + '\0' + device.platform_name + '\0' + device.name + '\0' + device.version);
  const std::string name = fmt::format("{:016x}.opencl", key);
  if (const std::vector<char> code = path != nullptr ? std::vector<char>() : cached_code(name);
      !code.empty()) {
    if (Program program = from_binary(device, code); program.get() != nullptr) return program;
  }
  const char* source = text.c_str();
  const std::size_t size = text.size();
  cl_int error = CL_SUCCESS;
  Program program(functions().clCreateProgramWithSource(context_of(device), 1, &source, &size, &error));
  check(error, "clCreateProgramWithSource", __FILE__, __LINE__);
  // Of vectors that are wider than this CPU's PoCL says how many warnings there are, and no more
  const std::string options = path == nullptr ? "-w" : include_option(path);
  error = functions().clBuildProgram(program.get(), 1, &device.id, options.c_str(), nullptr, nullptr);
  if (error == CL_BUILD_PROGRAM_FAILURE && path != nullptr) {
    throw Error(fmt::format("OpenCL's compiler for {} ({}) refuses {}\n{}", device.name, device.platform_name,
                            path, with_lines_of_file(build_log(program.get(), device.id), text, path)));
  }
  if (error == CL_BUILD_PROGRAM_FAILURE) {
    const std::filesystem::path kept = keep_text(fmt::format("{:016x}.cl", key), text);
    throw Error(fmt::format("OpenCL's compiler for {} ({}) refuses a kernel{}\n{}", device.name,
                            device.platform_name,
                            kept.empty() ? "" : fmt::format(", which is kept in {}", kept.string()),
                            build_log(program.get(), device.id)));
  }
  check(error, "clBuildProgram", __FILE__, __LINE__);
  if (path == nullptr) keep(program.get(), name);
  return program;
}

constexpr std::size_t max_programs = 16;

}  // namespace

std::shared_ptr<const Program> program_for(const Device& device, const std::string& text, const char* path) {
  static std::mutex one_at_a_time;
  // Never released, because the driver may be unloaded before the process ends
  using Programs = ProcessCache<std::pair<std::size_t, std::string>, Program>;
  static Programs& programs = *new Programs(max_programs);
  return programs.find_or_make({device.number, text}, [&] {
    const std::lock_guard lock(one_at_a_time);
    return std::make_shared<const Program>(build(device, text, path));
  });
}

}  // namespace moorea::opencl
