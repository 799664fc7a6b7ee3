import { describe, expect, it } from 'vitest';
import { seeded } from '../fakes/seeded.ts';
import { pass } from './inlet.ts';
import { pictureInlets } from './inlets/picture-inlets.ts';
import { soundInlets } from './inlets/sound-inlets.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';

/** Multiplies the number of inputs; `PARLEY_HOSTILE=20` takes minutes. */
const times = Number(process.env['PARLEY_HOSTILE'] ?? 1);
/** Random in every run; a failing test names it in its title. */
const seed = Math.floor(Math.random() * 1_000_000);
const timeout = 60_000 + times * 60_000;
/** Covers decoders' caches and uncollected garbage; a leak of one picture per decode would exceed it. */
const maxMegabytes = 400;

/** Pictures and voices take ten times as long as other sounds, so they get fewer inputs. */
const inlets = [
  ...pictureInlets.map((inlet) => ({ inlet, count: 200 })),
  ...soundInlets.map((inlet) => ({ inlet, count: inlet.name === 'voices' ? 100 : 500 })),
];

describe('corrupted bytes', () => {
  it.each(inlets.map(({ inlet, count }) => ({ name: inlet.name, inlet, count })))(
    `are accepted or refused with a message: $name (seed ${seed})`,
    { timeout },
    async ({ inlet, count }) => {
      const random = seeded(seed);
      const any = (): Uint8Array =>
        inlet.samples[Math.floor(random() * inlet.samples.length)] ?? new Uint8Array();
      const verdicts = [];
      for (const sample of inlet.samples) verdicts.push(await pass(inlet, sample));
      // An inlet that refuses everything would prove nothing. Corrupted PNGs may all be unreadable.
      expect(verdicts).toContain('accepted');
      const before = process.memoryUsage().rss;
      const found = { accepted: 0, refused: 0 };
      for (let n = 0; n < count * times; n += 1) {
        const bytes = mutateBytes(any(), random, any());
        try {
          found[await pass(inlet, bytes)] += 1;
        } catch (error) {
          expect.fail(`${Buffer.from(bytes).toString('base64')}\n${String(error)}`);
        }
      }
      const megabytes = Math.round((process.memoryUsage().rss - before) / 1_000_000);
      reportMeasurement(
        `${inlet.name}: ${found.accepted} accepted, ${found.refused} refused, ${megabytes} MB more`,
      );
      expect(megabytes).toBeLessThan(maxMegabytes);
    },
  );
});
