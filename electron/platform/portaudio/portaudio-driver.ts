import { isSameDevice } from '../../../shared/audio/listed-device.ts';
import type { Outcome } from '../../../shared/errors/app-error.ts';
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
  type NativeSound,
  type NativeStream,
  type StreamPlan,
} from './portaudio-addon.ts';
import { type DeviceTable, DeviceTables } from './portaudio-device-tables.ts';
import { type Direction, findDevice, openStream } from './portaudio-open-stream.ts';
import {
  BlockReader,
  microphoneStream,
  type OpenDeviceStream,
  speakerStream,
} from './portaudio-streams.ts';

/** How often devices are looked for anew for one that cannot be opened: at first, and in the end. */
const minPatienceMs = 250;
const maxPatienceMs = 5000;
/** The same while nothing sounds: nothing is disturbed, and somebody waits. */
const eagerPatienceMs = 80;

/** A dead sound server can hold a close up for ever; then it is left behind and the app goes on. */
const closeTimeoutMs = 400;

/** PortAudio, loaded and initialized when it is first needed. */
export function createPortAudioDriver(load: () => NativeSound = loadNativeSound): SoundDriver {
  const tables = new DeviceTables(load);
  const open = new Set<SoundDevice>();
  /** Two must not look for devices at the same time. */
  const queue = new SerialQueue();
  let patienceMs = minPatienceMs;

  return {
    // ALSA has one name for it, behind which sound servers change the device.
    systemMovesStreams: process.platform === 'linux',
    devices: () => queue.run(listDevices),
    openSpeaker: (choice, wantedRate) =>
      queue.run(() => openOrRenew((table) => openSpeaker(table, choice, wantedRate))),
    openMicrophone: (choice, wantedRate, listener) =>
      queue.run(() => openOrRenew((table) => openMicrophone(table, choice, wantedRate, listener))),
  };

  /** A device that cannot be opened may have come, or come back, since they were listed. */
  async function openOrRenew<Value>(
    openOne: (table: DeviceTable) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const began = performance.now();
    const table = await tables.forStream();
    if (!table.ok) return table;
    const first = await openOne(table.value);
    const age = began - table.value.madeAt;
    if (first.ok || age < (open.size > 0 ? patienceMs : eagerPatienceMs)) return first;
    if (open.size > 0) patienceMs = Math.min(patienceMs * 2, maxPatienceMs);
    const renewed = await tables.renew();
    if (!renewed.ok) return renewed;
    const second = await openOne(renewed.value);
    if (second.ok) patienceMs = minPatienceMs;
    return second;
  }

  async function listDevices(): Promise<Outcome<readonly SoundDevice[]>> {
    const table = await tables.renew();
    if (!table.ok) return table;
    const devices = table.value.devices.map(deviceOf);
    // A card that only one may use shows itself to nobody else, not even to us.
    const hidden = [...open].filter((one) => !devices.some((other) => isSameDevice(one, other)));
    return { ok: true, value: [...devices, ...hidden] };
  }

  async function openSpeaker(
    table: DeviceTable,
    choice: DeviceChoice,
    wantedRate: number,
  ): Promise<Outcome<SpeakerStream>> {
    const { native } = table;
    const held = await openHeld(table, 'output', choice, wantedRate, native.openSpeaker);
    return held.ok ? { ok: true, value: speakerStream(native, held.value) } : held;
  }

  async function openMicrophone(
    table: DeviceTable,
    choice: DeviceChoice,
    wantedRate: number,
    listener: CaptureListener,
  ): Promise<Outcome<MicrophoneStream>> {
    const { native } = table;
    const reader = new BlockReader(native, listener);
    const held = await openHeld(table, 'input', choice, wantedRate, (plan) =>
      native.openMicrophone(plan, BlockReader.blockSamples(plan.rate), reader.drain),
    );
    if (!held.ok) return held;
    const opened = held.value;
    reader.begin(opened);
    const close = (): Promise<void> => {
      reader.stop();
      return opened.close();
    };
    return { ok: true, value: microphoneStream(native, { ...opened, close }) };
  }

  async function openHeld(
    { native, copy, devices }: DeviceTable,
    direction: Direction,
    choice: DeviceChoice,
    wantedRate: number,
    openNative: (plan: StreamPlan) => Promise<NativeStream>,
  ): Promise<Outcome<OpenDeviceStream>> {
    const found = findDevice(devices, direction, choice);
    if (!found.ok) return found;
    const opened = await openStream(copy, found.value, direction, wantedRate, async (plan) => {
      const opening = openNative(plan);
      const stream = await tables.run(copy, opening);
      // Nobody waits for it any more when it comes.
      if (stream === timedOut) void opening.then(native.close).catch(() => undefined);
      return stream;
    });
    if (!opened.ok) return opened;
    const { stream, rate } = opened.value;
    const device = deviceOf(found.value);
    const release = tables.hold(copy);
    open.add(device);
    const close = async (): Promise<void> => {
      open.delete(device);
      const closing = native.close(stream);
      void closing.then(release, release);
      await tables.run(copy, closing, closeTimeoutMs);
    };
    return { ok: true, value: { stream, device, rate, close } };
  }
}

function deviceOf(device: NativeDevice): SoundDevice {
  const { index: _, defaultInput, defaultOutput, ...rest } = device;
  return { ...rest, defaultInput: defaultInput === 1, defaultOutput: defaultOutput === 1 };
}
