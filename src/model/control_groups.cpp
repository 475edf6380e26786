// SPDX-License-Identifier: MIT
#include "model/control_groups.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>
#include <vector>

namespace moorea {
namespace {

// Folders of a controller from the process's own group up to the root of the mount, in the version that
// /proc/self/cgroup names: "0::/a/b" (2), "4:cpu,cpuacct:/a/b" (1).
struct Hierarchy {
  bool version_2 = true;
  std::vector<std::string> folders;
};

// A line of /proc/self/mountinfo: "36 25 0:31 /shown /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct".
struct Mount {
  std::string shown;  // group at the root of the mount
  std::string folder;
  std::string type, options;
};

std::vector<Mount> cgroup_mounts(const std::string& root) {
  std::vector<Mount> mounts;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream left(line.substr(0, dash)), right(line.substr(dash + 3));
    std::string skipped, source;
    Mount mount;
    left >> skipped >> skipped >> skipped >> mount.shown >> mount.folder;
    right >> mount.type >> source >> mount.options;
    if (mount.type == "cgroup" || mount.type == "cgroup2") mounts.push_back(mount);
  }
  return mounts;
}

bool has_word(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

// In a container, a group's path may be that of the host, of which the mount shows a part.
std::vector<std::string> folders_of(const std::string& root, const Mount& mount, std::string path) {
  if (mount.shown != "/" && path.starts_with(mount.shown)) path.erase(0, mount.shown.size());
  if (path.find("..") != std::string::npos) path.clear();
  std::vector<std::string> folders;
  for (; !path.empty() && path != "/"; path.erase(path.rfind('/')))
    folders.push_back(root + mount.folder + path);
  folders.push_back(root + mount.folder);
  return folders;
}

std::vector<Hierarchy> find_hierarchies(const std::string& root, const std::string& controller) {
  std::vector<Hierarchy> found;
  const std::vector<Mount> mounts = cgroup_mounts(root);
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      path = line.substr(second + 1);
    const bool version_2 = controllers.empty();
    if (!version_2 && !has_word(controllers, controller)) continue;
    for (const Mount& mount : mounts) {
      if (mount.type == (version_2 ? "cgroup2" : "cgroup") &&
          (version_2 || has_word(mount.options, controller))) {
        found.push_back({version_2, folders_of(root, mount, path)});
        break;
      }
    }
  }
  return found;
}

// Those of this process are looked up once: the mounts of a container are hundreds of lines, and each new
// world asks for the available memory. Batch systems put a process into its group before it starts.
std::vector<Hierarchy> hierarchies_of(const std::string& root, const std::string& controller) {
  if (!root.empty()) return find_hierarchies(root, controller);
  static const std::vector<Hierarchy> cpu = find_hierarchies("", "cpu"),
                                      memory = find_hierarchies("", "memory");
  return controller == "cpu" ? cpu : memory;
}

template <class Number>
bool read_number(const std::string& path, Number& number) {
  std::ifstream file(path);
  return static_cast<bool>(file >> number);  // also false for "max"
}

// Returns the value of a key in a file of lines "key value", or 0.
std::uint64_t value_in(const std::string& path, std::string_view wanted) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  for (std::string key; file >> key >> value;) {
    if (key == wanted) return value;
  }
  return 0;
}

double cpus_of(const std::string& folder, bool version_2) {
  double quota = -1, period = 0;
  if (version_2) {
    std::ifstream file(folder + "/cpu.max");
    if (!(file >> quota >> period)) quota = -1;  // "max 100000"
  } else if (!read_number(folder + "/cpu.cfs_quota_us", quota) ||
             !read_number(folder + "/cpu.cfs_period_us", period)) {
    quota = -1;
  }
  return quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

std::uint64_t memory_of(const std::string& folder, bool version_2) {
  std::uint64_t limit = 0, used = 0;
  if (!read_number(folder + (version_2 ? "/memory.max" : "/memory.limit_in_bytes"), limit) ||
      !read_number(folder + (version_2 ? "/memory.current" : "/memory.usage_in_bytes"), used)) {
    return no_memory_limit;
  }
  const std::uint64_t cache =
      std::min(value_in(folder + "/memory.stat", version_2 ? "inactive_file" : "total_inactive_file"), used);
  return limit > used - cache ? limit - (used - cache) : 0;
}

}  // namespace

double control_group_cpus(const std::string& root) {
  double cpus = std::numeric_limits<double>::infinity();
  for (const Hierarchy& hierarchy : hierarchies_of(root, "cpu")) {
    for (const std::string& folder : hierarchy.folders)
      cpus = std::min(cpus, cpus_of(folder, hierarchy.version_2));
  }
  return cpus;
}

std::uint64_t control_group_memory(const std::string& root) {
  std::uint64_t bytes = no_memory_limit;
  for (const Hierarchy& hierarchy : hierarchies_of(root, "memory")) {
    for (const std::string& folder : hierarchy.folders)
      bytes = std::min(bytes, memory_of(folder, hierarchy.version_2));
  }
  return bytes;
}

}  // namespace moorea
