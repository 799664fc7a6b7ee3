import { setTimeout as wait } from 'node:timers/promises';
import type { LatencyKind } from '../../../shared/talk/talk-stats.ts';
import type { TalkProcessStats, TalkProcessMessage } from './measured-talk.ts';
import { quantile } from '../../../shared/statistics.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { findSound, decimate, loud, type SoundTape } from './sound-tape.ts';
import type { GatewayMessage, SentOutput } from './gateway.ts';
import { Rig } from './rig.ts';
import { loadDemoSpeech } from '../../../electron/platform/files/demo-speech.ts';
import type { DemoClip } from '../../../electron/gateway/gateway-options.ts';
import { composeUtterance, type Utterance } from '../../../electron/gateway/utterance.ts';
import { seeded } from '../../fakes/seeded.ts';

/** One measured figure and its limit. */
export interface Finding {
  readonly what: string;
  readonly limit: string;
  readonly found: string;
  readonly met: boolean;
}

export type Measure = () => Promise<readonly Finding[]>;

/** Formats the median, 95th percentile, maximum and count. */
function formatTimes(values: readonly number[]): string {
  const percentile = (fraction: number): string => quantile(values, fraction).toFixed(0);
  return `median ${percentile(0.5)} ms, p95 ${percentile(0.95)}, maximum ${percentile(1)}, of ${values.length}`;
}

/** Formats the latency that Parley measured itself. */
function describeOwnStats({ talk }: TalkProcessStats, kind: LatencyKind): string {
  const own = talk?.measures.steps[kind];
  return `Parley itself: median ${round(own?.median)} ms, p95 ${round(own?.p95)}, of ${own?.count ?? 0}`;
}

function rounded(values: readonly number[]): string {
  return values.map((value) => value.toFixed(0)).join(', ');
}

function round(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(0);
}

type Append = Extract<GatewayMessage, { kind: 'append' }>;

/** Wait before an append is searched in the rig's capture, which may receive its end later than the server does. */
const waitMs = 400;
/** Maximum age of the end of a chunk that has just arrived. */
const lookBackMs = 500;
/** Minimum similarity of an append to its place in the capture: both are resampled, and may differ by half a sample. */
const minAppendLikeness = 0.6;

/** Measures the age of each append's last sample on arrival, from the rig's own capture of the microphone. */
class AppendWatch {
  readonly delaysMs: number[] = [];
  /** Appends whose end was not found in the rig's capture. */
  unplaced = 0;
  appends = 0;
  samples = 0;
  frames = 0;
  readonly #rig: Rig;
  readonly #stop: () => void;

  constructor(rig: Rig) {
    this.#rig = rig;
    this.#stop = rig.gateway.listen((message) => {
      if (message.kind !== 'append') return;
      this.appends += 1;
      this.samples += message.samples;
      this.frames += message.frames;
      setTimeout(() => {
        this.#place(message);
      }, waitMs);
    });
  }

  end(): void {
    this.#stop();
  }

  #place({ at, end }: Append): void {
    const { source } = this.#rig;
    const from = Math.max(0, source.sampleAt(at - lookBackMs));
    const until = Math.min(source.count, source.sampleAt(at) + inputRate / 50);
    const found = findSound(Float32Array.from(end), source.part(from, until));
    if (found.likeness < minAppendLikeness) {
      this.unplaced += 1;
      return;
    }
    this.delaysMs.push(at - source.timeOf(from + found.at + end.length));
  }
}

const learningTurns = 2;
const turns = 20;

type Caption = Extract<TalkProcessMessage, { kind: 'caption' }>;

