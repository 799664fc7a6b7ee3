import { isDeviceNamed, isSameDevice } from '../../../shared/settings/audio-settings.ts';
import {
  failure,
  type Failure,
  type Outcome,
  describeError,
} from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type {
  CaptureListener,
  DeviceChoice,
  MicrophoneStream,
  SoundDevice,
  SoundDriver,
  SpeakerStream,
} from '../../audio/devices/sound-driver.ts';
import { timedOut } from '../system/system-clock.ts';
import {
  loadNativeSound,
  type NativeDevice,
  type NativeStream,
  type StreamPlan,
} from './portaudio-addon.ts';
import { type DeviceTable, DeviceTables } from './portaudio-device-tables.ts';
import {
  BlockReader,
  microphoneStream,
  type OpenDeviceStream,
  speakerStream,
} from './portaudio-streams.ts';

/** If opening fails and the table is older than this, devices are listed again. The limit doubles with each failure. */
const minRenewAfterMs = 250;
const maxRenewAfterMs = 5000;
/** The limit while no stream is open. It is lower, because listing the devices then disturbs nothing. */
const idleRenewAfterMs = 80;

/** The time limit for closing a stream, because a dead sound server can block it forever. */
const closeTimeoutMs = 400;

/** The sound driver of PortAudio, which is loaded on first use. */
export function createPortAudioDriver(): SoundDriver {
  const tables = new DeviceTables(loadNativeSound);
  const finder = new DeviceFinder();
  const openDevices = new Set<SoundDevice>();
  /** Runs all access to the device tables one after the other. */
  const queue = new SerialQueue();
  let renewAfterMs = minRenewAfterMs;

  return {
    // On Linux the ALSA default stays the same while the sound server changes the device behind it.
    systemMovesStreams: process.platform === 'linux',
    devices: () => queue.run(listDevices),
    openSpeaker: (choice, wantedRate) =>
      queue.run(() => openOrRenew((table) => openSpeaker(table, choice, wantedRate))),
    openMicrophone: (choice, wantedRate, listener) =>
      queue.run(() => openOrRenew((table) => openMicrophone(table, choice, wantedRate, listener))),
  };

  /** If opening fails, lists the devices again, because the device may have appeared since. */
  async function openOrRenew<Value>(
    openOn: (table: DeviceTable) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const startedAt = performance.now();
    const table = await tables.forStream();
    if (!table.ok) return table;
    const firstTry = await openOn(table.value);
    const age = startedAt - table.value.madeAt;
    if (firstTry.ok || age < (openDevices.size > 0 ? renewAfterMs : idleRenewAfterMs))
      return firstTry;
    if (openDevices.size > 0) renewAfterMs = Math.min(renewAfterMs * 2, maxRenewAfterMs);
    const renewed = await tables.renew();
    if (!renewed.ok) return renewed;
    const secondTry = await openOn(renewed.value);
    if (secondTry.ok) renewAfterMs = minRenewAfterMs;
    return secondTry;
  }

  async function listDevices(): Promise<Outcome<readonly SoundDevice[]>> {
    const table = await tables.renew();
    if (!table.ok) return table;
    return {
      ok: true,
      value: withOpenDevices(table.value.devices.map(toSoundDevice), openDevices),
    };
  }

  async function openSpeaker(
    table: DeviceTable,
    choice: DeviceChoice,
    wantedRate: number,
  ): Promise<Outcome<SpeakerStream>> {
    const { native } = table;
    const opened = await openOnCopy(table, 'output', choice, wantedRate, native.openSpeaker);
    return opened.ok ? { ok: true, value: speakerStream(native, opened.value) } : opened;
  }

  async function openMicrophone(
    table: DeviceTable,
    choice: DeviceChoice,
    wantedRate: number,
    listener: CaptureListener,
  ): Promise<Outcome<MicrophoneStream>> {
    const { native } = table;
    const reader = new BlockReader(native, listener);
    const opened = await openOnCopy(table, 'input', choice, wantedRate, (plan) =>
      native.openMicrophone(plan, BlockReader.blockSamples(plan.rate), reader.drain),
    );
    if (!opened.ok) return opened;
    const deviceStream = opened.value;
    reader.begin(deviceStream);
    const close = (): Promise<void> => {
      reader.stop();
      return deviceStream.close();
    };
    return { ok: true, value: microphoneStream(native, { ...deviceStream, close }) };
  }

  async function openOnCopy(
    { native, copy, devices }: DeviceTable,
    direction: Direction,
    choice: DeviceChoice,
    wantedRate: number,
    openNative: (plan: StreamPlan) => Promise<NativeStream>,
  ): Promise<Outcome<OpenDeviceStream>> {
    const found = finder.find(devices, direction, choice);
    if (!found.ok) return found;
    const opened = await openStream(copy, found.value, direction, wantedRate, async (plan) => {
      const opening = openNative(plan);
      const stream = await tables.run(copy, opening);
      // Closes a stream that opens after the timeout.
      if (stream === timedOut) void opening.then(native.close).catch(() => undefined);
      return stream;
    });
    if (!opened.ok) return opened;
    const { stream, rate } = opened.value;
    const device = toSoundDevice(found.value);
    const release = tables.countStream(copy);
    openDevices.add(device);
    const close = async (): Promise<void> => {
      openDevices.delete(device);
      const closing = native.close(stream);
      void closing.then(release, release);
      await tables.run(copy, closing, closeTimeoutMs);
    };
    return { ok: true, value: { stream, device, rate, close } };
  }
}

