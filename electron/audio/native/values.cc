#include "values.h"

namespace parley {
namespace {

double field(napi_env env, napi_value object, const char* name) {
  napi_value value = nullptr;
  if (napi_get_named_property(env, object, name, &value) != napi_ok) return 0;
  return numberAt(env, value);
}

void set(napi_env env, napi_value object, const char* name, napi_value value) {
  napi_set_named_property(env, object, name, value);
}

}  // namespace

double bounded(double value, double min, double max) {
  if (!(value >= min)) return min;
  return value <= max ? value : max;
}

int copyAt(napi_env env, napi_value value) {
  return static_cast<int>(bounded(numberAt(env, value), -1, copyCount));
}

napi_value number(napi_env env, double value) {
  napi_value result;
  napi_create_double(env, value, &result);
  return result;
}

napi_value text(napi_env env, const std::string& value) {
  napi_value result;
  napi_create_string_utf8(env, value.data(), value.size(), &result);
  return result;
}

double numberAt(napi_env env, napi_value value) {
  double result = 0;
  napi_get_value_double(env, value, &result);
  return result;
}

Samples samplesAt(napi_env env, napi_value value) {
  bool is = false;
  napi_is_typedarray(env, value, &is);
  if (!is) return {};
  napi_typedarray_type type;
  size_t length;
  void* data;
  napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr);
  if (type != napi_float32_array) return {};
  return {static_cast<float*>(data), length};
}

double* doublesAt(napi_env env, napi_value value, size_t min) {
  bool is = false;
  napi_is_typedarray(env, value, &is);
  if (!is) return nullptr;
  napi_typedarray_type type;
  size_t length;
  void* data;
  napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr);
  return type == napi_float64_array && length >= min ? static_cast<double*>(data) : nullptr;
}

StreamPlan planAt(napi_env env, napi_value value) {
  napi_value copy = nullptr;
  napi_get_named_property(env, value, "copy", &copy);
  return {portAudioCopy(copyAt(env, copy)),
          static_cast<PaDeviceIndex>(bounded(field(env, value, "device"), -1, 1e6)),
          bounded(field(env, value, "rate"), 1000, 768000),
          static_cast<int>(bounded(field(env, value, "channels"), 1, 256)),
          static_cast<unsigned long>(bounded(field(env, value, "framesPerBuffer"), 0, 1 << 16)),
          bounded(field(env, value, "latency"), 0, 10),
          // From a few blocks to 256 MB.
          static_cast<size_t>(bounded(field(env, value, "ringSamples"), 1024, 1 << 26))};
}

napi_value deviceTable(napi_env env, const std::vector<Device>& devices) {
  napi_value table;
  napi_create_array_with_length(env, devices.size(), &table);
  for (size_t at = 0; at < devices.size(); ++at) {
    const Device& each = devices[at];
    napi_value device;
    napi_create_object(env, &device);
    set(env, device, "index", number(env, each.index));
    set(env, device, "name", text(env, each.name));
    set(env, device, "hostApi", text(env, each.hostApi));
    set(env, device, "inputChannels", number(env, each.inputChannels));
    set(env, device, "outputChannels", number(env, each.outputChannels));
    set(env, device, "rate", number(env, each.rate));
    set(env, device, "defaultInput", number(env, each.defaultInput));
    set(env, device, "defaultOutput", number(env, each.defaultOutput));
    napi_set_element(env, table, static_cast<uint32_t>(at), device);
  }
  return table;
}

}  // namespace parley