/** Measures whole answers at an even pace: delta to sound, microphone to socket, and captions. */
export const measureAnswers: Measure = async () => {
  const speech = await loadDemoSpeech('resources/speech');
  if (!speech.ok) throw new Error(speech.error.code);
  const rig = await Rig.open({ options: {}, dialect: 'unified' });
  try {
    const appends = new AppendWatch(rig);
    let captions: Caption[] = [];
    rig.talkProcess.listen((message) => {
      if (message.kind === 'caption') captions.push(message);
    });
    const [delays, later, errors]: [number[], number[], number[]] = [[], [], []];
    const [startDelays, unevenness]: [number[], number[]] = [[], []];
    let unplaced = 0;
    for (let turn = -learningTurns; turn < turns; turn += 1) {
      captions = [];
      const deltas = await rig.askForWholeAnswer();
      if (turn < 0) continue;
      const { talk } = await rig.stats();
      startDelays.push(talk?.playout?.startDelayMs ?? Number.NaN);
      unevenness.push(
        ...deltas.slice(1, -1).map(({ at }, n) => Math.abs(at - (deltas[n]?.at ?? at) - 1000)),
      );
      const utterance = findUtterance(speech.value.clips, deltas.map(({ text }) => text).join(''));
      const { monitor } = rig;
      const sentAt = deltas[0]?.at ?? Number.NaN;
      const heard = monitor.firstLoud(monitor.sampleAt(sentAt));
      if (heard === undefined) continue;
      const begins = heard - findOnset(utterance);
      delays.push(monitor.timeOf(begins) - sentAt);
      const words = placeWords(utterance, monitor, begins);
      let samples = 0;
      for (const delta of deltas) {
        const sounds = findPlayTime(samples, words, monitor.rate);
        // The first delta begins before the first word, so `words` cannot place it.
        if (samples > 0 && sounds !== undefined) later.push(sounds - delta.at);
        samples += delta.samples;
      }
      for (const word of words) {
        const shown = captions.find(({ patch }) => word && (patch.heard ?? 0) >= word.textLength);
        if (word === undefined || shown === undefined) unplaced += 1;
        else errors.push(shown.at - word.at);
      }
    }
    const stats = await rig.stats();
    appends.end();
    const off = errors.map((ms) => Math.abs(ms));
    return [
      {
        what: 'first sample of a delta on the wire → at the monitor, even pace: median',
        limit: '130 ms',
        found:
          `${formatTimes(delays)} (the buffer held the first delta back by ${rounded(startDelays)} ms; the server's deltas deviate from 1 s by ` +
          `${formatTimes(unevenness)}; later deltas of a turn, which ` +
          `queue behind earlier ones: ${formatTimes(later)}; all deltas: ${describeOwnStats(stats, 'wireToSound')})`,
        met: quantile(delays, 0.5) <= 130 && delays.length >= 20,
      },
      {
        what: 'last sample of a chunk captured → bytes at the server: p95',
        limit: '25 ms',
        found:
          `${formatTimes(appends.delaysMs)} (${describeOwnStats(stats, 'micToWire')}; ` +
          `${appends.unplaced} not found at the microphone)`,
        met: quantile(appends.delaysMs, 0.95) <= 25,
      },
      {
        what: 'caption of a word against its start at the monitor: median, p95',
        limit: '120 ms, 350 ms',
        found: `${formatTimes(off)}; median ${quantile(errors, 0.5).toFixed(0)} ms late; ${unplaced} not found`,
        met: quantile(off, 0.5) <= 120 && quantile(off, 0.95) <= 350,
      },
    ];
  } finally {
    await rig.end();
  }
};

/** Length of a word's search pattern: long enough to be unique, too short to be stretched much. */
const patternMs = 100;
const coarse = 4;
const minLikeness = 0.7;
/** How much earlier than in the original a word may follow the word before it. */
const earlyMs = 15;
/** How much later it may follow: this much for each word since the last that was found, up to `latestMs`. */
const lateMs = 150;
const latestMs = 600;

interface PlacedWord {
  /** Characters of the text up to the word's end. */
  readonly textLength: number;
  /** When the word starts at the monitor. */
  readonly at: number;
  /** The word's start in the original, in samples. */
  readonly start: number;
}

