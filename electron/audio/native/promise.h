// What may take long runs on a thread of its own and comes back to JavaScript as a promise.
#pragma once
#include <node_api.h>
#include <functional>
#include <string>

namespace parley {

// `run` says what went wrong, or nothing; then `value` or `failed` runs where JavaScript does.
// Not on the threads that Node shares out: a sound server that hangs would take files and names of
// hosts with it, and Node waits for those threads before it exits. The caller waits within bounds, and
// the process does not stay for it.
napi_value promise(napi_env env, std::function<std::string()> run,
                   std::function<napi_value(napi_env)> value, std::function<void()> failed = {});

// Runs aside what nobody waits for but the end of the process, and that not for long.
void aside(std::function<void()> run);

}  // namespace parley
