#include "speaker.h"
#include <cmath>

namespace parley {
namespace {

constexpr double fadeSeconds = 0.005;
constexpr double historySeconds = 4;

// Whether the device may discard sound. PortAudio's ALSA backend restarts a stream after every break.
// PulseAudio then reads ahead, which causes the next break. For up to a second the device takes sound far too
// fast and plays none of it.
#ifdef __linux__
constexpr bool mayDiscard = true;
#else
constexpr bool mayDiscard = false;
#endif

// Raised cosine from 0 to 1, without corners that would click.
float rising(size_t step, size_t steps) {
  if (step >= steps) return 1.0f;
  const double phase = static_cast<double>(step + 1) / static_cast<double>(steps + 1);
  return static_cast<float>(0.5 - 0.5 * std::cos(phase * 3.14159265358979));
}

}  // namespace

Speaker::Speaker(const StreamPlan& plan)
    : Stream(plan),
      allowance_(plan.rate),
      ring_(plan.ringSamples),
      history_(static_cast<size_t>(plan.rate * historySeconds)),
      fade_(static_cast<size_t>(plan.rate * fadeSeconds)),
      mono_(8192) {}

size_t Speaker::write(const float* from, size_t count) {
  float clean[1024];
  size_t done = 0;
  // Takes only what fits, because the caller writes the rest again. Space for `putBack` stays free.
  const size_t room = ring_.room();
  count = std::min(count, room - std::min(room, maxPutBack()));
  while (done < count) {
    const size_t part = std::min(count - done, sizeof(clean) / sizeof(float));
    for (size_t at = 0; at < part; ++at) {
      const float sample = from[done + at];
      const bool sound = isSound(sample);
      clean[at] = sound ? sample : 0.0f;
      if (!sound) ++repaired_;
    }
    const size_t written = ring_.write(clean, part);
    done += written;
    if (written < part) break;
  }
  return done;
}

Speaker::Flushed Speaker::flush() {
  while (busy_.test_and_set(std::memory_order_acquire)) {
    // The callback holds the flag only for the microseconds in which it fills one block.
  }
  const uint64_t from = ring_.read();
  const uint64_t to = ring_.written();
  // A flush during a fade lets that fade continue and drops only newer sound.
  const bool fading = flushTo_ > from;
  if (!fading) {
    // While output is withheld, there is no sound to fade, and none may come out later.
    cutAt_ = withheld_ ? from : std::min(to, from + fade_);
    cutFade_ = static_cast<size_t>(cutAt_ - from);
  }
  const uint64_t dropped = to - (fading ? flushTo_ : cutAt_);
  const uint64_t played = played_.load(std::memory_order_relaxed) + (cutAt_ - from);
  flushTo_ = to;
  busy_.clear(std::memory_order_release);
  return {played, dropped};
}

void Speaker::onOpened() {
  // A device may take at once: its buffer, which may exceed the request, the same amount in a sound server, and two
  // blocks.
  const double buffered = 2 * std::max(latency(), plan_.latency) * plan_.rate;
  // The ring keeps space for three times the limit (`maxPutBack`): at most a quarter of its capacity.
  const size_t maxLimit = plan_.ringSamples / 12;
  allowance_.setLimit(std::min(maxLimit, static_cast<size_t>(buffered) + 2 * plan_.framesPerBuffer));
}

PaError Speaker::openStream(PaStream** stream) {
  PaStreamParameters output{plan_.device, plan_.channels, paFloat32, plan_.latency, nullptr};
  return plan_.audio->openStream(stream, nullptr, &output, plan_.rate, plan_.framesPerBuffer, paNoFlag,
                       &Speaker::callback, this);
}

int Speaker::callback(const void*, void* output, unsigned long frames,
                      const PaStreamCallbackTimeInfo* time, PaStreamCallbackFlags, void* self) {
  auto& speaker = *static_cast<Speaker*>(self);
  auto* into = static_cast<float*>(output);
  const int channels = speaker.plan_.channels;
  speaker.withheld_ = mayDiscard && speaker.discardsSound(frames);
  const uint64_t position = speaker.played();
  const uint64_t sounded = speaker.sounded_.load(std::memory_order_relaxed);
  for (unsigned long done = 0; done < frames;) {
    const size_t part = std::min<size_t>(frames - done, speaker.mono_.size());
    float* mono = speaker.mono_.data();
    speaker.fill(mono, part);
    speaker.keepHistory(mono, part, sounded + done);
    for (size_t at = 0; at < part; ++at)
      for (int channel = 0; channel < channels; ++channel)
        // Plays on the first two channels only, because headphones are rarely connected to the others.
        *into++ = channel < 2 ? mono[at] : 0.0f;
    speaker.sounded_.fetch_add(part, std::memory_order_relaxed);
    done += part;
  }
  speaker.mark(position, sounded, frames, time->outputBufferDacTime);
  speaker.callbacks_.fetch_add(1, std::memory_order_relaxed);
  return paContinue;
}

// Returns true if the device discards what it takes now. Sound that it took too fast is queued again.
bool Speaker::discardsSound(size_t frames) {
  const bool tooFast = allowance_.take(frames);
  if (allowance_.keptRealTime()) givenTooFast_ = 0;
  if (tooFast && !withheld_) takeBack();
  return tooFast;
}

// A device at twice real time has taken almost three times its allowance when it is detected.
size_t Speaker::maxPutBack() const { return 3 * allowance_.limit(); }

void Speaker::takeBack() {
  if (busy_.test_and_set(std::memory_order_acquire)) return;
  // Flushed samples stay dropped.
  const uint64_t since = ring_.read() - std::min(ring_.read(), flushTo_);
  const size_t count = static_cast<size_t>(std::min<uint64_t>(givenTooFast_, since));
  ring_.putBack(count);
  played_.fetch_sub(count, std::memory_order_release);
  givenTooFast_ = 0;
  busy_.clear(std::memory_order_release);
}

void Speaker::keepHistory(const float* mono, size_t count, uint64_t place) {
  if (historyFull_.load(std::memory_order_acquire)) {
    historyStopped_ = true;
    return;
  }
  if (historyStopped_) historyShift_.store(place - history_.written(), std::memory_order_release);
  historyStopped_ = history_.room() < count;
  if (historyStopped_) historyFull_.store(true, std::memory_order_release);
  else history_.write(mono, count);
}

size_t Speaker::takeHistory(float* into, size_t count) {
  if (!historyFull_.load(std::memory_order_acquire)) return history_.take(into, count);
  history_.skipTo(history_.written());
  historyFull_.store(false, std::memory_order_release);
  return 0;
}

void Speaker::mark(uint64_t position, uint64_t sounded, size_t frames, double heardAt) {
  const uint64_t filled = played() - position;
  sequence_.fetch_add(1, std::memory_order_acq_rel);
  // After the last sound the position keeps counting silence; otherwise samples inside the device would never
  // count as heard.
  position_.store(filled > 0 ? position : position + silentRun_, std::memory_order_relaxed);
  soundedAt_.store(sounded, std::memory_order_relaxed);
  heardAt_.store(heardAt, std::memory_order_relaxed);
  sequence_.fetch_add(1, std::memory_order_acq_rel);
  silentRun_ = (filled > 0 ? 0 : silentRun_) + (frames - std::min<uint64_t>(frames, filled));
}

void Speaker::fill(float* mono, size_t frames) {
  size_t filled = 0;
  if (!withheld_ && !busy_.test_and_set(std::memory_order_acquire)) {
    if (ring_.read() < flushTo_) {
      filled = fillUpTo(cutAt_, mono, frames);
      if (ring_.read() >= cutAt_) finishFlush();
    }
    if (filled < frames) filled += fillUpTo(ring_.written(), mono + filled, frames - filled);
    busy_.clear(std::memory_order_release);
  }
  givenTooFast_ = std::min(givenTooFast_ + filled, maxPutBack());
  trackUnderrun(filled, frames);
  for (size_t at = filled; at < frames; ++at) {
    // Sound that was cut fades from its last sample.
    mono[at] = last_ * (1.0f - rising(fadedOut_, fade_));
    if (fadedOut_ < fade_) ++fadedOut_;
  }
  const float target = volume_.load(std::memory_order_relaxed);
  const float step = 1.0f / static_cast<float>(fade_);
  for (size_t at = 0; at < frames; ++at) {
    if (gain_ < target) gain_ = std::min(target, gain_ + step);
    if (gain_ > target) gain_ = std::max(target, gain_ - step);
    mono[at] *= gain_;
  }
}

// Takes samples up to the position and applies any active fade.
size_t Speaker::fillUpTo(uint64_t end, float* mono, size_t frames) {
  const uint64_t from = ring_.read();
  if (end <= from) return 0;
  const size_t filled = ring_.take(mono, std::min<size_t>(frames, static_cast<size_t>(end - from)));
  const bool flushing = flushTo_ > from;
  for (size_t at = 0; at < filled; ++at) {
    if (fadedIn_ < fade_) mono[at] *= rising(fadedIn_++, fade_);
    if (flushing) {
      const uint64_t left = cutAt_ - (from + at);
      if (left <= cutFade_) mono[at] *= rising(static_cast<size_t>(left - 1), cutFade_);
    }
  }
  if (filled > 0) {
    last_ = mono[filled - 1];
    fadedOut_ = 0;
    played_.fetch_add(filled, std::memory_order_release);
  }
  return filled;
}

void Speaker::finishFlush() {
  ring_.skipTo(flushTo_);
  last_ = 0.0f;
  fadedIn_ = 0;
}

void Speaker::trackUnderrun(size_t filled, size_t frames) {
  if (filled == frames) {
    sounding_ = true;
    return;
  }
  if (sounding_ || filled > 0) {
    underruns_.fetch_add(1, std::memory_order_relaxed);
    fadedIn_ = 0;
  }
  sounding_ = false;
  missed_.fetch_add(frames - filled, std::memory_order_relaxed);
}

Speaker::Playhead Speaker::playhead() const {
  for (;;) {
    const uint32_t before = sequence_.load(std::memory_order_acquire);
    const Playhead head{position_.load(std::memory_order_relaxed),
                        heardAt_.load(std::memory_order_relaxed),
                        soundedAt_.load(std::memory_order_relaxed)};
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 == 0 && sequence_.load(std::memory_order_relaxed) == before) return head;
  }
}

}  // namespace parley
