// Conversions between JavaScript values and the streams' types.
#pragma once
#include <node_api.h>
#include <array>
#include <string>
#include <vector>
#include "stream.h"

namespace parley {

struct Samples {
  float* data = nullptr;
  size_t count = 0;
};

template <size_t Count>
std::array<napi_value, Count> arguments(napi_env env, napi_callback_info info) {
  std::array<napi_value, Count> values{};
  size_t count = Count;
  napi_get_cb_info(env, info, &count, values.data(), nullptr, nullptr);
  return values;
}

napi_value number(napi_env env, double value);
napi_value text(napi_env env, const std::string& value);
double numberAt(napi_env env, napi_value value);
// Clamps to the bounds; NaN becomes `min`.
double bounded(double value, double min, double max);
// The number of a PortAudio copy, clamped to -1 and `copyCount`, which are both invalid.
int copyAt(napi_env env, napi_value value);
// Empty unless the value is a Float32Array.
Samples samplesAt(napi_env env, napi_value value);
// Null unless the value is a Float64Array with at least this many elements.
double* doublesAt(napi_env env, napi_value value, size_t min);
StreamPlan planAt(napi_env env, napi_value value);
napi_value deviceTable(napi_env env, const std::vector<Device>& devices);

}  // namespace parley
