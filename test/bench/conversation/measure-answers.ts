import { loadDemoSpeech } from '../../../electron/platform/files/demo-speech.ts';
import { findOnset, placeWords, findPlayTime, findUtterance } from './answer-places.ts';
import { AppendWatch } from './append-watch.ts';
import { inWords, type Measure, describeOwnStats, rounded, quantile } from './measure.ts';
import { Rig } from './rig.ts';
import type { SubjectMessage } from './subject.ts';

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
    const [held, uneven]: [number[], number[]] = [[], []];
    let unplaced = 0;
    for (let turn = -learningTurns; turn < turns; turn += 1) {
      captions = [];
      const said = await rig.askForWholeAnswer();
      if (turn < 0) continue;
      const { figures } = await rig.stats();
      held.push(figures?.playout?.startDelayMs ?? Number.NaN);
      uneven.push(
        ...said.slice(1, -1).map(({ at }, n) => Math.abs(at - (said[n]?.at ?? at) - 1000)),
      );
      const utterance = findUtterance(speech.value.clips, said.map(({ text }) => text).join(''));
      const { monitor } = rig;
      const sentAt = said[0]?.at ?? Number.NaN;
      const heard = monitor.firstLoud(monitor.sampleAt(sentAt));
      if (heard === undefined) continue;
      const begins = heard - findOnset(utterance);
      delays.push(monitor.timeOf(begins) - sentAt);
      const words = placeWords(utterance, monitor, begins);
      let samples = 0;
      for (const delta of said) {
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
          `${inWords(delays)} (the buffer held the first delta back by ${rounded(held)} ms; the server's deltas deviate from 1 s by ` +
          `${inWords(uneven)}; later deltas of a turn, which ` +
          `queue behind earlier ones: ${inWords(later)}; all deltas: ${describeOwnStats(stats, 'wireToSound')})`,
        met: quantile(delays, 0.5) <= 130 && delays.length >= 20,
      },
      {
        what: 'last sample of a chunk captured → bytes at the server: p95',
        limit: '25 ms',
        found:
          `${inWords(appends.delaysMs)} (${describeOwnStats(stats, 'micToWire')}; ` +
          `${appends.unplaced} not found at the microphone)`,
        met: quantile(appends.delaysMs, 0.95) <= 25,
      },
      {
        what: 'caption of a word against its start at the monitor: median, p95',
        limit: '120 ms, 350 ms',
        found: `${inWords(off)}; median ${quantile(errors, 0.5).toFixed(0)} ms late; ${unplaced} not found`,
        met: quantile(off, 0.5) <= 120 && quantile(off, 0.95) <= 350,
      },
    ];
  } finally {
    await rig.end();
  }
};
