// SPDX-License-Identifier: MIT
#include "devices/opencl/loader.h"

#include "devices/shared_library.h"

namespace moorea::opencl {
namespace {

Functions open() {
  Functions found;
  const SharedLibrary library({"libOpenCL.so.1", "libOpenCL.so"});
  if (!library.is_open()) {
    found.missing = "this machine has no OpenCL loader (libOpenCL.so.1)";
    return found;
  }
#define MOOREA_FIND(name) \
  if (!library.find(#name, found.name)) found.missing = "this machine's libOpenCL.so.1 has no " #name;
  MOOREA_OPENCL_FUNCTIONS(MOOREA_FIND)
#undef MOOREA_FIND
  return found;
}

}  // namespace

const Functions& functions() {
  static const Functions opened = open();
  return opened;
}

}  // namespace moorea::opencl

#if defined(__SANITIZE_ADDRESS__)  // g++
#define MOOREA_FINDS_LEAKS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)  // clang
#define MOOREA_FINDS_LEAKS
#endif
#endif
#ifdef MOOREA_FINDS_LEAKS
// PoCL's threads may end just when the address sanitizer's leak check, at exit, stops all threads; then the
// check itself crashes. So it is disabled if an OpenCL library was opened.
extern "C" int __lsan_is_turned_off();  // the sanitizer calls a function of this name
extern "C" int __lsan_is_turned_off() { return dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD) != nullptr; }
#endif
