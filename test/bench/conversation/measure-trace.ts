import { seeded } from '../../fakes/seeded.ts';
import { sayTurn } from './measure.ts';
import type { Measure } from './measure.ts';

const turns = 6;
const jitterMs = 80;

/** 0.6 s first, then a second every second, each up to 80 ms early or late; on a server never seen before. */
export const measureTrace: Measure = async (rig) => {
  const random = seeded(7);
  const off = (): number => (random() * 2 - 1) * jitterMs;
  const longest: number[] = [];
  const delays: number[] = [];
  const sentLate: number[] = [];
  const before = (await rig.figures()).underruns;
  for (let turn = 0; turn < turns; turn += 1) {
    const first = off();
    const later = Array.from({ length: 5 }, (_, n) => ({
      atMs: (n + 1) * 1000 + off() - first,
      soundMs: 1000,
    }));
    const { lateMs } = await sayTurn(rig, [{ atMs: 0, soundMs: 600 }, ...later]);
    sentLate.push(lateMs);
    longest.push(Math.max(0, ...rig.monitor.gapsMs));
    delays.push((await rig.figures()).startDelayMs ?? Number.NaN);
  }
  const { concealmentEvents, concealedSamples, insertedSamples, underruns } = await rig.figures();
  // At the end of each turn it does, as it should.
  const dry = underruns - before - turns;
  const [firstTurn = Number.NaN, ...others] = longest;
  const later = Math.max(...others);
  const made =
    `held back ${rounded(delays)} ms; ${concealmentEvents} times concealed, ` +
    `${concealedSamples} samples; ${insertedSamples} put in; the ring ran dry ${dry} times; ` +
    `longest gaps ${rounded(longest)} ms, sent late by ${rounded(sentLate)} ms`;
  return [
    {
      what: 'trace 0.6 s, then 1 s every second ±80 ms: longest gap in the first turn',
      limit: '20 ms',
      found: `${firstTurn.toFixed(1)} ms`,
      met: firstTurn <= 20,
    },
    {
      what: `the same in the ${turns - 1} turns after it`,
      limit: 'none',
      found: `${later.toFixed(1)} ms (${made})`,
      met: later === 0,
    },
  ];
};

function rounded(values: readonly number[]): string {
  return values.map((ms) => ms.toFixed(0)).join(', ');
}
