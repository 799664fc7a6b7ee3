import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { Finding } from '../bench/conversation/measures.ts';
import { judgeSoak } from './judge-soak.ts';
import { MemoryWatch, readTapeTotals } from './memory-watch.ts';
import { SoakTalk } from './soak-talk.ts';

interface SoakOptions {
  readonly minutes: number;
  readonly say: (line: string) => void;
  /** A file for all measurements. */
  readonly file?: string | undefined;
}

const minuteMs = 60_000;
/** Pause between an answer and the next question. */
const pauseMs = 2000;
/** Shorter runs have a hand-over and a cut every half minute, longer ones every five minutes. */
const longMinutes = 15;

/** How often things happen, in seconds. */
interface Pace {
  readonly every: number;
  /**
   * Minimum ages, in turn, at which the session after a hand-over is cut. They alternate, because Parley takes two closes at
   * the same age for a time limit. The cut waits for the current answer, at most nine seconds.
   */
  readonly cutAfter: readonly [number, number];
  readonly marksEvery: number;
  readonly warmUp: number;
}

const quickPace: Pace = { every: 30, cutAfter: [3, 15], marksEvery: 15, warmUp: 75 };
const slowPace: Pace = { every: 300, cutAfter: [20, 80], marksEvery: 60, warmUp: 300 };

/** The longest answer and the pause after it. */
const maxTurnSeconds = 11;

/**
 * The session length at which a hand-over happens every `every` seconds. Parley hands over only in a session's second half,
 * and only in its last minute.
 */
function sessionSeconds({ every, cutAfter }: Pace): number {
  // A cut during a hand-over would hide the session's age, and two hand-overs would follow each other.
  const handOverAge = Math.max(
    every - (cutAfter[0] + cutAfter[1]) / 2,
    cutAfter[1] + maxTurnSeconds,
  );
  return Math.min(2 * handOverAge, handOverAge + 60);
}

/** Runs a long talk in real time in the real window, reports progress, and returns the findings. */
export async function runSoak({ minutes, say, file }: SoakOptions): Promise<readonly Finding[]> {
  const pace = minutes < longMinutes ? quickPace : slowPace;
  const talk = await SoakTalk.open(sessionSeconds(pace));
  try {
    const memory = new MemoryWatch(talk.app.pid);
    const began = performance.now();
    const seconds = (): number => (performance.now() - began) / 1000;
    const loads: number[] = [];
    let [unanswered, cuts, handOvers, sessions] = [0, 0, 0, 1];
    let cutAge = Infinity;
    let nextMark = pace.warmUp;
    while (seconds() < minutes * 60) {
      talk.voice.speak();
      if ((await talk.speaker.next()) === undefined) unanswered += 1;
      await wait(pauseMs);
      if (talk.served.length > sessions) {
        if (talk.served.at(-2)?.cut !== true) {
          handOvers += 1;
          cutAge = pace.cutAfter[cuts % 2] ?? 0;
        }
        sessions = talk.served.length;
      }
      if ((talk.served.at(-1)?.received ?? 0) > cutAge * inputRate) {
        cutAge = Infinity;
        cuts += 1;
        talk.cut();
        await waitForNextSession(talk);
      }
      if (seconds() > nextMark) {
        nextMark += pace.marksEvery;
        const { sizes, files, threads } = memory.mark(seconds() / 60);
        loads.push(loadavg()[0] ?? Number.NaN);
        const parts = [...sizes].map(([part, size]) => `${part} ${size.toFixed(0)}`).join(', ');
        const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
        say(
          `minute ${(seconds() / 60).toFixed(1)}: ${all.toFixed(0)} MB (${parts}), ${files} files, ${threads} threads, ` +
            `${talk.speaker.answers.length} answers, ${handOvers} hand-overs, ${cuts} cuts, load ${(loads.at(-1) ?? 0).toFixed(1)}`,
        );
      }
    }
    const notices = await talk.pageNotices();
    const { waited } = talk;
    await talk.hangUp();
    const tapes = await readTapeTotals(join(talk.app.state, 'tapes'));
    const run = { seconds: seconds(), waited, unanswered, cuts, handOvers, pace, notices, tapes };
    const findings = judgeSoak(talk, memory, run, loads);
    if (file !== undefined) {
      const { served, speaker, microphone } = talk;
      const watched = {
        marks: memory.marks,
        places: microphone.places,
        unsentParts: microphone.unsentParts,
      };
      const measured = { findings, ...run, loads, served, answers: speaker.answers, ...watched };
      writeFileSync(file, JSON.stringify(measured, plainMaps, 1));
    }
    return findings;
  } finally {
    await talk.end();
  }
}

/** Waits after a cut until sound arrives over a new connection. */
async function waitForNextSession(talk: SoakTalk): Promise<void> {
  const sessions = talk.served.length;
  const until = performance.now() + minuteMs;
  while (talk.served.length === sessions) {
    if (performance.now() > until) throw new Error('The talk did not come back after a cut.');
    await wait(100);
  }
}

const plainMaps = (_key: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;
