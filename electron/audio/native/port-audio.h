// PortAudio's library, loaded several times. It lists devices only as it starts, and a restart ends its
// streams, so another copy lists devices.
#pragma once
#include <portaudio.h>
#include <mutex>
#include <string>
#include <vector>

namespace parley {

// On Linux each stream has a copy to itself (portaudio-device-tables.ts says why). Six suffice for the
// streams of a talk, a recording and a meter, and for a copy that lists devices.
constexpr int copyCount = 6;

class Stream;

struct Device {
  int index;
  std::string name;
  std::string hostApi;
  int inputChannels;
  int outputChannels;
  double rate;
  bool defaultInput;
  bool defaultOutput;
};

// One copy of the library: its functions and its state.
struct PortAudio {
  // PortAudio may be used from one thread at a time for opening, closing and listing. Copies are independent.
  std::mutex lock;
  bool loaded = false;
  // Number of starts without an end.
  int started = 0;
  // Open streams; ending PortAudio ends them.
  std::vector<Stream*> streams;

  decltype(&Pa_Initialize) initialize = nullptr;
  decltype(&Pa_Terminate) terminate = nullptr;
  decltype(&Pa_GetErrorText) errorText = nullptr;
  decltype(&Pa_GetDeviceCount) deviceCount = nullptr;
  decltype(&Pa_GetDeviceInfo) deviceInfo = nullptr;
  decltype(&Pa_GetHostApiInfo) hostApiInfo = nullptr;
  decltype(&Pa_GetDefaultInputDevice) defaultInput = nullptr;
  decltype(&Pa_GetDefaultOutputDevice) defaultOutput = nullptr;
  decltype(&Pa_OpenStream) openStream = nullptr;
  decltype(&Pa_StartStream) startStream = nullptr;
  decltype(&Pa_AbortStream) abortStream = nullptr;
  decltype(&Pa_CloseStream) closeStream = nullptr;
  decltype(&Pa_IsStreamActive) isStreamActive = nullptr;
  decltype(&Pa_GetStreamTime) streamTime = nullptr;
  decltype(&Pa_GetStreamInfo) streamInfo = nullptr;
};

// Returns the copy, loaded or not; null if the number is invalid.
PortAudio* portAudioCopy(int number);

// Loads and starts the copy and lists its devices. Returns an error text, empty on success. Both functions run
// on a worker thread, because a sound server may be slow.
std::string startPortAudio(int number, std::vector<Device>& devices);
void stopPortAudio(int number);

}  // namespace parley
