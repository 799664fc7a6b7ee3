/**
 * For a test: makes ALSA's PulseAudio plugin accept only one rate and channel count, as many real cards do.
 * Preloaded, it replaces the function with which the plugin declares its capabilities.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

enum { channels = 2, rate = 3 };

int snd_pcm_ioplug_set_param_minmax(void *plugin, int what, unsigned least, unsigned most) {
  void *alsa = dlopen("libasound.so.2", RTLD_LAZY | RTLD_NOLOAD);
  int (*set)(void *, int, unsigned, unsigned) = (int (*)(void *, int, unsigned, unsigned))dlsym(
      alsa, "snd_pcm_ioplug_set_param_minmax");
  const char *only = what == channels ? getenv("ONLY_CHANNELS") : what == rate ? getenv("ONLY_RATE") : NULL;
  if (only != NULL) least = most = (unsigned)atoi(only);
  return set(plugin, what, least, most);
}
