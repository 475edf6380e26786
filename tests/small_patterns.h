// SPDX-License-Identifier: MIT
// Small patterns of Life, as bodies of RLE files.
#pragma once

namespace moorea::test {

inline constexpr const char* block_rle = "2o$2o!";
inline constexpr const char* blinker_rle = "3o!";
inline constexpr const char* glider_rle = "bo$2bo$3o!";
inline constexpr const char* pulsar_rle =  // of period 3
    "2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!";
inline constexpr const char* tumbler_rle = "bo5bo$obo3bobo$o2bobo2bo$2bo3bo$2b2ob2o!";  // of period 14
inline constexpr const char* pentadecathlon_rle = "10o!";                               // and 15

}  // namespace moorea::test
