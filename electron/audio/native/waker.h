// Wakes JavaScript from the device's thread without a lock.
#pragma once
#include <node_api.h>
#include <uv.h>
#include <atomic>
#include <memory>

namespace parley {

class Waker {
 public:
  // Nothing where that is no function.
  static std::shared_ptr<Waker> make(napi_env env, napi_value function);
  // How many there are whose end has not come.
  static int count() { return wakers; }

  ~Waker() = default;
  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;

  // From any thread, and also after the end: then nobody is woken.
  void wake();
  // Where JavaScript runs.
  void end();

 private:
  Waker() = default;
  static void onWake(uv_async_t* async);
  // When the environment goes, its loop goes too: nothing may be sent to it any more.
  static void forget(void* waker) { static_cast<Waker*>(waker)->shut(); }
  bool shut();

  static std::atomic<int> wakers;

  napi_env env_ = nullptr;
  napi_ref function_ = nullptr;
  napi_async_context context_ = nullptr;
  uv_async_t async_{};
  std::atomic<bool> alive_{true};
  std::atomic<int> waking_{0};
  // The loop's own hold on it, until the loop has let go.
  std::shared_ptr<Waker> self_;
};

}  // namespace parley
