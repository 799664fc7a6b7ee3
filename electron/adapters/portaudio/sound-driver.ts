import { describeError } from '../../describe-error.ts';
import type {
  DeviceChoice,
  MicrophoneStream,
  Outcome,
  SoundDevice,
  SoundDriver,
  SpeakerStream,
} from '../../ports.ts';
import { boundedClose } from './close-stream.ts';
import { findDevice } from './find-device.ts';
import { drain, microphoneStream } from './microphone-stream.ts';
import { loadNativeSound } from './native-sound.ts';
import type { NativeDevice, NativeSound, NativeStream } from './native-sound.ts';
import { openStream } from './open-stream.ts';
import { speakerStream } from './speaker-stream.ts';

const blocksPerSecond = 50;

/** How long a device that cannot be opened waits before others are disturbed to look for it. */
const leastPatienceMs = 1000;
const mostPatienceMs = 60_000;

interface Ready {
  readonly native: NativeSound;
}

/** One after the other: PortAudio's table of devices changes under nobody's hands. */
function createQueue(): <Value>(task: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next;
    return next;
  };
}

/** PortAudio, loaded and initialized when it is first needed. */
export function createSoundDriver(load: () => NativeSound = loadNativeSound): SoundDriver {
  let ready: Promise<Outcome<Ready>> | undefined;
  const open = new Set<NativeStream>();
  const inTurn = createQueue();
  let lookedAt = 0;
  let patienceMs = leastPatienceMs;

  function prepare(): Promise<Outcome<Ready>> {
    ready ??= look();
    return ready;
  }

  function look(): Promise<Outcome<Ready>> {
    lookedAt = performance.now();
    return initialize(load);
  }

  function closing(native: NativeSound) {
    const close = boundedClose(native);
    return (stream: NativeStream) => {
      open.delete(stream);
      return close(stream);
    };
  }

  async function refresh(): Promise<Outcome<undefined>> {
    const prepared = await prepare();
    if (!prepared.ok) {
      // What could not be loaded may be there now.
      ready = undefined;
      return prepared;
    }
    const { native } = prepared.value;
    const close = closing(native);
    await Promise.all([...open].map(close));
    await native.terminate();
    ready = look();
    const again = await ready;
    return again.ok ? { ok: true, value: undefined } : again;
  }

  return {
    refresh: () => inTurn(refresh),
    devices: () => inTurn(listDevices),
    openSpeaker: (choice, wantedRate) =>
      inTurn(() => orAnew(() => openSpeaker(choice, wantedRate))),
    openMicrophone: (choice, wantedRate, hear) =>
      inTurn(() => orAnew(() => openMicrophone(choice, wantedRate, hear))),
  };

  /**
   * PortAudio knows the devices of its start, and a sound server that is only half there then shows
   * half of them for ever. So it looks again: at once where that ends no stream, else ever more rarely.
   */
  async function orAnew<Value>(openOne: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    const first = await openOne();
    if (first.ok) return first;
    const ends = open.size > 0;
    if (ends && performance.now() - lookedAt < patienceMs) return first;
    if (ends) patienceMs = Math.min(patienceMs * 2, mostPatienceMs);
    const renewed = await refresh();
    if (!renewed.ok) return renewed;
    const second = await openOne();
    if (second.ok) patienceMs = leastPatienceMs;
    return second;
  }

  async function listDevices(): Promise<Outcome<readonly SoundDevice[]>> {
    // A table that was just made, or that streams stand on, is left as it is.
    const renews = ready !== undefined && open.size === 0;
    const renewed = renews ? await refresh() : undefined;
    if (renewed?.ok === false) return renewed;
    const prepared = await prepare();
    if (!prepared.ok) return prepared;
    return { ok: true, value: prepared.value.native.devices().map(deviceOf) };
  }

  async function openSpeaker(
    choice: DeviceChoice,
    wantedRate: number,
  ): Promise<Outcome<SpeakerStream>> {
    const prepared = await prepare();
    if (!prepared.ok) return prepared;
    const { native } = prepared.value;
    const device = findDevice(native.devices(), 'output', choice);
    if (!device.ok) return device;
    const opened = await openStream(device.value, 'output', wantedRate, native.openSpeaker);
    if (!opened.ok) return opened;
    const { stream, rate } = opened.value;
    open.add(stream);
    const value = speakerStream(native, stream, deviceOf(device.value), rate, closing(native));
    return { ok: true, value };
  }

  async function openMicrophone(
    choice: DeviceChoice,
    wantedRate: number,
    hear: (block: Float32Array) => void,
  ): Promise<Outcome<MicrophoneStream>> {
    const prepared = await prepare();
    if (!prepared.ok) return prepared;
    const { native } = prepared.value;
    const device = findDevice(native.devices(), 'input', choice);
    if (!device.ok) return device;
    let listening: NativeStream | undefined;
    const opened = await openStream(device.value, 'input', wantedRate, (plan) => {
      const blockSamples = Math.round(plan.rate / blocksPerSecond);
      return native.openMicrophone(plan, blockSamples, () => {
        if (listening !== undefined) drain(native, listening, blockSamples, hear);
      });
    });
    if (!opened.ok) return opened;
    const { stream, rate } = opened.value;
    listening = stream;
    open.add(stream);
    const close = closing(native);
    const value = microphoneStream(native, stream, deviceOf(device.value), rate, (closed) => {
      listening = undefined;
      return close(closed);
    });
    return { ok: true, value };
  }
}

async function initialize(load: () => NativeSound): Promise<Outcome<Ready>> {
  try {
    const native = load();
    await native.initialize();
    return { ok: true, value: { native } };
  } catch (error) {
    return { ok: false, problem: `There is no sound (${describeError(error)}): reinstall Parley.` };
  }
}

function deviceOf(device: NativeDevice): SoundDevice {
  const { index: _, defaultInput, defaultOutput, ...rest } = device;
  return { ...rest, defaultInput: defaultInput === 1, defaultOutput: defaultOutput === 1 };
}
