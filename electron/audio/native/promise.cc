#include "promise.h"
#include <uv.h>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
#include "values.h"

namespace parley {
namespace {

std::atomic<int> running{0};

struct Work {
  napi_deferred deferred = nullptr;
  std::function<std::string()> run;
  std::function<napi_value(napi_env)> value;
  std::function<void()> failed;
  std::string error;
};

void settle(napi_env env, Work& work) {
  if (work.error.empty()) {
    napi_resolve_deferred(env, work.deferred, work.value(env));
    return;
  }
  if (work.failed) work.failed();
  napi_value problem;
  napi_create_error(env, nullptr, text(env, work.error), &problem);
  napi_reject_deferred(env, work.deferred, problem);
}

// Returns results to one environment. Node's thread-safe function is freed with its environment while a
// thread may still hold it; a mailbox is shut and never freed.
struct Mailbox {
  napi_env env = nullptr;
  napi_async_context context = nullptr;
  uv_async_t async{};
  std::mutex lock;
  bool open = true;
  std::vector<std::unique_ptr<Work>> done;

  // Late work stays with the caller, which frees it without the lock: freeing may close a stream.
  void put(std::unique_ptr<Work>& work) {
    std::lock_guard<std::mutex> guard(lock);
    if (!open) return;
    done.push_back(std::move(work));
    uv_async_send(&async);
  }

  static void empty(uv_async_t* async) {
    auto& box = *static_cast<Mailbox*>(async->data);
    std::vector<std::unique_ptr<Work>> done;
    {
      std::lock_guard<std::mutex> guard(box.lock);
      done.swap(box.done);
    }
    napi_handle_scope handles;
    napi_open_handle_scope(box.env, &handles);
    napi_value resource;
    napi_create_object(box.env, &resource);
    // Runs the promises' continuations now; otherwise they would wait for the next event.
    napi_callback_scope scope;
    napi_open_callback_scope(box.env, resource, box.context, &scope);
    for (const auto& work : done) settle(box.env, *work);
    napi_close_callback_scope(box.env, scope);
    napi_close_handle_scope(box.env, handles);
  }

  static void shut(void* data) {
    auto& box = *static_cast<Mailbox*>(data);
    auto late = std::make_shared<std::vector<std::unique_ptr<Work>>>();
    {
      std::lock_guard<std::mutex> guard(box.lock);
      box.open = false;
      late->swap(box.done);
    }
    uv_close(reinterpret_cast<uv_handle_t*>(&box.async), nullptr);
    if (!late->empty()) runDetached([late] { late->clear(); });
  }
};

Mailbox& mailboxOf(napi_env env) {
  void* data = nullptr;
  napi_get_instance_data(env, &data);
  if (data != nullptr) return *static_cast<Mailbox*>(data);
  auto* box = new Mailbox{};
  box->env = env;
  napi_async_init(env, nullptr, text(env, "parley-sound"), &box->context);
  uv_loop_t* loop = nullptr;
  napi_get_uv_event_loop(env, &loop);
  uv_async_init(loop, &box->async, &Mailbox::empty);
  box->async.data = box;
  uv_unref(reinterpret_cast<uv_handle_t*>(&box->async));
  napi_set_instance_data(env, box, nullptr, nullptr);
  napi_add_env_cleanup_hook(env, &Mailbox::shut, box);
  return *box;
}

// A process that exits unloads libraries under running threads. Waits briefly, because most end soon, and gives
// up on one that hangs.
void waitForAll() {
  for (int waited = 0; running > 0 && waited < 500; waited += 5)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace

void runDetached(std::function<void()> run) {
  static const int waits = std::atexit(&waitForAll);
  static_cast<void>(waits);
  ++running;
  std::thread([run = std::move(run)]() mutable {
    run();
    run = nullptr;
    --running;
  }).detach();
}

napi_value promise(napi_env env, std::function<std::string()> run,
                   std::function<napi_value(napi_env)> value, std::function<void()> failed) {
  Mailbox& box = mailboxOf(env);
  auto* work = new Work{nullptr, std::move(run), std::move(value), std::move(failed), {}};
  napi_value result;
  napi_create_promise(env, &work->deferred, &result);
  runDetached([work, &box] {
    std::unique_ptr<Work> own(work);
    own->error = own->run();
    box.put(own);
  });
  return result;
}

}  // namespace parley
