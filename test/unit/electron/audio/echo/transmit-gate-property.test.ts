import { describe, expect, it } from 'vitest';
import type {
  TransmitGate,
  TransmitMode,
} from '../../../../../electron/audio/capture/transmit-gate.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { gateScene, rate } from './transmit-gate-scene.ts';

const modes: readonly TransmitMode[] = ['open', 'hold', 'hold', 'closed'];
const preRoll = 8000;
const fade = 80;
const maxAhead = 48_000;

/** Random actions of user and program, with blocks of any length in between. */
function play(seed: number, scene: ReturnType<typeof gateScene>, after: () => void) {
  const random = seeded(seed);
  const acts: readonly ((gate: TransmitGate) => void)[] = [
    (gate) => {
      gate.setPressed(random() < 0.5);
    },
    (gate) => {
      gate.setMuted(random() < 0.3);
    },
    (gate) => {
      gate.setMode(modes[Math.floor(random() * modes.length)] ?? 'hold');
    },
    (gate) => {
      gate.setAnswering(random() < 0.5);
    },
  ];
  for (let step = 0; step < 120; step += 1) {
    acts[Math.floor(random() * 7)]?.(scene.gate);
    const maxBlock = random() < 0.3 ? 4000 : 330;
    scene.pushAudio(Math.floor(random() * maxBlock));
    after();
  }
}

describe('the transmit gate under random actions', () => {
  const seeds = Array.from({ length: randomRuns(60) }, (_, seed) => seed);

  it('emits its input plus its lead, which is bounded and balanced', () => {
    for (const seed of seeds) {
      const scene = gateScene('hold');
      const { gate } = scene;
      play(seed, scene, () => {
        expect(scene.ahead).toBeGreaterThanOrEqual(0);
        expect(scene.ahead).toBeLessThanOrEqual(maxAhead + preRoll);
      });
      gate.setMuted(true);
      gate.setAnswering(false);
      scene.pushAudio(6 * rate);
      expect(scene.ahead).toBe(0);
    }
  });

  it('makes no clicks', () => {
    for (const seed of seeds) {
      const scene = gateScene('hold', () => 1);
      play(seed, scene, () => undefined);
      let steepest = 0;
      let before = 0;
      for (const sample of scene.out) {
        steepest = Math.max(steepest, Math.abs(sample - before));
        before = sample;
      }
      expect(steepest).toBeLessThan(Math.PI / 2 / fade + 1e-4);
    }
  });

  it('emits every unmuted sample at most once and in order', () => {
    for (const seed of seeds) {
      const gains = gateScene('hold', () => 1);
      play(seed, gains, () => undefined);
      const scene = gateScene('hold');
      const secret = new Set<number>();
      let mutedSince: number | undefined;
      const spy = scene.gate.setMuted.bind(scene.gate);
      scene.gate.setMuted = (muted) => {
        if (muted) mutedSince ??= scene.taken;
        else if (mutedSince !== undefined) {
          for (let n = mutedSince + fade + 1; n <= scene.taken; n += 1) secret.add(n);
          mutedSince = undefined;
        }
        spy(muted);
      };
      play(seed, scene, () => undefined);
      scene.gate.setMuted(false);
      let newest = 0;
      let heard = 0;
      for (const [at, sample] of scene.out.entries()) {
        const gain = gains.out[at] ?? 0;
        if (gain === 0) continue;
        const index = Math.round(sample / gain);
        if (index <= newest || secret.has(index)) expect.unreachable(`${index} after ${newest}`);
        newest = index;
        heard += 1;
      }
      expect(heard).toBeGreaterThan(1000);
    }
  });
});
