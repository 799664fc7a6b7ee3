#include "waker.h"
#include <thread>
#include <utility>
#include "values.h"

namespace parley {
namespace {

// An exception from a callback that JavaScript did not call would surface in the next call or get lost. This
// raises it as uncaught.
void raiseUncaught(napi_env env) {
  bool thrown = false;
  napi_is_exception_pending(env, &thrown);
  if (!thrown) return;
  napi_value error;
  napi_get_and_clear_last_exception(env, &error);
  napi_fatal_exception(env, error);
}

}  // namespace

std::atomic<int> Waker::wakers{0};

std::shared_ptr<Waker> Waker::make(napi_env env, napi_value function) {
  napi_valuetype type = napi_undefined;
  if (napi_typeof(env, function, &type) != napi_ok || type != napi_function) return nullptr;
  std::shared_ptr<Waker> waker(new Waker());
  waker->env_ = env;
  napi_create_reference(env, function, 1, &waker->function_);
  napi_async_init(env, nullptr, text(env, "parley-sound"), &waker->context_);
  uv_loop_t* loop = nullptr;
  napi_get_uv_event_loop(env, &loop);
  uv_async_init(loop, &waker->async_, &Waker::onWake);
  waker->async_.data = waker.get();
  waker->self_ = waker;
  // An open microphone must not keep the process alive.
  uv_unref(reinterpret_cast<uv_handle_t*>(&waker->async_));
  napi_add_env_cleanup_hook(env, &Waker::forget, waker.get());
  ++wakers;
  return waker;
}

void Waker::onWake(uv_async_t* async) {
  auto* waker = static_cast<Waker*>(async->data);
  if (!waker->alive_) return;
  const napi_env env = waker->env_;
  napi_handle_scope scope;
  napi_open_handle_scope(env, &scope);
  napi_value function, global;
  napi_get_reference_value(env, waker->function_, &function);
  napi_get_global(env, &global);
  napi_make_callback(env, waker->context_, global, function, 0, nullptr, nullptr);
  raiseUncaught(env);
  napi_close_handle_scope(env, scope);
}

void Waker::wake() {
  // Increments first: either `shut` sees the count, or this sees `alive_` false.
  waking_.fetch_add(1);
  if (alive_.load()) uv_async_send(&async_);
  waking_.fetch_sub(1);
}

bool Waker::shut() {
  if (!alive_.exchange(false)) return false;
  // Waits no longer than another thread needs to write a byte to a pipe.
  while (waking_.load() > 0) std::this_thread::yield();
  uv_close(reinterpret_cast<uv_handle_t*>(&async_), [](uv_handle_t* async) {
    --wakers;
    const std::shared_ptr<Waker> last = std::move(static_cast<Waker*>(async->data)->self_);
  });
  return true;
}

void Waker::end() {
  if (!shut()) return;
  napi_delete_reference(env_, function_);
  napi_async_destroy(env_, context_);
  napi_remove_env_cleanup_hook(env_, &Waker::forget, this);
}

}  // namespace parley
