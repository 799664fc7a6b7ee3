// Wakes JavaScript from the device's thread without a lock.
#pragma once
#include <node_api.h>
#include <uv.h>
#include <atomic>
#include <memory>

namespace parley {

class Waker {
 public:
  // Null if the value is not a function.
  static std::shared_ptr<Waker> make(napi_env env, napi_value function);
  // The number of wakers that have yet to end.
  static int count() { return wakers; }

  ~Waker() = default;
  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;

  // Callable from any thread; does nothing after the end.
  void wake();
  // Call it on the JavaScript thread.
  void end();

 private:
  Waker() = default;
  static void onWake(uv_async_t* async);
  // The loop ends with its environment, so nothing may be sent to it afterwards.
  static void forget(void* waker) { static_cast<Waker*>(waker)->shut(); }
  bool shut();

  static std::atomic<int> wakers;

  napi_env env_ = nullptr;
  napi_ref function_ = nullptr;
  napi_async_context context_ = nullptr;
  uv_async_t async_{};
  std::atomic<bool> alive_{true};
  std::atomic<int> waking_{0};
  // The loop's reference to this object, until the handle is closed.
  std::shared_ptr<Waker> self_;
};

}  // namespace parley
