// SPDX-License-Identifier: MIT
// OpenCL's functions, from the loader library, which is opened at first use: a program starts on machines
// without one.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>

namespace moorea::opencl {

// clang-format off
#define MOOREA_OPENCL_FUNCTIONS(X) \
  X(clGetPlatformIDs) \
  X(clGetPlatformInfo) \
  X(clGetDeviceIDs) \
  X(clGetDeviceInfo) \
  X(clCreateContext) \
  X(clCreateCommandQueue) \
  X(clReleaseCommandQueue) \
  X(clCreateBuffer) \
  X(clReleaseMemObject) \
  X(clEnqueueWriteBuffer) \
  X(clEnqueueReadBuffer) \
  X(clEnqueueFillBuffer) \
  X(clEnqueueCopyBuffer) \
  X(clEnqueueNDRangeKernel) \
  X(clFinish) \
  X(clCreateProgramWithSource) \
  X(clCreateProgramWithBinary) \
  X(clBuildProgram) \
  X(clGetProgramBuildInfo) \
  X(clGetProgramInfo) \
  X(clReleaseProgram) \
  X(clCreateKernel) \
  X(clReleaseKernel) \
  X(clSetKernelArg) \
  X(clGetKernelWorkGroupInfo)
// clang-format on

struct Functions {
#define MOOREA_DECLARE(name) decltype(&::name) name = nullptr;
  MOOREA_OPENCL_FUNCTIONS(MOOREA_DECLARE)
#undef MOOREA_DECLARE
  std::string missing;  ///< why they are unavailable; empty: available
};

const Functions& functions();

}  // namespace moorea::opencl
