// SPDX-License-Identifier: MIT
// Meters that read synthetic files, laid out as on Linux.
#include "moorea/lab/meters.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "devices/cpu/facts.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/device_facts.h"

namespace moorea {
namespace {

class Meters : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("moorea_meters_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text << "\n";
  }

  std::filesystem::path folder_;
};

TEST_F(Meters, EnergyOfAllPackagesAcrossTheCountersEnd) {
  for (const char* zone : {"intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0"})
    write(std::string(zone) + "/max_energy_range_uj", "1000000000");
  write("intel-rapl:0/name", "package-0");
  write("intel-rapl:1/name", "package-1");
  write("intel-rapl:0:0/name", "core");          // part of a package
  write("intel-rapl-mmio:0/name", "package-0");  // duplicate of the first
  write("intel-rapl-mmio:0/max_energy_range_uj", "1000000000");
  write("intel-rapl-mmio:0/energy_uj", "5");
  write("intel-rapl:0/energy_uj", "999000000");
  write("intel-rapl:1/energy_uj", "5000000");
  write("intel-rapl:0:0/energy_uj", "1");
  EnergyMeter meter("cpu", folder_);
  EXPECT_EQ(meter.unavailable_reason(), "");
  write("intel-rapl:0/energy_uj", "2000000");  // 1 J to the end, and 2 J
  write("intel-rapl:1/energy_uj", "9000000");
  write("intel-rapl:0:0/energy_uj", "700000000");
  EXPECT_DOUBLE_EQ(meter.joules().value(), 3.0 + 4.0);
  EXPECT_DOUBLE_EQ(meter.joules().value(), 0.0);
}

TEST_F(Meters, EnergyThatIsNotTold) {
  EnergyMeter none("cpu", folder_);
  EXPECT_NE(none.unavailable_reason().find("no RAPL"), std::string::npos);
  EXPECT_FALSE(none.joules());
  write("intel-rapl:1/name", "package-1");
  write("intel-rapl:1/energy_uj", "5");
  write("intel-rapl:1/max_energy_range_uj", "5");
  EXPECT_EQ(EnergyMeter("cpu", folder_).unavailable_reason(), "");
  write("intel-rapl:0/name", "package-0");  // with no readable counter: half of the energy is not all of it
  EXPECT_NE(EnergyMeter("cpu", folder_).unavailable_reason().find("may not read"), std::string::npos);
  EXPECT_FALSE(EnergyMeter("opencl:0").joules());
  EXPECT_FALSE(EnergyMeter("cuda:99").joules());
}

TEST_F(Meters, ClockOfTheCpu) {
  const std::string cpus = folder_, cpuinfo = folder_ / "cpuinfo";
  EXPECT_EQ(cpu_facts(cpus, cpuinfo).cores.now, 0);
  EXPECT_GT(cpu_facts(cpus, cpuinfo).memory, 1u << 20);
  // A virtual machine
  write("cpuinfo", "processor : 0\nmodel name : X\ncpu MHz\t\t: 2600.125\n\nprocessor : 1\ncpu MHz : 1");
  EXPECT_EQ(cpu_facts(cpus, cpuinfo).cores.now, 2600.125);
  EXPECT_EQ(cpu_facts(cpus, cpuinfo).cores.maximum, 0);
  write("cpu0/cpufreq/scaling_cur_freq", "3100000");
  write("cpu0/cpufreq/cpuinfo_max_freq", "5700000");
  EXPECT_EQ(cpu_facts(cpus, cpuinfo).cores.now, 3100);
  EXPECT_EQ(cpu_facts(cpus, cpuinfo).cores.maximum, 5700);
}

TEST(DeviceFacts, OfEveryDeviceThatIsListed) {
  for (const DeviceInfo& device : list_devices()) {
    const DeviceFacts facts = device_facts(device.name);
    EXPECT_GT(facts.memory, 0u) << device.name;
    const Backend backend = backend_of_device(device.name).value();
    EXPECT_EQ(facts.api.empty(), backend == Backend::cpu) << device.name;
    EXPECT_EQ(facts.runtime.empty(), backend != Backend::cuda) << device.name;
    EXPECT_TRUE(backend != Backend::opencl || !facts.driver.empty()) << device.name;
    EXPECT_TRUE(backend != Backend::cuda || facts.cores.maximum > 0) << device.name;
  }
  EXPECT_THROW(device_facts("cuda:99"), Error);
  EXPECT_THROW(device_facts("bogus"), Error);
}

}  // namespace
}  // namespace moorea
