// Fuzzes the addon with samples and sizes: its ring against a plain list, and speaker and microphone on a fake device
// with a simulated clock. No input may cause access out of bounds, an output that is not finite, or a lost sample.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include "microphone.h"
#include "speaker.h"

static uint64_t clockMs = 1;

// Replaces the standard clock, by which the addon judges whether a device is too fast.
std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  return time_point(std::chrono::milliseconds(clockMs));
}

namespace {

using parley::Microphone;
using parley::Ring;
using parley::Speaker;

void expect(bool holds) {
  if (!holds) abort();
}

class Given {
 public:
  Given(const uint8_t* data, size_t size) : data_(data), left_(size) {}
  bool over() const { return left_ == 0; }
  uint8_t byte() { return left_ == 0 ? 0 : (--left_, *data_++); }
  size_t size(size_t most) { return (byte() | static_cast<size_t>(byte()) << 8) % (most + 1); }
  float sample() {
    uint32_t bits = 0;
    for (int at = 0; at < 4; ++at) bits = bits << 8 | byte();
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  // Repeats a few samples: only their number, and which are not finite, matters.
  std::vector<float> samples(size_t count) {
    const float few[] = {sample(), sample(), 0.5f};
    std::vector<float> all(count);
    for (size_t at = 0; at < count; ++at) all[at] = few[at % 3];
    return all;
  }

 private:
  const uint8_t* data_;
  size_t left_;
};

// The fake device, whose callback the fuzzer calls.
PaStreamCallback* called;
void* callee;
const PaStreamInfo info{1, 0.02, 0.02, 48000};

struct Device : parley::PortAudio {
  Device() {
  loaded = true;
  errorText = [](PaError) { return "It is broken."; };
  openStream = [](PaStream** stream, const PaStreamParameters*, const PaStreamParameters*, double, unsigned long,
                        PaStreamFlags, PaStreamCallback* callback, void* self) -> PaError {
    *stream = self;
    called = callback;
    callee = self;
    return paNoError;
  };
  startStream = [](PaStream*) -> PaError { return paNoError; };
  abortStream = [](PaStream*) -> PaError { return paNoError; };
  closeStream = [](PaStream*) -> PaError { return paNoError; };
  isStreamActive = [](PaStream*) -> PaError { return 1; };
  streamTime = [](PaStream*) -> PaTime { return static_cast<double>(clockMs) / 1000; };
  streamInfo = [](PaStream*) { return &info; };
  }
};

void fuzzRing(Given& given) {
  Ring ring(1 + given.size(300));
  std::deque<float> plain;
  size_t takenLast = 0;
  float number = 0;
  while (!given.over()) {
    const uint8_t what = given.byte() % 4;
    const size_t count = given.size(400);
    if (what == 0) {
      std::vector<float> fresh(count);
      for (float& each : fresh) each = number++;
      const size_t room = ring.room();
      const size_t written = ring.write(fresh.data(), count);
      expect(written == std::min(count, room));
      plain.insert(plain.end(), fresh.begin(), fresh.begin() + static_cast<long>(written));
      number -= static_cast<float>(count - written);
      takenLast = 0;
    } else if (what == 1) {
      std::vector<float> into(count);
      takenLast = ring.take(into.data(), count);
      expect(takenLast == std::min(count, plain.size()));
      for (size_t at = 0; at < takenLast; ++at) expect(into[at] == plain[at]);
      plain.erase(plain.begin(), plain.begin() + static_cast<long>(takenLast));
    } else if (what == 2) {
      const size_t skipped = std::min(count, plain.size());
      ring.skipTo(ring.read() + skipped);
      plain.erase(plain.begin(), plain.begin() + static_cast<long>(skipped));
      takenLast = 0;
    } else if (takenLast > 0) {
      ring.putBack(takenLast);
      for (size_t at = takenLast; at > 0; --at) plain.push_front((number - static_cast<float>(plain.size())) - 1);
      takenLast = 0;
    }
    expect(ring.queued() == plain.size());
    if (number > 1e6f) break;
  }
  ring.release();
  expect(ring.room() == 0 && ring.queued() == 0);
}

unsigned long runSpeaker(size_t frames, int channels) {
  std::vector<float> out(frames * static_cast<size_t>(channels), 7.0f);
  const PaStreamCallbackTimeInfo time{0, 0, static_cast<double>(clockMs) / 1000};
  expect(called(nullptr, out.data(), frames, &time, 0, callee) == paContinue);
  for (const float each : out) expect(std::isfinite(each));
  return frames;
}

void fuzzSpeaker(Given& given) {
  Device audio;
  const int channels = 1 + given.byte() % 8;
  const double rate = 1000 + 7.0 * given.size(1000);
  const auto room = 1024 + given.size(8000);
  Speaker speaker({&audio, 0, rate, channels, given.size(2000), given.byte() / 25.5, room});
  expect(speaker.open().empty());
  uint64_t accepted = 0, dropped = 0;
  while (!given.over()) {
    const uint8_t what = given.byte() % 8;
    if (what <= 1) {
      const std::vector<float> samples = given.samples(given.size(4000));
      const size_t written = speaker.write(samples.data(), samples.size());
      expect(written <= samples.size());
      accepted += written;
    } else if (what <= 4) {
      const size_t frames = given.size(3000);
      runSpeaker(frames, channels);
      if (what > 2) clockMs += static_cast<uint64_t>(static_cast<double>(frames) * 1000 / rate);
    } else if (what == 5) {
      dropped += speaker.flush().dropped;
    } else if (what == 6) {
      speaker.setVolume(static_cast<float>(given.byte()) / 16);
      clockMs += given.size(5000);
    } else {
      std::vector<float> heard(given.size(9000));
      const size_t took = speaker.takeHistory(heard.data(), heard.size());
      expect(took <= heard.size());
      for (size_t at = 0; at < took; ++at) expect(std::isfinite(heard[at]));
    }
    expect(speaker.played() + dropped <= accepted);
    expect(speaker.playhead().position <= accepted + (1u << 30));
  }
  // Finally a device at the right speed plays the rest, and each sample was either played or reported as dropped.
  for (int left = 0; left < 2000 && speaker.queued() > 0; ++left) {
    clockMs += 1 + static_cast<uint64_t>(200.0 * 1000 / rate);
    runSpeaker(std::min<size_t>(200, static_cast<size_t>(rate / 20)), channels);
  }
  if (speaker.queued() == 0) expect(speaker.played() + dropped == accepted);
  speaker.close();
  speaker.release();
  std::vector<float> late(10);
  expect(speaker.write(late.data(), late.size()) == 0);
}

void fuzzMicrophone(Given& given) {
  Device audio;
  const int channels = 1 + given.byte() % 8;
  const auto room = 1024 + given.size(8000);
  uint64_t woken = 0;
  Microphone microphone({&audio, 0, 48000, channels, 480, 0.1, room}, 1 + given.size(2000), [&woken] { ++woken; });
  expect(microphone.open().empty());
  uint64_t captured = 0;
  while (!given.over()) {
    const uint8_t what = given.byte() % 3;
    const size_t frames = given.size(3000);
    if (what < 2) {
      const std::vector<float> in = given.samples(frames * static_cast<size_t>(channels));
      const PaStreamCallbackTimeInfo time{given.sample(), 0, 0};
      const void* samples = what == 0 ? in.data() : nullptr;
      expect(called(samples, nullptr, frames, &time, 0, callee) == paContinue);
      captured += frames;
    } else {
      std::vector<float> into(frames);
      const size_t took = microphone.take(into.data(), frames);
      expect(took <= frames);
      for (size_t at = 0; at < took; ++at) expect(parley::isSound(into[at]));
    }
    expect(microphone.taken() + microphone.queued() + microphone.lost() == captured);
  }
  microphone.close();
  microphone.release();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Given given(data, size);
  clockMs = 1000;
  const uint8_t what = given.byte() % 4;
  if (what == 0) fuzzRing(given);
  else if (what == 1) fuzzMicrophone(given);
  else fuzzSpeaker(given);
  return 0;
}
