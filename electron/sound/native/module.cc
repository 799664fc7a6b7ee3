// The door between JavaScript and the streams. Opening and closing run on worker threads and come
// back as promises; everything else only touches rings and counters and returns at once.
#define NAPI_EXPERIMENTAL_NOGC_ENV_OPT_OUT
#include <node_api.h>
#include <uv.h>
#include <atomic>
#include <memory>
#include <thread>
#include "microphone.h"
#include "promise.h"
#include "speaker.h"
#include "values.h"

namespace parley {
namespace {

// What JavaScript threw when nothing of it had called: left here it would come out of whatever call is next, or be
// lost. So it goes where all goes that nobody has caught.
void raiseUncaught(napi_env env) {
  bool thrown = false;
  napi_is_exception_pending(env, &thrown);
  if (!thrown) return;
  napi_value error;
  napi_get_and_clear_last_exception(env, &error);
  napi_fatal_exception(env, error);
}

std::atomic<int> wakers{0};

// Wakes JavaScript from the device's thread without a lock.
struct Waker {
  napi_env env;
  napi_ref function;
  napi_async_context context;
  uv_async_t async;
  std::atomic<bool> alive{true};

  static void onWake(uv_async_t* async) {
    auto* waker = static_cast<Waker*>(async->data);
    if (!waker->alive) return;
    napi_handle_scope scope;
    napi_open_handle_scope(waker->env, &scope);
    napi_value function, global;
    napi_get_reference_value(waker->env, waker->function, &function);
    napi_get_global(waker->env, &global);
    const napi_env env = waker->env;
    napi_make_callback(env, waker->context, global, function, 0, nullptr, nullptr);
    raiseUncaught(env);
    napi_close_handle_scope(env, scope);
  }

  // When the environment goes, its loop goes too: nothing may be sent to it any more.
  static void forget(void* waker) { static_cast<Waker*>(waker)->alive = false; }

  Waker() { ++wakers; }
  ~Waker() { --wakers; }
};

struct Handle {
  std::shared_ptr<Stream> stream;
  Speaker* speaker = nullptr;
  Microphone* microphone = nullptr;
  Waker* waker = nullptr;
};

Handle* handleAt(napi_env env, napi_value value) {
  void* data = nullptr;
  if (napi_get_value_external(env, value, &data) != napi_ok) {
    napi_throw_type_error(env, nullptr, "a stream is expected");
    return nullptr;
  }
  return static_cast<Handle*>(data);
}

Waker* makeWaker(napi_env env, napi_value function) {
  auto* waker = new Waker{};
  waker->env = env;
  napi_create_reference(env, function, 1, &waker->function);
  napi_async_init(env, nullptr, text(env, "parley-sound"), &waker->context);
  uv_loop_t* loop = nullptr;
  napi_get_uv_event_loop(env, &loop);
  uv_async_init(loop, &waker->async, &Waker::onWake);
  waker->async.data = waker;
  // An open microphone is no reason for a process to stay.
  uv_unref(reinterpret_cast<uv_handle_t*>(&waker->async));
  napi_add_env_cleanup_hook(env, &Waker::forget, waker);
  return waker;
}

void endWaker(Waker* waker) {
  if (waker == nullptr || !waker->alive.exchange(false)) return;
  napi_delete_reference(waker->env, waker->function);
  napi_async_destroy(waker->env, waker->context);
  napi_remove_env_cleanup_hook(waker->env, &Waker::forget, waker);
  uv_close(reinterpret_cast<uv_handle_t*>(&waker->async),
           [](uv_handle_t* async) { delete static_cast<Waker*>(async->data); });
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
        // One that nobody closed is closed aside: a dead device could hold up whoever does it.
        auto stream = (*kept)->stream;
        if (stream->active()) std::thread([stream] { stream->close(); }).detach();
      },
      own, &value);
  return value;
}

napi_value open(napi_env env, const std::shared_ptr<Handle>& handle) {
  return promise(
      env, [handle] { return handle->stream->open(); },
      [handle](napi_env inner) { return external(inner, handle); },
      [handle] { endWaker(handle->waker); });
}

