// ALSA and JACK write paragraphs to stderr for every device and server they look for in vain, and
// PortAudio looks for all of them. What matters comes back as an error code; the rest is for nobody.
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

// Both libraries have a door for this. They are found by hand, since neither is needed to build; and
// both stay loaded, since the handlers are kept in them. JACK's is the one that an ALSA plugin brings in
// while PortAudio looks around, and it has to be told before that.
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
