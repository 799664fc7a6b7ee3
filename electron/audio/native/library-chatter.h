// ALSA and JACK print paragraphs to stderr for every device and server they fail to find, and PortAudio probes
// all of them. Real errors also arrive as error codes, so this drops the output.
#pragma once
#ifdef __linux__
#include <dlfcn.h>
#endif

namespace parley {

#ifdef __linux__
inline void ignoreAlsa(const char*, int, const char*, int, const char*, ...) {}
inline void ignoreJack(const char*) {}

template <typename Handler>
void setHandler(void* library, const char* setter, Handler handler) {
  const auto set = reinterpret_cast<void (*)(Handler)>(dlsym(library, setter));
  if (set != nullptr) set(handler);
}
#endif

// Both libraries accept an error handler. They are looked up at run time, because the build needs neither,
// and stay loaded, because they hold the handlers. An ALSA plugin loads JACK while PortAudio probes, so
// JACK's handler must be set before that.
inline void silenceLibraries() {
#ifdef __linux__
  if (void* alsa = dlopen("libasound.so.2", RTLD_LAZY | RTLD_NOLOAD))
    setHandler(alsa, "snd_lib_error_set_handler", &ignoreAlsa);
  static void* const jack = dlopen("libjack.so.0", RTLD_LAZY);
  if (jack == nullptr) return;
  setHandler(jack, "jack_set_error_function", &ignoreJack);
  setHandler(jack, "jack_set_info_function", &ignoreJack);
#endif
}

}  // namespace parley
