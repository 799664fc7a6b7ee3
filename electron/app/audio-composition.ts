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

/** The sound devices and the lock on them. */
export class AudioComposition {
  readonly driver: Pick<SoundDriver, 'devices'>;
  readonly devices: SoundOpeners;
  readonly lock = new DeviceLock();
  /** Reads the phrase that the room test plays, at `outputRate`. */
  readonly roomPhrase = loadRoomPhrase;

  constructor(options: SoundDevicesOptions) {
    this.driver = options.driver;
    this.devices = new SoundDevices(options);
  }
}

/**
 * The demonstration's clips that make up the phrase of the room test: six seconds of speech. The echo canceller adapts in
 * the first second; the test measures the rest.
 */
const phraseClipIds = ['turns', 'hear'];
const pauseSamples = outputRate / 4;

async function loadRoomPhrase(): Promise<Outcome<Float32Array>> {
  const folder = resourcesFolder('speech');
  const speech = await loadDemoSpeech(folder);
  if (!speech.ok) return speech;
  const clips = speech.value.clips.filter(({ id }) => phraseClipIds.includes(id));
  if (clips.length !== phraseClipIds.length)
    return failure('demonstrationBroken', {}, { detail: folder });
  const length = clips.reduce((sum, { audio }) => sum + audio.length + pauseSamples, 0);
  const phrase = new Float32Array(length - pauseSamples);
  let offset = 0;
  for (const { audio } of clips) {
    phrase.set(audio, offset);
    offset += audio.length + pauseSamples;
  }
  return { ok: true, value: phrase };
}
