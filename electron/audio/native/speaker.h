// Plays what is in a ring. The callback never waits: where there is nothing it plays silence.
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

  // Queues what there is room for. Samples that are no sound are made silence and counted.
  size_t write(const float* from, size_t count);

  struct Flushed {
    uint64_t played;   // samples that have been or will be handed to the device, the fade included
    uint64_t dropped;  // samples that will not, and were not told of before
  };
  // Everything queued so far is dropped after a fade of 5 ms.
  Flushed flush();

  void setVolume(float volume) { volume_.store(volume, std::memory_order_relaxed); }

  uint64_t played() const { return played_.load(std::memory_order_acquire); }
  size_t queued() const { return ring_.queued(); }
  uint64_t underruns() const { return underruns_.load(std::memory_order_relaxed); }
  uint64_t missed() const { return missed_.load(std::memory_order_relaxed); }
  uint64_t repaired() const { return repaired_; }

  // Where the newest block stands: `position` samples had been played when, at `heardAt` of the
  // stream's clock, its first sample leaves the device.
  struct Playhead {
    uint64_t position;
    double heardAt;
    uint64_t sounded;  // the same for what went out, silence included
  };
  Playhead playhead() const;

  // What really went out, silence included, for whoever has to know what the microphone hears. Where
  // nobody asked for longer than is kept, it begins anew.
  size_t takeHistory(float* into, size_t count);
  // The place, in all that went out, of the sample that is taken next.
  uint64_t historyAt() const { return history_.read() + historyShift_.load(std::memory_order_acquire); }

 protected:
  PaError openStream(PaStream** stream) override;
  double latencyOf(const PaStreamInfo& info) const override { return info.outputLatency; }
  void opened() override;
  void releaseRings() override {
    ring_.release();
    history_.release();
  }

 private:
  static int callback(const void*, void* output, unsigned long frames,
                      const PaStreamCallbackTimeInfo* time, PaStreamCallbackFlags, void* self);
  void keepHistory(const float* mono, size_t count, uint64_t place);
  bool throwsAway(size_t frames);
  size_t mostPutBack() const;
  void fill(float* mono, size_t frames);
  void mark(uint64_t position, uint64_t sounded, size_t frames, double heardAt);
  size_t fillUpTo(uint64_t end, float* mono, size_t frames);
  void finishFlush();
  void takeBack();
  void trackUnderrun(size_t got, size_t frames);

  Allowance allowance_;
  std::atomic<bool> withheld_{false};  // nothing is given at present
  size_t givenSince_ = 0;  // the device last kept step; as many at most as can be put back
  Ring ring_;
  Ring history_;
  std::atomic<bool> historyFull_{false};
  bool historyStopped_ = false;
  std::atomic<uint64_t> historyShift_{0};
  const size_t fade_;
  std::vector<float> mono_;
  uint64_t repaired_ = 0;

  // Held for nanoseconds by the thread that flushes; the callback only ever tries it.
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  uint64_t cutAt_ = 0;    // the fade ends here…
  uint64_t flushTo_ = 0;  // …and the sound goes on here
  size_t cutFade_ = 1;    // how long the fade is: less where less was queued

  std::atomic<float> volume_{1.0f};
  float gain_ = 1.0f;
  float last_ = 0.0f;      // the last sample before silence, faded away instead of cut
  size_t fadedIn_ = 0;     // how far the sound after a silence has come in
  size_t fadedOut_ = 0;
  bool sounding_ = false;
  uint64_t silentRun_ = 0;  // samples of silence since the last sound

  // What the ring has let go is more: samples that were dropped are in that count, too. It goes back where
  // a device has thrown away what it was given.
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
