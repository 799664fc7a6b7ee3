import { setTimeout as wait } from 'node:timers/promises';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { AppendWatch } from './append-watch.ts';
import { formatTimes, type Measure, describeOwnStats } from './measure.ts';
import { Rig } from './rig.ts';

const warmUpMs = 30_000;
const pollEveryMs = 5000;
/** Pause between an answer and the next question. */
const pauseMs = 2000;
const hour = 3600;

/** The frame interval at the default vision budget: decision 18. */
const secondsPerFrame = 4;

/** Measures processor time, memory and dropped appends over minutes of a talk with camera. */
export const measureEndurance =
  (minutes: number): Measure =>
  async () => {
    const sessionSeconds = { audio: hour, video: hour };
    const options = { sessionSeconds, contextTokens: 1_000_000 };
    const rig = await Rig.open({ options, dialect: 'unified', mode: 'video' });
    const over = new AbortController();
    const talking = keepTalking(rig, over.signal);
    try {
      await wait(warmUpMs);
      const appends = new AppendWatch(rig);
      const before = await rig.stats();
      const began = performance.now();
      const memory: number[] = [];
      while (performance.now() - began < minutes * 60_000) {
        await wait(pollEveryMs);
        memory.push((await rig.stats()).rss);
      }
      const after = await rig.stats();
      const seconds = (performance.now() - began) / 1000;
      appends.end();
      over.abort();
      await talking;
      const load = (after.cpu - before.cpu) / seconds / 10;
      const grown = (Math.max(...memory) - before.rss) / 1e6;
      const atLast = (after.rss - before.rss) / 1e6;
      const { count = 0 } = after.talk?.measures.drops ?? {};
      const missed = seconds - appends.samples / inputRate;
      const subject = `${minutes} min of duplex with a camera`;
      return [
        {
          what: `${subject}: CPU of the main process`,
          limit: '12 %',
          found: `${load.toFixed(1)} % of a core, all threads`,
          met: load <= 12,
        },
        {
          what: `${subject}: RSS`,
          limit: '+20 MB',
          found: `${grown.toFixed(1)} MB peak, ${atLast.toFixed(1)} MB at the end`,
          met: grown <= 20,
        },
        {
          what: `${subject}: appends dropped`,
          limit: 'none',
          found:
            `${count}; ${appends.appends} arrived in ${seconds.toFixed(0)} s, ${appends.frames} with a frame, ` +
            `${missed.toFixed(1)} s of sound not received by the server; captured → at the server ${formatTimes(appends.delaysMs)} ` +
            `(${describeOwnStats(after, 'micToWire')})`,
          met: count === 0 && missed < 2 && appends.frames >= appends.appends / secondsPerFrame - 2,
        },
      ];
    } finally {
      over.abort();
      await talking.catch(() => undefined);
      await rig.end();
    }
  };

async function keepTalking(rig: Rig, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await rig.askForWholeAnswer();
    await wait(pauseMs);
  }
}
