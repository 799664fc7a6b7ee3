#include "stream.h"

namespace parley {

std::string Stream::open() {
  if (plan_.audio == nullptr || !plan_.audio->loaded) return "This copy of PortAudio was never started";
  PortAudio& audio = *plan_.audio;
  std::lock_guard<std::mutex> guard(audio.lock);
  PaStream* stream = nullptr;
  PaError error = openStream(&stream);
  if (error != paNoError) return audio.errorText(error);
  const PaStreamInfo* info = audio.streamInfo(stream);
  if (info != nullptr) latency_ = latencyOf(*info);
  opened();
  error = audio.startStream(stream);
  if (error != paNoError) {
    audio.closeStream(stream);
    return audio.errorText(error);
  }
  stream_.store(stream);
  return {};
}

void Stream::close() {
  PaStream* stream = stream_.exchange(nullptr);
  if (stream == nullptr) return;
  std::lock_guard<std::mutex> guard(plan_.audio->lock);
  // Not Pa_StopStream: that would play out what the device still holds, or wait for a dead one.
  plan_.audio->abortStream(stream);
  plan_.audio->closeStream(stream);
  closed_.store(true);
}

bool Stream::active() const {
  PaStream* stream = stream_.load();
  return stream != nullptr && plan_.audio->isStreamActive(stream) == 1;
}

double Stream::now() const {
  PaStream* stream = stream_.load();
  return stream == nullptr ? 0 : plan_.audio->streamTime(stream);
}

}  // namespace parley
