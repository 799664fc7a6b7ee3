// Runs slow work on a thread and returns its result to JavaScript as a promise.
#pragma once
#include <node_api.h>
#include <functional>
#include <string>

namespace parley {

// `run` returns an error text, empty on success; then `value` or `failed` runs on the JavaScript thread. It
// avoids Node's thread pool, because a hanging sound server would block file access and name lookups there, and
// delay the exit. The caller sets its own timeout.
napi_value promise(napi_env env, std::function<std::string()> run,
                   std::function<napi_value(napi_env)> value, std::function<void()> failed = {});

// Runs work on a detached thread; only the process exit waits for it, briefly.
void runDetached(std::function<void()> run);

}  // namespace parley
