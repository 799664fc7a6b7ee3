#include "stream.h"
#include <algorithm>

namespace parley {

std::string Stream::open() {
  if (plan_.audio == nullptr) return "There is no such copy of PortAudio";
  PortAudio& audio = *plan_.audio;
  std::lock_guard<std::mutex> guard(audio.lock);
  if (!audio.loaded) return "This copy of PortAudio was never started";
  PaStream* stream = nullptr;
  PaError error = openStream(&stream);
  if (error != paNoError) return audio.errorText(error);
  const PaStreamInfo* info = audio.streamInfo(stream);
  if (info != nullptr) latency_ = latencyOf(*info);
  onOpened();
  error = audio.startStream(stream);
  if (error != paNoError) {
    // PortAudio leaves behind the thread it waited for. That thread may still start, so this object must stay
    // alive.
    if (error == paTimedOut) abandoned_.store(true);
    else audio.closeStream(stream);
    return audio.errorText(error);
  }
  stream_.store(stream);
  open_.store(true);
  audio.streams.push_back(this);
  return {};
}

PaStream* Stream::detach() {
  std::lock_guard<std::mutex> guard(queryLock_);
  return stream_.exchange(nullptr);
}

void Stream::close() {
  if (!isOpen()) return;
  PortAudio& audio = *plan_.audio;
  std::lock_guard<std::mutex> guard(audio.lock);
  // PortAudio may have ended meanwhile and closed the stream.
  PaStream* stream = detach();
  if (stream == nullptr) return;
  audio.streams.erase(std::remove(audio.streams.begin(), audio.streams.end(), this), audio.streams.end());
  // Pa_StopStream would play out the buffer, or wait for a dead device.
  audio.abortStream(stream);
  audio.closeStream(stream);
  markClosed();
}

void Stream::markClosed() {
  closed_.store(true);
  open_.store(false);
}

bool Stream::active() const {
  std::lock_guard<std::mutex> guard(queryLock_);
  PaStream* stream = stream_.load();
  return stream != nullptr && plan_.audio->isStreamActive(stream) == 1;
}

double Stream::now() const {
  std::lock_guard<std::mutex> guard(queryLock_);
  PaStream* stream = stream_.load();
  return stream == nullptr ? 0 : plan_.audio->streamTime(stream);
}

}  // namespace parley
