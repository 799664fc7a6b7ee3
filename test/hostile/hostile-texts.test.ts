import { describe, expect, it } from 'vitest';
import { seeded } from '../fakes/seeded.ts';
import { mutateFrame } from '../unit/shared/protocol/mutate-frame.ts';
import { commandInlet } from './inlets/command-inlet.ts';
import { pass } from './inlet.ts';
import type { Inlet } from './inlet.ts';
import { backtrackingTexts, jsonTexts, breakingTexts, placedIn } from './hostile-texts.ts';
import { textInlets } from './text-inlets.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';

/** Multiplies the number of inputs; `PARLEY_HOSTILE=20` takes minutes. */
const times = Number(process.env['PARLEY_HOSTILE'] ?? 1);
/** Random in every run; a failing test names it in its title. */
const seed = Math.floor(Math.random() * 1_000_000);
const timeout = 60_000 + times * 60_000;
const mutations = 300;

function* hostileTo(inlet: Inlet, random: () => number): Generator<string> {
  const sample = (): string => inlet.samples[Math.floor(random() * inlet.samples.length)] ?? '';
  for (const text of [...inlet.samples, ...jsonTexts, ...breakingTexts, ...backtrackingTexts])
    yield text;
  for (const text of breakingTexts) yield JSON.stringify(text);
  for (let round = 0; round < times; round += 1) {
    for (const text of jsonTexts) yield placedIn(sample(), text, random);
    for (const text of breakingTexts) yield placedIn(sample(), JSON.stringify(text), random);
    for (let n = 0; n < mutations; n += 1) yield mutated(sample(), random);
  }
}

/** Mutates JSON objects by value and other texts by byte. */
function mutated(sample: string, random: () => number): string {
  if (sample.startsWith('{')) return mutateFrame(sample.trimEnd(), random);
  const at = Math.floor(random() * sample.length);
  return sample.slice(0, at) + String.fromCharCode(random() * 65_536) + sample.slice(at + 1);
}

describe('hostile text', () => {
  it.each(textInlets)(
    `is accepted or refused with a message: $name (seed ${seed})`,
    { timeout },
    async (inlet) => {
      const random = seeded(seed);
      const found = { accepted: 0, refused: 0 };
      for (const text of hostileTo(inlet, random)) {
        try {
          found[await pass(inlet, text)] += 1;
        } catch (error) {
          expect.fail(`${JSON.stringify(text).slice(0, 2000)}\n${String(error)}`);
        }
      }
      reportMeasurement(`${inlet.name}: ${found.accepted} accepted, ${found.refused} refused`);
      expect(found.accepted + found.refused).toBeGreaterThan(2000);
    },
  );

  it('is accepted or refused with a message: the command line', { timeout }, async () => {
    const verdicts = new Set<string>();
    for (const text of breakingTexts) verdicts.add(await pass(commandInlet, text));
    expect([...verdicts]).toContain('accepted');
  });
});
