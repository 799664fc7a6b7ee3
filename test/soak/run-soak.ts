import { writeFileSync, readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { quantile } from '../../shared/statistics.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { inspectTape } from '../../electron/recordings/tape/inspect-tape.ts';
import type { Finding } from '../bench/conversation/measures.ts';
import { MemoryWatch, riseByChance, type Growth } from './memory-watch.ts';
import { SoakTalk, type PageNotices } from './soak-talk.ts';

interface SoakRun {
  readonly seconds: number;
  readonly waited: number;
  readonly unanswered: number;
  readonly cuts: number;
  readonly handOvers: number;
  readonly pace: { readonly every: number };
  readonly notices: PageNotices;
  readonly tapes: readonly TapeTotals[];
}

/** The limit on drift. On a busy machine it is raised: see `riseByChance`. */
const driftLimitMs = 20;
/** Limit on the growth of each process, and of all together, after the warm-up. */
const maxGrowthMb = 30;
const chunk = 16_000;

/** Compares the measurements with the limits. */
function judgeSoak(
  talk: SoakTalk,
  memory: MemoryWatch,
  run: SoakRun,
  loads: readonly number[],
): readonly Finding[] {
  return [
    judgeMachine(talk, run),
    ...judgeLife(talk, run, loads),
    ...judgeMemory(memory),
    ...judgeMicrophone(talk),
    ...judgeTapes(talk, run.tapes),
    ...judgeSpeaker(talk, run),
  ];
}

/** Judged first: if the machine had no time for sound, the other findings say nothing about Parley. */
function judgeMachine({ card }: SoakTalk, { waited }: SoakRun): Finding {
  const { seconds, passed } = card;
  return finding(
    'the machine: share of microphone sound that the card delivered to the rig',
    '99 %; otherwise the run cannot be judged',
    `${seconds.toFixed(1)} s in ${passed.toFixed(1)} s; the main process waited ${waited.toFixed(1)} s for a processor`,
    seconds > 0.99 * passed,
  );
}

function judgeLife(talk: SoakTalk, run: SoakRun, loads: readonly number[]): readonly Finding[] {
  const wanted = Math.floor(run.seconds / (2 * run.pace.every));
  const { answers } = talk.speaker;
  const load = `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
  const { handOvers, cuts, unanswered, notices } = run;
  const phases = new Set(notices.phases);
  return [
    finding(
      `hand-overs and reconnects in ${(run.seconds / 60).toFixed(1)} minutes (load ${load})`,
      `at least ${wanted} each`,
      `${handOvers} hand-overs, ${cuts} reconnects; states ${[...phases].join(', ')}`,
      handOvers >= wanted && cuts >= wanted && !phases.has('ended'),
    ),
    finding(
      'questions that were answered',
      'all',
      `${answers.length}, ${unanswered} not`,
      unanswered === 0 && answers.length > 0,
    ),
    finding(
      'pictures sent',
      'one a second, fewer without movement',
      `${sum(talk.served.map(({ frames }) => frames))} at the gateway, ${notices.pictures} reported to the page`,
      notices.pictures > 0,
    ),
    finding(
      'errors shown',
      'none',
      notices.errors.join(', ') || 'none',
      notices.errors.length === 0,
    ),
  ];
}

function judgeMemory(memory: MemoryWatch): readonly Finding[] {
  return memory.growth().map(({ part, first, last, risen }: Growth) => {
    const counted = part === 'open files' || part === 'threads';
    const limit = counted ? 4 : maxGrowthMb;
    const unit = counted ? '' : ' MB';
    return finding(
      counted ? `${part} of the main process` : `memory, ${part}`,
      part === 'all, PSS' ? 'information only' : `risen by at most ${limit}${unit}`,
      `${first.toFixed(0)} to ${last.toFixed(0)}${unit}, along a line ${risen.toFixed(1)}`,
      // PSS also changes when other processes share pages.
      part === 'all, PSS' || risen <= limit,
    );
  });
}

function judgeMicrophone({ microphone }: SoakTalk): readonly Finding[] {
  const { places, unsentParts, appends, unplaced, lostMs } = microphone;
  const spoken = unsentParts.filter((unsent) => unsent.spoken && unsent.ms > 5).length;
  const delays = places.map(({ delayMs }) => delayMs);
  const [early, late] = [thirds(delays, 0), thirds(delays, 2)];
  const maxMs = Math.max(driftLimitMs, riseByChance(delays));
  return [
    finding(
      'microphone to server, within sessions',
      'no sample lost',
      `${lostMs.toFixed(1)} ms lost, ${appends} appends, ${places.length} found in the microphone's sound, ${unplaced} not`,
      lostMs === 0 && places.length > 0.8 * appends,
    ),
    finding(
      'between two sessions, and while one takes over',
      'no speech lost',
      `not sent ${unsentParts.map(({ ms }) => ms.toFixed(0)).join(', ')} ms; spoken in ${spoken} of them`,
      spoken === 0,
    ),
    finding(
      'drift of the server to the microphone',
      describeDriftLimit(maxMs),
      `captured to received: median ${early.toFixed(1)} ms in the first third, ${late.toFixed(1)} in the last`,
      Math.abs(late - early) < maxMs,
    ),
  ];
}

