// The JavaScript API of the streams. Opening, closing, starting and ending PortAudio run on worker threads and
// return promises; all other functions use only rings and counters and return immediately.
#define NAPI_EXPERIMENTAL_NOGC_ENV_OPT_OUT
#include <node_api.h>
#include <memory>
#include <utility>
#include <vector>
#include "microphone.h"
#include "promise.h"
#include "speaker.h"
#include "values.h"
#include "waker.h"

namespace parley {
namespace {

struct Handle {
  std::shared_ptr<Stream> stream;
  Speaker* speaker = nullptr;
  Microphone* microphone = nullptr;
  std::shared_ptr<Waker> waker;
};

// Identifies our externals, because other addons have externals too.
constexpr napi_type_tag streamTag{0x7b1d0c5a4e9f4a63, 0x9c2e61f08d37b5a4};

Handle* handleAt(napi_env env, napi_value value) {
  void* data = nullptr;
  bool ours = false;
  napi_valuetype type = napi_undefined;
  napi_typeof(env, value, &type);
  if (type == napi_external) napi_check_object_type_tag(env, value, &streamTag, &ours);
  if (!ours || napi_get_value_external(env, value, &data) != napi_ok) {
    napi_throw_type_error(env, nullptr, "a stream is expected");
    return nullptr;
  }
  return static_cast<Handle*>(data);
}

napi_value nothing(napi_env env) {
  napi_value value;
  napi_get_undefined(env, &value);
  return value;
}

napi_value external(napi_env env, const std::shared_ptr<Handle>& handle) {
  napi_value value;
  auto* own = new std::shared_ptr<Handle>(handle);
  napi_create_external(
      env, handle.get(),
      [](napi_env, void*, void* hint) {
        std::unique_ptr<std::shared_ptr<Handle>> kept(static_cast<std::shared_ptr<Handle>*>(hint));
        if ((*kept)->waker) (*kept)->waker->end();
        // An unclosed stream is closed on another thread, because a dead device could block the garbage
        // collector.
        auto stream = (*kept)->stream;
        if (stream->isOpen()) runDetached([stream] { stream->close(); });
      },
      own, &value);
  napi_type_tag_object(env, value, &streamTag);
  return value;
}

// Closes the stream before freeing it, even if the environment ends while the stream opens, because the
// device's thread must not use freed memory.
template <typename Kind>
std::shared_ptr<Kind> closing(Kind* stream) {
  return std::shared_ptr<Kind>(stream, [](Kind* last) {
    last->close();
    if (!last->isAbandoned()) delete last;
  });
}

napi_value open(napi_env env, const std::shared_ptr<Handle>& handle) {
  return promise(
      env, [handle] { return handle->stream->open(); },
      [handle](napi_env inner) { return external(inner, handle); },
      [handle] {
        if (handle->waker) handle->waker->end();
      });
}

napi_value openSpeaker(napi_env env, napi_callback_info info) {
  const auto args = arguments<1>(env, info);
  auto handle = std::make_shared<Handle>();
  auto speaker = closing(new Speaker(planAt(env, args[0])));
  handle->speaker = speaker.get();
  handle->stream = speaker;
  return open(env, handle);
}

napi_value openMicrophone(napi_env env, napi_callback_info info) {
  const auto args = arguments<3>(env, info);
  auto handle = std::make_shared<Handle>();
  const auto waker = Waker::make(env, args[2]);
  if (waker == nullptr) {
    napi_throw_type_error(env, nullptr, "a function to wake is expected");
    return nullptr;
  }
  const StreamPlan plan = planAt(env, args[0]);
  const auto block = static_cast<size_t>(
      bounded(numberAt(env, args[1]), 1, static_cast<double>(plan.ringSamples)));
  auto microphone = closing(new Microphone(plan, block, [waker] { waker->wake(); }));
  handle->waker = waker;
  handle->microphone = microphone.get();
  handle->stream = microphone;
  return open(env, handle);
}

napi_value close(napi_env env, napi_callback_info info) {
  const auto args = arguments<1>(env, info);
  Handle* handle = handleAt(env, args[0]);
  if (handle == nullptr) return nullptr;
  auto stream = handle->stream;
  const auto waker = std::move(handle->waker);
  handle->waker = nullptr;
  // The waker ends after the stream, because the device's thread may call it until then.
  return promise(
      env,
      [stream] {
        stream->close();
        return std::string{};
      },
      [waker, stream](napi_env inner) {
        if (waker) waker->end();
        stream->release();
        return nothing(inner);
      });
}

napi_value write(napi_env env, napi_callback_info info) {
  const auto args = arguments<2>(env, info);
  Handle* handle = handleAt(env, args[0]);
  const Samples samples = samplesAt(env, args[1]);
  if (handle == nullptr || handle->speaker == nullptr) return nothing(env);
  return number(env, static_cast<double>(handle->speaker->write(samples.data, samples.count)));
}

napi_value flush(napi_env env, napi_callback_info info) {
  const auto args = arguments<1>(env, info);
  Handle* handle = handleAt(env, args[0]);
  if (handle == nullptr || handle->speaker == nullptr) return nothing(env);
  const Speaker::Flushed flushed = handle->speaker->flush();
  napi_value result;
  napi_create_object(env, &result);
  napi_set_named_property(env, result, "played", number(env, static_cast<double>(flushed.played)));
  napi_set_named_property(env, result, "dropped", number(env, static_cast<double>(flushed.dropped)));
  return result;
}

napi_value setVolume(napi_env env, napi_callback_info info) {
  const auto args = arguments<2>(env, info);
  Handle* handle = handleAt(env, args[0]);
  if (handle != nullptr && handle->speaker != nullptr)
    handle->speaker->setVolume(static_cast<float>(bounded(numberAt(env, args[1]), 0, 16)));
  return nothing(env);
}

napi_value take(napi_env env, napi_callback_info info) {
  const auto args = arguments<2>(env, info);
  Handle* handle = handleAt(env, args[0]);
  const Samples into = samplesAt(env, args[1]);
  if (handle == nullptr) return nothing(env);
  const size_t taken = handle->microphone != nullptr
                           ? handle->microphone->take(into.data, into.count)
                           : handle->speaker->takeHistory(into.data, into.count);
  return number(env, static_cast<double>(taken));
}

// Fills the caller's array of doubles, so frequent calls create no garbage.
napi_value readCounters(napi_env env, napi_callback_info info) {
  const auto args = arguments<2>(env, info);
  Handle* handle = handleAt(env, args[0]);
  double* counters = doublesAt(env, args[1], 13);
  if (handle == nullptr || counters == nullptr) return nothing(env);
  const Stream& stream = *handle->stream;
  counters[0] = stream.active() ? 1 : 0;
  counters[1] = static_cast<double>(stream.callbacks());
  counters[2] = stream.now();
  counters[3] = stream.latency();
  if (handle->speaker != nullptr) {
    const Speaker& speaker = *handle->speaker;
    const Speaker::Playhead head = speaker.playhead();
    counters[4] = static_cast<double>(speaker.played());
    counters[5] = static_cast<double>(speaker.queued());
    counters[6] = static_cast<double>(speaker.underruns());
    counters[7] = static_cast<double>(speaker.missed());
    counters[8] = static_cast<double>(speaker.repaired());
    counters[9] = static_cast<double>(head.position);
    counters[10] = head.heardAt;
    counters[11] = static_cast<double>(head.sounded);
    counters[12] = static_cast<double>(speaker.historyAt());
  } else {
    const Microphone& microphone = *handle->microphone;
    const Microphone::Mark mark = microphone.mark();
    counters[4] = static_cast<double>(microphone.taken());
    counters[5] = static_cast<double>(microphone.queued());
    counters[6] = static_cast<double>(microphone.captured());
    counters[7] = static_cast<double>(microphone.lost());
    counters[8] = static_cast<double>(microphone.repaired());
    counters[9] = static_cast<double>(mark.position);
    counters[10] = mark.capturedAt;
  }
  return nothing(env);
}

napi_value initialize(napi_env env, napi_callback_info info) {
  const auto args = arguments<1>(env, info);
  const int copy = copyAt(env, args[0]);
  auto devices = std::make_shared<std::vector<Device>>();
  return promise(
      env, [copy, devices] { return startPortAudio(copy, *devices); },
      [devices](napi_env inner) { return deviceTable(inner, *devices); });
}

napi_value terminate(napi_env env, napi_callback_info info) {
  const auto args = arguments<1>(env, info);
  const int copy = copyAt(env, args[0]);
  return promise(
      env,
      [copy] {
        stopPortAudio(copy);
        return std::string{};
      },
      nothing);
}

// The number of wakers; each must end with its microphone. For tests.
napi_value wakerCount(napi_env env, napi_callback_info) { return number(env, Waker::count()); }

napi_value init(napi_env env, napi_value exports) {
  const std::pair<const char*, napi_callback> functions[] = {
      {"initialize", initialize},
      {"terminate", terminate},
      {"openSpeaker", openSpeaker},
      {"openMicrophone", openMicrophone},
      {"close", close},
      {"write", write},
      {"flush", flush},
      {"setVolume", setVolume},
      {"take", take},
      {"readCounters", readCounters},
      {"wakerCount", wakerCount},
  };
  napi_set_named_property(env, exports, "copies", number(env, copyCount));
  for (const auto& [name, function] : functions) {
    napi_value value;
    napi_create_function(env, name, NAPI_AUTO_LENGTH, function, nullptr, &value);
    napi_set_named_property(env, exports, name, value);
  }
  return exports;
}

}  // namespace
}  // namespace parley

NAPI_MODULE_INIT() { return parley::init(env, exports); }
