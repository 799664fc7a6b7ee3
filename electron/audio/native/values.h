// Values of JavaScript as the streams need them, and back.
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
// Within the bounds, also where it is no number.
double bounded(double value, double least, double most);
// The number of a copy of PortAudio; -1 for what is none.
int copyAt(napi_env env, napi_value value);
// What is no Float32Array has no samples.
Samples samplesAt(napi_env env, napi_value value);
// Nothing where it is no Float64Array of at least so many.
double* doublesAt(napi_env env, napi_value value, size_t least);
StreamPlan planAt(napi_env env, napi_value value);
napi_value deviceTable(napi_env env, const std::vector<Device>& devices);

}  // namespace parley