/** A card that Parley has opened exclusively is missing from the list, or its open direction is, so this adds them. */
export function withOpenDevices(
  listed: readonly SoundDevice[],
  open: Iterable<SoundDevice>,
): readonly SoundDevice[] {
  const devices = [...listed];
  for (const device of open) {
    const named = devices.filter((other) => isSameDevice(device, other));
    const has = (direction: Direction): boolean =>
      channelCount(device, direction) === 0 ||
      named.some((other) => channelCount(other, direction) > 0);
    const [other] = named;
    if (other === undefined) devices.push(device);
    else if (!has('input') || !has('output'))
      devices[devices.indexOf(other)] = {
        ...other,
        inputChannels: Math.max(other.inputChannels, device.inputChannels),
        outputChannels: Math.max(other.outputChannels, device.outputChannels),
      };
  }
  return devices;
}

function toSoundDevice(device: NativeDevice): SoundDevice {
  const { index: _, defaultInput, defaultOutput, ...others } = device;
  return { ...others, defaultInput: defaultInput === 1, defaultOutput: defaultOutput === 1 };
}

/** Callbacks of 10 ms, and 20 ms of sound in the device, measured as stable and low in latency. */
const callbacksPerSecond = 100;
const latencySeconds = 0.02;
/** The length of the ring buffers: the longest pause of the main thread without loss of sound. */
const ringSeconds = { input: 4, output: 10 } as const;

export interface OpenedStream {
  readonly stream: NativeStream;
  readonly rate: number;
}

/** Opens one channel at the requested rate, or what the device accepts. The caller converts the sound. */
async function openStream(
  copy: number,
  device: NativeDevice,
  direction: Direction,
  wantedRate: number,
  openNative: (plan: StreamPlan) => Promise<NativeStream | typeof timedOut>,
): Promise<Outcome<OpenedStream>> {
  const maxChannels = channelCount(device, direction);
  const channels = [...new Set([1, Math.min(2, maxChannels), maxChannels])];
  let refusal = '';
  // Rounded, because the resampler needs whole rates.
  for (const rate of new Set([wantedRate, Math.round(device.rate)])) {
    for (const count of channels) {
      try {
        const plan: StreamPlan = {
          copy,
          device: device.index,
          rate,
          channels: count,
          framesPerBuffer: Math.round(rate / callbacksPerSecond),
          latency: latencySeconds,
          ringSamples: rate * ringSeconds[direction],
        };
        const stream = await openNative(plan);
        if (stream !== timedOut) return { ok: true, value: { stream, rate } };
        return failure('deviceSilent', { device: device.name });
      } catch (error) {
        refusal = describeError(error);
      }
    }
  }
  return refused(device.name, refusal);
}

function refused(name: string, refusal: string): Failure {
  if (/unavailable|busy/i.test(refusal)) {
    return failure('deviceTaken', { device: name }, { detail: refusal });
  }
  return failure('deviceBroken', { device: name }, { detail: refusal });
}

type Direction = 'input' | 'output';

/** Finds the chosen device. A named device is never replaced by another. */
export function findDevice(
  devices: readonly NativeDevice[],
  direction: Direction,
  choice: DeviceChoice,
): Outcome<NativeDevice> {
  // If the list is empty, the sound server has usually stopped.
  if (devices.length === 0) return failure('soundServerGone');
  const usable = devices.filter((device) => channelCount(device, direction) > 0);
  if (choice === 'default') {
    const systemDefault = usable.find((device) =>
      direction === 'input' ? device.defaultInput === 1 : device.defaultOutput === 1,
    );
    const found = systemDefault ?? usable[0];
    if (found !== undefined) return { ok: true, value: found };
    return failure(direction === 'input' ? 'noMicrophone' : 'noSpeaker');
  }
  const found = usable.find(
    (device) =>
      isDeviceNamed(device, choice.name) &&
      (choice.hostApi === undefined || device.hostApi === choice.hostApi),
  );
  if (found !== undefined) return { ok: true, value: found };
  const device = choice.name;
  if (usable.length === 0) return failure('noDeviceCalled', { device });
  return failure('deviceMissing', {
    device,
    known: usable.map(({ name }) => `“${name}”`).join(', '),
  });
}

/** The name of ALSA's default device, which leads to the sound server where one runs. */
const alsaDefault = 'default';

/**
 * Finds devices as {@link findDevice} does, but keeps to ALSA's default device once that was there. Without it the sound server
 * has stopped, and PortAudio calls a card the default. The server could not use that card when it returns.
 */
export class DeviceFinder {
  readonly #known = new Set<Direction>();

  find(
    devices: readonly NativeDevice[],
    direction: Direction,
    choice: DeviceChoice,
  ): Outcome<NativeDevice> {
    const found = findDevice(devices, direction, choice);
    if (!found.ok || choice !== 'default') return found;
    if (found.value.name === alsaDefault) this.#known.add(direction);
    else if (this.#known.has(direction)) return failure('soundServerGone');
    return found;
  }
}

function channelCount(
  device: Pick<NativeDevice, 'inputChannels' | 'outputChannels'>,
  direction: Direction,
): number {
  return direction === 'input' ? device.inputChannels : device.outputChannels;
}
