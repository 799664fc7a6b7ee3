/* For a test: makes ALSA's way to PulseAudio take one rate and one count of channels only, as many
   real cards do. It is preloaded, and takes the place of the function by which that plugin says what
   it takes. */
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
