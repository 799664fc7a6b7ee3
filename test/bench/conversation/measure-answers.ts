import { loadDemoSpeech } from '../../../electron/platform/files/demo-speech.ts';
import { AppendWatch } from './append-watch.ts';
import { formatTimes, type Measure, describeOwnStats, rounded } from './measure.ts';
import { Rig } from './rig.ts';
import type { SubjectMessage } from './subject.ts';
import { quantile } from '../../../shared/statistics.ts';
import type { DemoClip } from '../../../electron/gateway/gateway-options.ts';
import { composeUtterance, type Utterance } from '../../../electron/gateway/utterance.ts';
import { decimate, findSound } from './sound-tape.ts';
import { loud, type SoundTape } from './sound-tape.ts';

const learningTurns = 2;
const turns = 20;

type Caption = Extract<SubjectMessage, { kind: 'caption' }>;

/** Measures whole answers at an even pace: delta to sound, microphone to socket, and captions. */
export const measureAnswers: Measure = async () => {
  const speech = await loadDemoSpeech('resources/speech');
  if (!speech.ok) throw new Error(speech.error.code);
  const rig = await Rig.open({ options: {}, dialect: 'unified' });
  try {
    const appends = new AppendWatch(rig);
    let captions: Caption[] = [];
    rig.subject.listen((message) => {
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
        // A turn's first word starts slightly after its first sample.
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
/** A word follows another at most this much earlier than in the original, … */
const earlyMs = 15;
const lateMs = 150;
/** … and at most this much later per word between them that was not found. */
const latestMs = 600;

interface PlacedWord {
  /** Characters of the text up to the word's end. */
  readonly textLength: number;
  /** When it starts at the monitor. */
  readonly at: number;
  /** Its start in the original, in samples. */
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
