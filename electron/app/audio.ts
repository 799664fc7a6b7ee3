import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import { DeviceLock } from '../audio/devices/device-lease.ts';
import {
  SoundDevices,
  type SoundDevicesOptions,
  type SoundOpeners,
} from '../audio/devices/sound-devices.ts';
import type { SoundDriver } from '../audio/devices/sound-driver.ts';
import { loadDemoSpeech } from '../platform/files/demo-speech.ts';
import { resourcesFolder } from './resources.ts';

/** The sound devices and the lock on them. Loads each part on first use. */
export class Audio {
  readonly driver: Pick<SoundDriver, 'devices'>;
  readonly devices: SoundOpeners;
  readonly lock = new DeviceLock();
  /** The phrase that the room test plays, at the output rate. */
  readonly roomPhrase = loadRoomPhrase;

  constructor(options: SoundDevicesOptions) {
    this.driver = options.driver;
    this.devices = new SoundDevices(options);
  }
}

/** Six seconds of speech: one to adapt to the room, the rest to judge it. */
const sentences = ['turns', 'hear'];
const pauseSamples = outputRate / 4;

/** Reads the phrase from the demonstration's clips. */
async function loadRoomPhrase(): Promise<Outcome<Float32Array>> {
  const folder = resourcesFolder('speech');
  const speech = await loadDemoSpeech(folder);
  if (!speech.ok) return speech;
  const clips = speech.value.clips.filter(({ id }) => sentences.includes(id));
  if (clips.length !== sentences.length)
    return failure('demonstrationBroken', {}, { detail: folder });
  const length = clips.reduce((sum, { audio }) => sum + audio.length + pauseSamples, 0);
  const phrase = new Float32Array(length - pauseSamples);
  let at = 0;
  for (const { audio } of clips) {
    phrase.set(audio, at);
    at += audio.length + pauseSamples;
  }
  return { ok: true, value: phrase };
}
