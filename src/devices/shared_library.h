// SPDX-License-Identifier: MIT
// Libraries that are opened at run time, so that the program starts on machines without them.
#pragma once

#include <dlfcn.h>

#include <initializer_list>

namespace moorea {

/// A library of the system. It is never closed: drivers keep threads and functions for the end of the
/// process.
class SharedLibrary {
 public:
  /// Opens the first library that is found.
  explicit SharedLibrary(std::initializer_list<const char*> names) {
    for (const char* const name : names) {
      if ((handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL)) != nullptr) return;
    }
  }

  bool is_open() const { return handle_ != nullptr; }

  /// Sets a pointer to a function of the library; returns false, with a null pointer, if it has none of this
  /// name. Requires an open library.
  template <class Function>
  bool find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    return function != nullptr;
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace moorea
