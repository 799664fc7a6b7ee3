#include "microphone.h"
#include <utility>

namespace parley {

Microphone::Microphone(const StreamPlan& plan, size_t blockSamples, std::function<void()> wake)
    : Stream(plan), ring_(plan.ringSamples), block_(blockSamples), wake_(std::move(wake)) {}

PaError Microphone::openStream(PaStream** stream) {
  PaStreamParameters input{plan_.device, plan_.channels, paFloat32, plan_.latency, nullptr};
  return plan_.audio->openStream(stream, &input, nullptr, plan_.rate, plan_.framesPerBuffer, paNoFlag,
                       &Microphone::callback, this);
}

int Microphone::callback(const void* input, void*, unsigned long frames,
                         const PaStreamCallbackTimeInfo* time, PaStreamCallbackFlags, void* self) {
  auto& microphone = *static_cast<Microphone*>(self);
  const auto* from = static_cast<const float*>(input);
  const int channels = microphone.plan_.channels;
  // Two channels are usually one microphone twice, so they are averaged. With more channels only the first is
  // used.
  const int mixedChannels = channels == 2 ? 2 : 1;
  microphone.sequence_.fetch_add(1, std::memory_order_acq_rel);
  microphone.position_.store(microphone.ring_.written(), std::memory_order_relaxed);
  microphone.capturedAt_.store(time->inputBufferAdcTime, std::memory_order_relaxed);
  microphone.sequence_.fetch_add(1, std::memory_order_acq_rel);
  float mono[1024];
  uint64_t repaired = 0;
  for (unsigned long done = 0; done < frames;) {
    const size_t part = std::min<size_t>(frames - done, sizeof(mono) / sizeof(float));
    for (size_t at = 0; at < part; ++at) {
      float sample = 0;
      if (from != nullptr) {
        for (int channel = 0; channel < mixedChannels; ++channel) sample += from[channel];
        from += channels;
      }
      const bool sound = isSound(sample);
      mono[at] = sound ? sample / static_cast<float>(mixedChannels) : 0.0f;
      if (!sound) ++repaired;
    }
    const size_t written = microphone.ring_.write(mono, part);
    if (written < part) microphone.lost_.fetch_add(part - written, std::memory_order_relaxed);
    done += part;
  }
  if (repaired > 0) microphone.repaired_.fetch_add(repaired, std::memory_order_relaxed);
  microphone.callbacks_.fetch_add(1, std::memory_order_relaxed);
  if (microphone.ring_.queued() >= microphone.block_) microphone.wake_();
  return paContinue;
}

Microphone::Mark Microphone::mark() const {
  for (;;) {
    const uint32_t before = sequence_.load(std::memory_order_acquire);
    const Mark mark{position_.load(std::memory_order_relaxed),
                    capturedAt_.load(std::memory_order_relaxed)};
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 == 0 && sequence_.load(std::memory_order_relaxed) == before) return mark;
  }
}

}  // namespace parley