napi_value openSpeaker(napi_env env, napi_callback_info info) {
  const auto args = arguments<1>(env, info);
  auto handle = std::make_shared<Handle>();
  auto speaker = std::make_shared<Speaker>(planAt(env, args[0]));
  handle->speaker = speaker.get();
  handle->stream = speaker;
  return open(env, handle);
}

napi_value openMicrophone(napi_env env, napi_callback_info info) {
  const auto args = arguments<3>(env, info);
  auto handle = std::make_shared<Handle>();
  Waker* waker = makeWaker(env, args[2]);
  auto microphone = std::make_shared<Microphone>(
      planAt(env, args[0]), static_cast<size_t>(numberAt(env, args[1])), [waker] {
        if (waker->alive.load(std::memory_order_relaxed)) uv_async_send(&waker->async);
      });
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
  Waker* waker = handle->waker;
  handle->waker = nullptr;
  // The waker ends after the stream: until then the device's thread may still call it.
  return promise(
      env,
      [stream] {
        stream->close();
        return std::string{};
      },
      [waker, stream](napi_env inner) {
        endWaker(waker);
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
    handle->speaker->setVolume(static_cast<float>(numberAt(env, args[1])));
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

// Fills an array of doubles that the caller keeps, so that asking often makes no garbage.
napi_value readCounters(napi_env env, napi_callback_info info) {
  const auto args = arguments<2>(env, info);
  Handle* handle = handleAt(env, args[0]);
  double* figures = doublesAt(env, args[1], 13);
  if (handle == nullptr || figures == nullptr) return nothing(env);
  const Stream& stream = *handle->stream;
  figures[0] = stream.active() ? 1 : 0;
  figures[1] = static_cast<double>(stream.callbacks());
  figures[2] = stream.now();
  figures[3] = stream.latency();
  if (handle->speaker != nullptr) {
    const Speaker& speaker = *handle->speaker;
    const Speaker::Playhead head = speaker.playhead();
    figures[4] = static_cast<double>(speaker.played());
    figures[5] = static_cast<double>(speaker.queued());
    figures[6] = static_cast<double>(speaker.underruns());
    figures[7] = static_cast<double>(speaker.missed());
    figures[8] = static_cast<double>(speaker.repaired());
    figures[9] = static_cast<double>(head.position);
    figures[10] = head.heardAt;
    figures[11] = static_cast<double>(head.sounded);
    figures[12] = static_cast<double>(speaker.historyAt());
  } else {
    const Microphone& microphone = *handle->microphone;
    const Microphone::Mark mark = microphone.mark();
    figures[4] = static_cast<double>(microphone.taken());
    figures[5] = static_cast<double>(microphone.queued());
    figures[6] = static_cast<double>(microphone.captured());
    figures[7] = static_cast<double>(microphone.lost());
    figures[8] = static_cast<double>(microphone.repaired());
    figures[9] = static_cast<double>(mark.position);
    figures[10] = mark.heardAt;
  }
  return nothing(env);
}

napi_value initialize(napi_env env, napi_callback_info info) {
  const auto args = arguments<1>(env, info);
  const int copy = static_cast<int>(numberAt(env, args[0]));
  auto devices = std::make_shared<std::vector<Device>>();
  return promise(
      env, [copy, devices] { return startPortAudio(copy, *devices); },
      [devices](napi_env inner) { return deviceTable(inner, *devices); });
}

napi_value terminate(napi_env env, napi_callback_info info) {
  const auto args = arguments<1>(env, info);
  const int copy = static_cast<int>(numberAt(env, args[0]));
  return promise(
      env,
      [copy] {
        stopPortAudio(copy);
        return std::string{};
      },
      nothing);
}

// How many microphones have something here that could still wake JavaScript; each must have gone with its microphone.
napi_value wakerCount(napi_env env, napi_callback_info) { return number(env, wakers); }

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
