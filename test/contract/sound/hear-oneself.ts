// Runs in its own process: plays a file of 24 kHz samples into the microphone and records the user’s own sound.
import { readFile } from 'node:fs/promises';
import {
  judgeOwnSound,
  type OwnSound,
  OwnSoundRecording,
} from '../../../electron/audio/devices/sound-controller.ts';
import { SoundDevices } from '../../../electron/audio/devices/sound-devices.ts';
import { blockLevels } from '../../../electron/audio/dsp/loudness.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import type { OwnSoundVerdict, OwnSoundVersion } from '../../../shared/audio/sound-tests.ts';
import { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { quantile } from '../../../shared/statistics.ts';
import { FakeLog } from '../../fakes/fake-log.ts';

interface VoiceLevels {
  /** Percentiles of the levels of 20 ms blocks, in dBFS: the 10th, the 85th, and the 85th of the last two seconds. */
  readonly roomDb: number;
  readonly voiceDb: number;
  readonly lastVoiceDb: number;
}

export interface HeardOneself extends Readonly<Record<OwnSoundVersion, VoiceLevels>> {
  readonly verdict: OwnSoundVerdict;
  /** Similarity of the loud parts at the best shift; 1 is equal except for the level. */
  readonly alike: number;
  readonly laterMs: number;
}

export async function run(file = ''): Promise<void> {
  const bytes = await readFile(file);
  const speech = new Float32Array(new Uint8Array(bytes).buffer);
  const lifetime = new Lifetime('hear oneself');
  const devices = new SoundDevices({
    clock: systemClock,
    lifetime,
    log: new FakeLog(),
    driver: createPortAudioDriver(),
    enhancement: () => ({ noise: 'strong', level: 'strong' }),
  });
  const speaker = await devices.openSpeaker('default', () => undefined);
  // The card needs this time to resume.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  speaker.write(speech);
  const recording = new OwnSoundRecording({
    devices,
    audio: () => ({ microphone: 'default', inputVolume: 1 }),
  });
  const finished = await recording.finished;
  await lifetime.end();
  if (finished?.ok !== true) throw new Error('Nothing was recorded.');
  const sound = finished.value;
  const heard: HeardOneself = {
    captured: measureVoice(sound.captured),
    sent: measureVoice(sound.sent),
    verdict: judgeOwnSound(sound),
    ...likeness(sound),
  };
  process.stdout.write(`${JSON.stringify(heard)}\n`);
}

function measureVoice(sound: Float32Array): VoiceLevels {
  const levels = blockLevels(sound, inputRate);
  return {
    roomDb: quantile(levels, 0.1),
    voiceDb: quantile(levels, 0.85),
    lastVoiceDb: quantile(blockLevels(sound.subarray(-2 * inputRate), inputRate), 0.85),
  };
}

/** Compares every 200 ms separately, because levels change, and uses the louder half. */
function likeness({ captured, sent }: OwnSound): { alike: number; laterMs: number } {
  const length = inputRate / 5;
  let best = { alike: -1, laterMs: 0 };
  for (let later = 0; later <= inputRate / 50; later += 1) {
    const parts: { readonly power: number; readonly alike: number }[] = [];
    for (let from = 0; from + length + later <= sent.length; from += length) {
      let [both, one, other] = [0, 1e-12, 1e-12];
      for (let n = from; n < from + length; n += 1) {
        const [a, b] = [captured[n] ?? 0, sent[n + later] ?? 0];
        both += a * b;
        one += a * a;
        other += b * b;
      }
      parts.push({ power: one, alike: both / Math.sqrt(one * other) });
    }
    const loud = parts.toSorted((a, b) => b.power - a.power).slice(0, parts.length >> 1);
    const alike = loud.reduce((sum, part) => sum + part.alike, 0) / loud.length;
    if (alike > best.alike) best = { alike, laterMs: (later * 1000) / inputRate };
  }
  return best;
}
