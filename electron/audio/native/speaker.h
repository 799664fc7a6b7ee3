// Plays a ring buffer. The callback never blocks; an empty ring plays silence.
#pragma once
#include <atomic>
#include <vector>
#include "allowance.h"
#include "ring.h"
#include "stream.h"

namespace parley {

class Speaker : public Stream {
 public:
  explicit Speaker(const StreamPlan& plan);

  // Queues as much as fits. Invalid samples become silence and are counted.
  size_t write(const float* from, size_t count);

  struct Flushed {
    uint64_t played;   // samples handed to the device, and those of the fade
    uint64_t dropped;  // samples dropped by this call
  };
  // Drops everything queued, after a fade of 5 ms.
  Flushed flush();

  void setVolume(float volume) { volume_.store(volume, std::memory_order_relaxed); }

  uint64_t played() const { return played_.load(std::memory_order_acquire); }
  size_t queued() const { return ring_.queued(); }
  uint64_t underruns() const { return underruns_.load(std::memory_order_relaxed); }
  uint64_t missed() const { return missed_.load(std::memory_order_relaxed); }
  uint64_t repaired() const { return repaired_; }

  // The newest block: `position` samples were played before it, and its first sample leaves the device at
  // `heardAt` on the stream's clock.
  struct Playhead {
    uint64_t position;
    double heardAt;
    uint64_t sounded;  // the position in everything that went out, silence included
  };
  Playhead playhead() const;

  // Copies what went out, silence included, as the echo reference. It starts again with new samples if nobody has
  // read for longer than the history lasts.
  size_t takeHistory(float* into, size_t count);
  // Position, in everything that went out, of the next sample to take.
  uint64_t historyAt() const { return history_.read() + historyShift_.load(std::memory_order_acquire); }

 protected:
  PaError openStream(PaStream** stream) override;
  double latencyOf(const PaStreamInfo& info) const override { return info.outputLatency; }
  void onOpened() override;
  void releaseRings() override {
    ring_.release();
    history_.release();
  }

 private:
  static int callback(const void*, void* output, unsigned long frames,
                      const PaStreamCallbackTimeInfo* time, PaStreamCallbackFlags, void* self);
  void keepHistory(const float* mono, size_t count, uint64_t place);
  bool discardsSound(size_t frames);
  size_t maxPutBack() const;
  void fill(float* mono, size_t frames);
  void mark(uint64_t position, uint64_t sounded, size_t frames, double heardAt);
  size_t fillUpTo(uint64_t end, float* mono, size_t frames);
  void finishFlush();
  void takeBack();
  void trackUnderrun(size_t filled, size_t frames);

  Allowance allowance_;
  std::atomic<bool> withheld_{false};  // output is currently withheld
  size_t givenTooFast_ = 0;  // samples taken since the device last kept real time, up to maxPutBack()
  Ring ring_;
  Ring history_;
  std::atomic<bool> historyFull_{false};
  bool historyStopped_ = false;
  std::atomic<uint64_t> historyShift_{0};
  const size_t fade_;
  std::vector<float> mono_;
  uint64_t repaired_ = 0;

  // Held for nanoseconds by the flushing thread; the callback only tries it.
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  uint64_t cutAt_ = 0;    // the end of the fade
  uint64_t flushTo_ = 0;  // where the sound continues
  size_t cutFade_ = 1;    // the length of the fade; shorter if less was queued

  std::atomic<float> volume_{1.0f};
  float gain_ = 1.0f;
  float last_ = 0.0f;      // the last sample before silence, from which the output fades
  size_t fadedIn_ = 0;     // progress of the fade-in after silence
  size_t fadedOut_ = 0;
  bool sounding_ = false;
  uint64_t silentRun_ = 0;  // samples of silence since the last sound

  // Excludes dropped samples, which the ring's read position includes. It decreases when a device has
  // discarded samples.
  std::atomic<uint64_t> played_{0};
  std::atomic<uint64_t> underruns_{0};
  std::atomic<uint64_t> missed_{0};
  std::atomic<uint64_t> sounded_{0};

  // A sequence lock: odd while the callback writes.
  std::atomic<uint32_t> sequence_{0};
  std::atomic<uint64_t> position_{0};
  std::atomic<uint64_t> soundedAt_{0};
  std::atomic<double> heardAt_{0};
};

}  // namespace parley
