import { setTimeout as wait } from 'node:timers/promises';
import { seeded } from '../../fakes/seeded.ts';
import { AppendWatch } from '../conversation/append-watch.ts';
import { formatTimes } from '../conversation/measure.ts';
import { Rig } from '../conversation/rig.ts';
import { quantile } from '../../../shared/statistics.ts';

/** Recording alternates off and on, so that other load affects both. */
const pairs = 3;
const rounds = 7;
const settleMs = 600;

interface Findings {
  readonly micToServer: number[];
  readonly serverToSound: number[];
  readonly clickToSilence: number[];
  cpuMs: number;
  wallMs: number;
}

const nothingFound = (): Findings => ({
  micToServer: [],
  serverToSound: [],
  clickToSilence: [],
  cpuMs: 0,
  wallMs: 0,
});

/** Measures the same talks with camera, recorded and not recorded. */
export async function measureRecording(): Promise<readonly string[]> {
  const [without, recorded] = [nothingFound(), nothingFound()];
  for (let pair = 0; pair < pairs; pair += 1) {
    await holdTalk(false, without, pair);
    await holdTalk(true, recorded, pair);
  }
  const cost = coreShare(recorded) - coreShare(without);
  return [
    'A talk with camera, with and without a tape, alternating',
    ...compared('a chunk captured → at the server', without.micToServer, recorded.micToServer),
    ...compared('first delta → first sound', without.serverToSound, recorded.serverToSound),
    ...compared('interrupt → silence', without.clickToSilence, recorded.clickToSilence),
    `  all of Parley: ${percent(coreShare(without))} of a core without a tape, ${percent(coreShare(recorded))} with one, difference ${percent(cost)}`,
  ];
}

async function holdTalk(tape: boolean, findings: Findings, seed: number): Promise<void> {
  const random = seeded(11 + seed);
  const rig = await Rig.open({
    options: {},
    mode: 'video',
    dialect: 'unified',
    toneSeconds: 20,
    recorded: tape,
  });
  try {
    const appends = new AppendWatch(rig);
    const before = await rig.stats();
    const began = performance.now();
    for (let round = 0; round < rounds; round += 1) {
      const { at: saidAt } = await rig.ask();
      await wait(1500 + random() * 1000);
      const { monitor } = rig;
      const heard = monitor.firstLoud(monitor.sampleAt(saidAt));
      if (heard !== undefined) findings.serverToSound.push(monitor.timeOf(heard) - saidAt);
      const at = await rig.interrupt();
      const listens = rig.listenStep();
      await wait(settleMs);
      const last = monitor.lastLoud(monitor.sampleAt(saidAt), monitor.sampleAt(at + settleMs / 2));
      if (last !== undefined) findings.clickToSilence.push(monitor.timeOf(last) - at);
      await listens;
      await wait(settleMs);
    }
    const after = await rig.stats();
    appends.end();
    findings.micToServer.push(...appends.delaysMs);
    findings.cpuMs += after.cpu - before.cpu;
    findings.wallMs += performance.now() - began;
  } finally {
    await rig.end();
  }
}

/** Share of one core. */
const coreShare = ({ cpuMs, wallMs }: Findings): number => cpuMs / wallMs;

const percent = (part: number): string => `${(part * 100).toFixed(2)} %`;

function compared(
  what: string,
  without: readonly number[],
  recorded: readonly number[],
): readonly string[] {
  const ratio = (of: number): string => (quantile(recorded, of) / quantile(without, of)).toFixed(2);
  return [
    `  ${what}: ${ratio(0.5)}× median, ${ratio(0.95)}× p95`,
    `      without ${formatTimes(without)}`,
    `      with    ${formatTimes(recorded)}`,
  ];
}
