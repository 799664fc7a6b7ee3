import { rounded } from './measure.ts';
import type { Measure } from './measure.ts';
import { Rig } from './rig.ts';
import type { SentOutput } from './gateway.ts';

const turns = 8;
const toneSeconds = 6;

/** An unknown server sends 0.6 s first, then a second per second, each up to 80 ms early or late. */
export const measureTrace: Measure = async () => {
  const faults = [
    { kind: 'shortFirstChunk', ms: 600 },
    { kind: 'delay', ms: 80, jitterMs: 80 },
  ] as const;
  const options = { dialect: 'legacy', faults } as const;
  const rig = await Rig.open({ options, dialect: 'legacy', toneSeconds });
  try {
    const [longest, plain, startDelays]: [number[], number[], number[]] = [[], [], []];
    const [sentApart, late]: [number[], number[]] = [[], []];
    const beside = await rig.playBeside();
    await rig.stats();
    for (let turn = 0; turn < turns; turn += 1) {
      const [from, plainFrom] = [rig.monitor.count, beside.count];
      const said = await rig.askForWholeAnswer();
      longest.push(Math.max(0, ...rig.monitor.gapsMs(from)));
      plain.push(Math.max(0, ...beside.gapsMs(plainFrom)));
      const { talk, lateMs } = await rig.stats();
      sentApart.push(maxApart(said));
      late.push(lateMs);
      startDelays.push(talk?.playout?.startDelayMs ?? Number.NaN);
    }
    const { talk } = await rig.stats();
    const playout = talk?.playout;
    const [firstTurn = Number.NaN, ...others] = longest;
    const made =
      `held back ${rounded(startDelays)} ms; ${playout?.concealmentEvents ?? 0} gaps concealed, ` +
      `${playout?.concealedSamples ?? 0} samples; ${playout?.insertedSamples ?? 0} put in; ` +
      `Parley counted ${playout?.gapsOver20Ms ?? 0} gaps over 20 ms`;
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
        found:
          `${Math.max(...others).toFixed(1)} ms (${made}; by turn: gaps ${rounded(longest)} ms, ` +
          `pacat in parallel ${rounded(plain)} ms, ` +
          `deltas sent at most ${rounded(sentApart)} ms apart, Parley late by ${rounded(late)} ms)`,
        met: Math.max(...others) === 0,
      },
    ];
  } finally {
    await rig.end();
  }
};

/** The longest gap between deltas of the server itself, which the player does not cause. */
function maxApart(said: readonly SentOutput[]): number {
  return Math.max(0, ...said.slice(1).map(({ at }, n) => at - (said[n]?.at ?? at)));
}
