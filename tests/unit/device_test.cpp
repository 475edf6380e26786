// SPDX-License-Identifier: MIT
// Names of devices: parsing inverts formatting, and other words are refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "moorea/device.h"
#include "moorea/device_list.h"
#include "moorea/error.h"
#include "moorea/inventory.h"

namespace moorea {
namespace {

TEST(DeviceRef, NamesReadBack) {
  for (const Backend backend : {Backend::cuda, Backend::opencl}) {
    for (const int index : {0, 1, 7, 10, 123}) {
      const DeviceRef device{backend, index};
      EXPECT_EQ(DeviceRef::parse(device.str()), device);
      EXPECT_EQ(backend_of_device(device.str()), backend);
    }
    EXPECT_EQ(DeviceRef::parse(to_string(backend)), (DeviceRef{backend, 0}));
  }
  EXPECT_EQ(DeviceRef().str(), "cpu");
  EXPECT_EQ(DeviceRef::parse("cpu"), DeviceRef());
  EXPECT_EQ((DeviceRef{Backend::cuda, 1}).str(), "cuda:1");
}

TEST(DeviceList, SeparatesNames) {
  using List = std::vector<std::string>;
  EXPECT_EQ(split_devices("cpu"), List{"cpu"});
  EXPECT_EQ(split_devices("cpu, cuda:0+opencl:1"), (List{"cpu", "cuda:0", "opencl:1"}));
  EXPECT_EQ(split_devices("cpu,"), (List{"cpu", ""}));
  EXPECT_TRUE(is_device_list("cpu+cuda"));
  EXPECT_FALSE(is_device_list("opencl:pocl"));
}

TEST(DeviceList, KeepsSeparatorsBetweenQuotes) {
  using List = std::vector<std::string>;
  const std::string quoted = "opencl:\"Graphics, 8+1 cores\"";
  EXPECT_FALSE(is_device_list(quoted));
  EXPECT_EQ(split_devices(quoted), List{quoted});
  EXPECT_EQ(split_devices("cpu," + quoted + "+cuda:0"), (List{"cpu", quoted, "cuda:0"}));
  EXPECT_THROW(is_device_list("opencl:\"Graphics, 8"), Error);
  EXPECT_THROW(split_devices("cpu,opencl:\"Graphics"), Error);
}

TEST(DeviceRef, OtherWordsAreNoDevices) {
  for (const char* text : {"", "auto", "cpu:0", "cpu:", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:1x",
                           "cuda:01", "cuda:99999999999", "cuda1", "opencl:pocl", "gpu", ":0"}) {
    EXPECT_EQ(DeviceRef::parse(text), std::nullopt) << text;
  }
  EXPECT_EQ(backend_of_device("opencl:pocl"), Backend::opencl);
  EXPECT_EQ(backend_of_device("auto"), std::nullopt);
  EXPECT_EQ(backend_of_device("cpu:0"), std::nullopt);
}

TEST(DeviceRef, NamesEveryDeviceThatIsListed) {
  for (const DeviceInfo& info : list_devices()) {
    const std::optional<DeviceRef> device = DeviceRef::parse(info.name);
    ASSERT_TRUE(device) << info.name;
    EXPECT_EQ(device->str(), info.name);
  }
}

}  // namespace
}  // namespace moorea
