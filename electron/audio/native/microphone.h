// Collects the samples of a device in a ring and wakes the reader.
#pragma once
#include <atomic>
#include <functional>
#include "ring.h"
#include "stream.h"

namespace parley {

class Microphone : public Stream {
 public:
  // `wake` is called on the device's thread and must not block.
  Microphone(const StreamPlan& plan, size_t blockSamples, std::function<void()> wake);

  size_t take(float* into, size_t count) { return ring_.take(into, count); }
  size_t queued() const { return ring_.queued(); }
  uint64_t taken() const { return ring_.read(); }
  uint64_t captured() const { return ring_.written(); }
  // Samples lost because the reader fell behind by the length of the ring.
  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

  // Samples that were not valid and were replaced with silence.
  uint64_t repaired() const { return repaired_.load(std::memory_order_relaxed); }

  // The capture time of the sample at `position`, taken from the newest block.
  struct Mark {
    uint64_t position;
    double capturedAt;
  };
  Mark mark() const;

 protected:
  PaError openStream(PaStream** stream) override;
  double latencyOf(const PaStreamInfo& info) const override { return info.inputLatency; }
  void releaseRings() override { ring_.release(); }

 private:
  static int callback(const void* input, void*, unsigned long frames,
                      const PaStreamCallbackTimeInfo* time, PaStreamCallbackFlags, void* self);

  Ring ring_;
  const size_t block_;
  std::function<void()> wake_;
  std::atomic<uint64_t> lost_{0};
  std::atomic<uint64_t> repaired_{0};
  std::atomic<uint32_t> sequence_{0};
  std::atomic<uint64_t> position_{0};
  std::atomic<double> capturedAt_{0};
};

}  // namespace parley