function judgeTapes(talk: SoakTalk, tapes: readonly TapeTotals[]): readonly Finding[] {
  const sessions = tapes.flatMap((tape) => tape.sessions);
  const served = talk.served.filter(({ received }) => received > 0);
  const pairs = served.map((one, at) => ({ ...one, tape: sessions[at] }));
  const lost = pairs.map(({ received, tape }) => (tape?.sent ?? 0) - received);
  const unheard = pairs.map(({ sent, tape }) => sent - (tape?.received ?? 0));
  const maxLost = (at: number): number => (pairs[at]?.cut === true ? chunk : 0);
  const received = sum(sessions.map((session) => session.received));
  const heard = sum(tapes.map((tape) => tape.heard));
  const gaps = sum(tapes.map((tape) => tape.gaps));
  const damaged = tapes.filter(({ damage }) => damage !== undefined).length;
  return [
    finding(
      'sent (the tape) and received (the gateway)',
      'the same, except sound in flight at a cut',
      `${sum(pairs.map(({ tape }) => tape?.sent ?? 0))} samples in ${sessions.length} and ${served.length} sessions, lost ${lost.join(', ')}`,
      sessions.length === served.length && lost.every((one, at) => one >= 0 && one <= maxLost(at)),
    ),
    finding(
      'answers sent (the gateway) and received (the tape)',
      'the same',
      `${received} samples, lost ${unheard.join(', ')}`,
      unheard.every((one, at) => one >= 0 && one <= maxLost(at)),
    ),
    finding(
      'answers received and heard (the tape)',
      'the same',
      `${received - heard} of ${received} samples not heard; ${gaps} gaps, ${damaged} of ${tapes.length} tapes damaged`,
      received === heard && gaps === 0 && damaged === 0,
    ),
  ];
}

function judgeSpeaker(talk: SoakTalk, { notices }: SoakRun): readonly Finding[] {
  const { answers } = talk.speaker;
  const off = answers.map(({ sentMs, heardMs }) => heardMs - sentMs);
  const gaps = answers.flatMap(({ gapsMs }) => gapsMs);
  const delays = answers.map(({ delayMs }) => delayMs);
  const short = off.filter((ms) => ms < -5).length;
  const maxMs = Math.max(driftLimitMs, riseByChance(delays));
  return [
    finding(
      'answers at the speaker',
      'none shorter than it was sent',
      `${short} of ${off.length} shorter; ${gaps.length} silences within, ${sum(gaps).toFixed(0)} ms; ${notices.cutWords} cut`,
      short === 0 && notices.cutWords === 0,
    ),
    finding(
      'drift of the speaker to the server',
      describeDriftLimit(maxMs),
      `first bytes of an answer to its first sound: at least ${thirds(delays, 0, fastest).toFixed(1)} ms in the first third, ` +
        `${thirds(delays, 2, fastest).toFixed(1)} in the last (median ${thirds(delays, 0).toFixed(1)} and ${thirds(delays, 2).toFixed(1)})`,
      Math.abs(thirds(delays, 2, fastest) - thirds(delays, 0, fastest)) < maxMs,
    ),
    finding(
      'answers longer, as late sound is stretched',
      'information only',
      `by ${quantile(off, 0.1).toFixed(0)}, ${quantile(off, 0.5).toFixed(0)} and ${quantile(off, 0.9).toFixed(0)} ms ` +
        `(10th, 50th and 90th percentile)`,
      true,
    ),
  ];
}

function finding(what: string, limit: string, found: string, met: boolean): Finding {
  return { what, limit, found, met };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** Drift is judged by this quantile of the delays: it affects even the fastest answers, a late server only the others. */
const fastest = 0.1;

function describeDriftLimit(maxMs: number): string {
  const busy = ` (raised, because the measurements scatter this much by chance)`;
  return `under ${maxMs.toFixed(0)} ms${maxMs > driftLimitMs ? busy : ''}`;
}

/** A quantile (default: the median) of the first or last third of the values. */
function thirds(values: readonly number[], third: 0 | 2, of = 0.5): number {
  const size = Math.ceil(values.length / 3);
  return quantile(third === 0 ? values.slice(0, size) : values.slice(-size), of);
}

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
  // The hand-over comes after the later cut: a cut during a hand-over would hide the session's age, and a second hand-over would
  // follow the first.
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

/** Sound that a tape recorded for one connection, in samples. */
interface TapedSession {
  connection: number;
  sent: number;
  received: number;
}

/** How much sound one tape recorded. */
export interface TapeTotals {
  readonly sessions: readonly TapedSession[];
  /** Sound of all answers that the playhead has passed. */
  readonly heard: number;
  readonly damage: string | undefined;
  readonly gaps: number;
}

/** Reads from the tapes of a folder how much sound was sent, received and heard. */
async function readTapeTotals(folder: string): Promise<readonly TapeTotals[]> {
  return Promise.all(readdirSync(folder).map((name) => readTapeTotal(join(folder, name))));
}

async function readTapeTotal(folder: string): Promise<TapeTotals> {
  const tape = await inspectTape(folder, { files: createFiles() });
  if (!tape.ok) throw new Error(`${folder}: ${tape.error.code}`);
  const sessions = new Map<number, TapedSession>();
  const heard = new Map<number, number>();
  let gaps = 0;
  for (const { line, references } of tape.value.lines) {
    if (line.dir === 'event') {
      const { kind, turn, samples } = line.event;
      if (kind === 'gap') gaps += 1;
      if (kind === 'heard') heard.set(Number(turn), Number(samples));
    }
    if (line.dir !== 'out' && line.dir !== 'in') continue;
    const { connection = 1, dir } = line;
    const session = sessions.get(connection) ?? { connection, sent: 0, received: 0 };
    sessions.set(connection, session);
    for (const reference of references)
      if ('$sound' in reference) session[dir === 'out' ? 'sent' : 'received'] += reference.samples;
  }
  tape.value.close();
  return {
    sessions: [...sessions.values()].filter(({ sent }) => sent > 0),
    heard: [...heard.values()].reduce((sum, samples) => sum + samples, 0),
    damage: tape.value.damage?.code,
    gaps,
  };
}
