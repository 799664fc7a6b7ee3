#include "stream.h"

namespace parley {

std::mutex& portAudioLock() {
  static std::mutex lock;
  return lock;
}

std::string Stream::open() {
  std::lock_guard<std::mutex> guard(portAudioLock());
  PaStream* stream = nullptr;
  PaError error = openStream(&stream);
  if (error != paNoError) return Pa_GetErrorText(error);
  error = Pa_StartStream(stream);
  if (error != paNoError) {
    Pa_CloseStream(stream);
    return Pa_GetErrorText(error);
  }
  const PaStreamInfo* info = Pa_GetStreamInfo(stream);
  if (info != nullptr) latency_ = latencyOf(*info);
  stream_.store(stream);
  return {};
}

void Stream::close() {
  PaStream* stream = stream_.exchange(nullptr);
  if (stream == nullptr) return;
  std::lock_guard<std::mutex> guard(portAudioLock());
  // Not Pa_StopStream: that would play out what the device still holds, or wait for a dead one.
  Pa_AbortStream(stream);
  Pa_CloseStream(stream);
  closed_.store(true);
}

bool Stream::active() const {
  PaStream* stream = stream_.load();
  return stream != nullptr && Pa_IsStreamActive(stream) == 1;
}

double Stream::now() const {
  PaStream* stream = stream_.load();
  return stream == nullptr ? 0 : Pa_GetStreamTime(stream);
}

}  // namespace parley
