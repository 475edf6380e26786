// SPDX-License-Identifier: MIT
// Kernels, devices, and cells in the memory of a CUDA device for other libraries.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <memory>

#include "module.h"

namespace moorea::python {
namespace {

nb::list kernel_rows(const Rule& rule) {
  nb::list rows;
  std::vector<KernelInfo> kernels;
  {
    const WithoutGil free;
    kernels = list_kernels(rule);
  }
  for (const KernelInfo& kernel : kernels) {
    nb::dict row;
    row["name"] = kernel.name;
    row["backend"] = std::string(to_string(kernel.backend));
    row["runs"] = kernel.runs;
    row["reason"] = kernel.reason;
    row["layout"] = kernel.layout;
    row["max_steps"] = kernel.max_steps;
    row["logic"] = kernel.logic;
    row["skips"] = kernel.skips;
    row["bits_moved_per_cell"] = kernel.bits_moved_per_cell;
    row["operations_per_word"] = kernel.operations_per_word;
    row["summary"] = kernel.summary;
    rows.append(row);
  }
  return rows;
}

nb::list device_rows() {
  nb::list rows;
  std::vector<DeviceInfo> devices;
  {
    const WithoutGil free;
    const KeepsCudaDevice keeps;
    devices = list_devices();
  }
  for (const DeviceInfo& device : devices) {
    nb::dict row;
    row["name"] = device.name;
    row["description"] = device.description;
    row["threads"] = device.threads;
    row["memory"] = device.memory;
    rows.append(row);
  }
  return rows;
}

// Element of an array in a device's memory: a byte per cell, or a word of 32.
struct Element {
  nb::dlpack::dtype type;
  const char* name;
  std::int64_t bytes;
  std::int64_t cells;
};

Element element_of(const std::string& name) {
  const auto made = [](nb::dlpack::dtype_code code, const char* text, int bytes, int cells) {
    return Element{
        {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * bytes), 1}, text, bytes, cells};
  };
  if (name == "bool") return made(nb::dlpack::dtype_code::Bool, "|b1", 1, 1);
  if (name == "uint8") return made(nb::dlpack::dtype_code::UInt, "|u1", 1, 1);
  if (name == "int32") return made(nb::dlpack::dtype_code::Int, "<i4", 4, 32);
  if (name == "uint32") return made(nb::dlpack::dtype_code::UInt, "<u4", 4, 32);
  throw Error("cells on a device as \"" + name + "\": expected bool, uint8, int32 or uint32",
              ErrorKind::usage);
}

// DLPack's structures, version 0 (an unversioned capsule) and 1 (github.com/dmlc/dlpack, dlpack.h).
struct ManagedTensor {
  nb::dlpack::dltensor tensor;
  void* context;
  void (*deleter)(ManagedTensor*);
};
struct VersionedTensor {
  std::uint32_t major = 1, minor = 0;
  void* context;
  void (*deleter)(VersionedTensor*);
  std::uint64_t flags = 0;
  nb::dlpack::dltensor tensor;
};

// Cells in a device's memory, which live as long as this object or a consumer's array.
class DeviceArray {
 public:
  DeviceArray(DeviceCells cells, const Element& element) : cells_(std::move(cells)), element_(element) {
    shape_ = {cells_.size.height, (cells_.size.width + element.cells - 1) / element.cells};
    strides_ = {cells_.bytes_per_row / element.bytes, 1};
  }

  std::tuple<int, int> dlpack_device() const { return {nb::device::cuda::value, cells_.device.index}; }
  std::tuple<std::int64_t, std::int64_t> shape() const { return {shape_[0], shape_[1]}; }
  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(cells_.memory.get()); }

  nb::dict cuda_array_interface() const {
    nb::dict facts;
    facts["version"] = 3;
    facts["typestr"] = element_.name;
    facts["shape"] = nb::make_tuple(shape_[0], shape_[1]);
    facts["strides"] = nb::make_tuple(strides_[0] * element_.bytes, strides_[1] * element_.bytes);
    facts["data"] = nb::make_tuple(address(), false);
    facts["stream"] = nb::none();  // the copy is complete
    return facts;
  }

  // The deleters run in any thread, without the GIL.
  template <class Tensor>
  nb::object capsule(const char* name) const {
    struct Shared {
      DeviceArray array;
      Tensor tensor = {};
    };
    auto* const shared = new Shared{*this};
    shared->tensor.tensor = {.data = shared->array.cells_.memory.get(),
                             .device = {nb::device::cuda::value, cells_.device.index},
                             .ndim = 2,
                             .dtype = element_.type,
                             .shape = shared->array.shape_.data(),
                             .strides = shared->array.strides_.data(),
                             .byte_offset = 0};
    shared->tensor.context = shared;
    shared->tensor.deleter = [](Tensor* tensor) { delete static_cast<Shared*>(tensor->context); };
    PyObject* const made = PyCapsule_New(&shared->tensor, name, &release<Tensor>);
    if (made == nullptr) {
      delete shared;
      throw nb::python_error();
    }
    return nb::steal(made);
  }

 private:
  // A consumer renames the capsule and calls the deleter itself.
  template <class Tensor>
  static void release(PyObject* capsule) {
    const char* const name = PyCapsule_GetName(capsule);
    if (name == nullptr || std::string_view(name).starts_with("used_")) return;
    auto* const tensor = static_cast<Tensor*>(PyCapsule_GetPointer(capsule, name));
    if (tensor != nullptr) tensor->deleter(tensor);
  }

  DeviceCells cells_;
  Element element_;
  std::array<std::int64_t, 2> shape_{}, strides_{};
};

DeviceArray device_array(Engine& engine, const std::string& type, std::int64_t x, std::int64_t y,
                         std::int64_t width, std::int64_t height) {
  const Element element = element_of(type);
  return engine.use([&](Simulation& simulation) {
    return DeviceArray(element.cells == 1 ? copy_byte_cells(simulation, {x, y, width, height})
                                          : copy_packed_cells(simulation),
                       element);
  });
}

}  // namespace

void bind_devices(nb::module_& module) {
  module.def("kernel_rows", &kernel_rows, nb::arg("rule"),
             nb::sig("def kernel_rows(rule: Rule) -> list[dict[str, object]]"));
  module.def("device_rows", &device_rows, nb::sig("def device_rows() -> list[dict[str, object]]"));
  nb::class_<DeviceArray>(module, "DeviceBuffer")
      .def_prop_ro("shape", &DeviceArray::shape)
      .def_prop_ro("address", &DeviceArray::address)
      .def("cuda_array_interface", &DeviceArray::cuda_array_interface,
           nb::sig("def cuda_array_interface(self) -> dict[str, object]"))
      .def("dlpack_device", &DeviceArray::dlpack_device)
      .def(
          "dlpack",
          [](const DeviceArray& array, bool versioned) {
            return versioned ? array.capsule<VersionedTensor>("dltensor_versioned")
                             : array.capsule<ManagedTensor>("dltensor");
          },
          nb::arg("versioned"), nb::sig("def dlpack(self, versioned: bool) -> object"));
  module.def("device_array", &device_array, nb::arg("engine"), nb::arg("type"), nb::arg("x"), nb::arg("y"),
             nb::arg("width"), nb::arg("height"));
}

}  // namespace moorea::python