/** Finds the recorded sentences in a text. */
function findUtterance(clips: readonly DemoClip[], text: string): Utterance {
  const said: DemoClip[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const clip = clips.find((each) => rest.startsWith(each.text));
    if (clip === undefined) throw new Error(`No recording contains "${rest}".`);
    said.push(clip);
    rest = rest.slice(clip.text.length).trim();
  }
  return composeUtterance(said);
}

function findOnset({ audio }: Utterance): number {
  return audio.findIndex((sample) => Math.abs(sample) >= loud);
}

/** Finds when each word of an answer plays. The recording starts at the answer's start, including silence. */
function placeWords(
  { words, audio }: Utterance,
  tape: SoundTape,
  from: number,
): readonly (PlacedWord | undefined)[] {
  const samples = (ms: number): number => Math.round((ms * tape.rate) / 1000);
  let textLength = 0;
  let shift = from;
  let late = lateMs;
  return words.map(({ text, start }, n) => {
    textLength += text.length + (n === 0 ? 0 : 1);
    const pattern = audio.subarray(start, start + samples(patternMs));
    const first = start + shift - samples(earlyMs);
    const searchPart = tape.part(first, first + samples(earlyMs + late) + pattern.length);
    const found = findSound(decimate(pattern, coarse), decimate(searchPart, coarse));
    if (found.likeness < minLikeness) {
      late = Math.min(latestMs, late + lateMs);
      return undefined;
    }
    const place = first + found.at * coarse;
    shift = place - start;
    late = lateMs;
    return { textLength, at: tape.timeOf(place), start };
  });
}

/** When a sample of the original plays, from the word before it. */
function findPlayTime(
  sample: number,
  words: readonly (PlacedWord | undefined)[],
  rate: number,
): number | undefined {
  const word = words.findLast((each) => each !== undefined && each.start <= sample);
  return word && word.at + ((sample - word.start) * 1000) / rate;
}

const warmUpMs = 30_000;
const pollEveryMs = 5000;
/** Pause between an answer and the next question. */
const pauseMs = 2000;
const hour = 3600;

/** Seconds between two frames at the default vision budget: decision 18. */
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

const rounds = 21;
/** Wait after an interrupt, by which silence must have come. */
const settleMs = 600;

/** Interrupts answers at random moments; the answer is a tone, so that every silence is a real one. */
export const measureInterrupting: Measure = async () => {
  const random = seeded(11);
  const rig = await Rig.open({ options: {}, dialect: 'unified', toneSeconds: 20 });
  try {
    const delays: number[] = [];
    let soundsAgain = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { at: saidAt } = await rig.ask();
      await wait(1500 + random() * 1000);
      const at = await rig.interrupt();
      const listens = rig.listenStep();
      await wait(settleMs);
      const { monitor } = rig;
      const from = monitor.sampleAt(saidAt);
      const last = monitor.lastLoud(from, monitor.sampleAt(at + settleMs / 2));
      if (last !== undefined) delays.push(monitor.timeOf(last) - at);
      await listens;
      await wait(settleMs);
      if (monitor.lastLoud(monitor.sampleAt(at + settleMs / 2)) !== undefined) soundsAgain += 1;
    }
    return [
      {
        what: 'interrupt called → silence at the monitor: p95',
        limit: '60 ms',
        found:
          `${formatTimes(delays)} (${describeOwnStats(await rig.stats(), 'interruptToSilence')}); ` +
          `sound of the interrupted answer afterwards: ${soundsAgain} times`,
        met: quantile(delays, 0.95) <= 60 && delays.length >= 20 && soundsAgain === 0,
      },
    ];
  } finally {
    await rig.end();
  }
};

const traceTurns = 8;
const toneSeconds = 6;

/** The server, whose pace Parley does not know, sends 0.6 s first, then a second per second, up to 80 ms early or late. */
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
    for (let turn = 0; turn < traceTurns; turn += 1) {
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
        what: `the same in the ${traceTurns - 1} turns after it`,
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
