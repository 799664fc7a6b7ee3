import { AdaptiveCanceller } from '../../electron/sound/echo/adaptive-canceller.ts';
import { VoiceModel } from '../../electron/sound/detection/voice-model.ts';
import { CaptureEnhancement } from '../../electron/sound/enhance/capture-enhancement.ts';
import { levelDb } from '../../electron/sound/dsp/level-db.ts';
import { inputRate } from '../../shared/protocol/protocol-limits.ts';
import type { Clearing } from '../../shared/settings/settings-groups.ts';
import { echoRoom } from '../fakes/echo-room.ts';
import { noiseKinds } from '../fakes/noises.ts';
import {
  noiseUnder,
  rankedRight,
  spokenScene,
  stepSamples,
  withNoise,
} from '../fakes/spoken-scene.ts';

const seconds = 20;
const block = inputRate / 50;

/** How surely a voice is told from noise, beside what its level tells; and what that and all that follows costs the processor. */
export function bench(): void {
  say(
    'Steps of 10 ms ranked rightly, of 100: by the detector, by level; at 20, 10, 5, 0 dB over the noise',
  );
  const scene = spokenScene();
  const all: Judged = { model: [], level: [], speaks: [] };
  for (const kind of [...noiseKinds, 'babble'] as const) {
    const noise = noiseUnder(scene, kind);
    const rows = [20, 10, 5, 0].map((snrDb) =>
      judged(withNoise(scene, noise, snrDb), scene.speaks),
    );
    for (const row of rows) {
      all.model.push(...row.model);
      all.level.push(...row.level);
      all.speaks.push(...row.speaks);
    }
    const by = (what: 'model' | 'level'): string =>
      rows.map((row) => percent(rankedRight(row[what], row.speaks))).join(' ');
    say(`  ${kind.padEnd(9)} ${by('model')}   ${by('level')}`);
  }
  say(
    `  all       ${percent(rankedRight(all.model, all.speaks))}   ${percent(rankedRight(all.level, all.speaks))}`,
  );

  say('Processor, in % of a core, while the speaker plays and somebody speaks');
  const { microphone, played } = echoRoom({ seed: 1, seconds, speaks: [[4, 16]] });
  const cost = (
    name: string,
    step: number,
    open: () => (from: number, to: number) => void,
  ): void => {
    const act = (): void => {
      const push = open();
      for (let from = 0; from + step <= microphone.length; from += step) push(from, from + step);
    };
    act();
    const before = process.cpuUsage();
    act();
    act();
    const { user, system } = process.cpuUsage(before);
    say(`  ${name.padEnd(26)} ${((user + system) / 1e4 / (2 * seconds)).toFixed(2)}`);
  };
  cost('echo canceller', stepSamples, () => {
    const canceller = new AdaptiveCanceller();
    return (from, to) => canceller.process(microphone.slice(from, to), played.slice(from, to));
  });
  cost('voice detector', block, () => {
    const model = new VoiceModel();
    return (from, to) => {
      model.push(microphone.subarray(from, to));
    };
  });
  const stages: readonly (readonly [Clearing, Clearing])[] = [
    ['off', 'strong'],
    ['gentle', 'off'],
    ['strong', 'strong'],
  ];
  for (const [noise, level] of stages)
    cost(`and noise ${noise}, level ${level}`, block, () => {
      const stage = new CaptureEnhancement(() => ({ noise, level }));
      return (from, to) => {
        stage.process(microphone.slice(from, to));
      };
    });
}

interface Judged {
  readonly model: number[];
  readonly level: number[];
  readonly speaks: boolean[];
}

function judged(sound: Float32Array, speaks: readonly boolean[]): Judged {
  const voice = new VoiceModel();
  const steps = Math.floor(sound.length / stepSamples);
  const made: Judged = { model: [], level: [], speaks: speaks.slice(0, steps) };
  for (let step = 0; step < steps; step += 1) {
    const part = sound.subarray(step * stepSamples, (step + 1) * stepSamples);
    voice.push(part);
    made.model.push(voice.likelihood);
    made.level.push(levelDb(part));
  }
  return made;
}

function percent(share: number): string {
  return (100 * share).toFixed(1).padStart(5);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
