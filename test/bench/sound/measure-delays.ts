import { setTimeout as wait } from 'node:timers/promises';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { MeasuredProcess } from './measured-process.ts';
import { type BenchResults, median } from './print-table.ts';
import { Tone } from './tone.ts';

const rounds = 24;

/** Delays of a sound path in milliseconds, one value a round. */
export interface Delays {
  readonly sounds: readonly number[];
  readonly silences: readonly number[];
  readonly blocks: readonly number[];
  /** Delays of plain parec at the same time. */
  readonly besides: readonly number[];
}

export async function measureDelays(subject: MeasuredProcess): Promise<BenchResults> {
  const { sounds, silences, blocks, besides } = await delaysOf(subject);
  return {
    sound: `${median(sounds)} ms (of ${sounds.length})`,
    silence: `${median(silences)} ms (of ${silences.length})`,
    block: `${median(blocks)} ms (of ${blocks.length}; parec: ${median(besides)} ms)`,
  };
}

export async function delaysOf(subject: MeasuredProcess): Promise<Delays> {
  const [sounds, silences]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    subject.monitor.reset();
    const played = await subject.ask('play');
    await wait(500 + round);
    const { began } = subject.monitor;
    const flushed = await subject.ask('flush');
    await wait(350);
    const { ended } = subject.monitor;
    if (began === undefined || ended === undefined) continue;
    sounds.push(began - played.at);
    silences.push(ended - flushed.at);
  }
  return { sounds, silences, ...(await microphoneDelays(subject)) };
}

async function microphoneDelays(
  subject: MeasuredProcess,
): Promise<Pick<Delays, 'blocks' | 'besides'>> {
  const microphone = subject.microphone(10);
  const [blocks, besides]: [number[], number[]] = [[], []];
  const silence = new Float32Array(inputRate / 50);
  await microphone.play(new Float32Array(inputRate / 2));
  await wait(1500);
  for (let round = 0; round < rounds; round += 1) {
    await subject.ask('reset');
    subject.besideMicrophone.reset();
    const at = performance.timeOrigin + performance.now();
    await microphone.play(new Tone(inputRate).next(inputRate / 10));
    await microphone.play(silence);
    await wait(300 + round);
    const { began } = await subject.ask('stats');
    if (began !== undefined) blocks.push(began - at);
    const beside = subject.besideMicrophone.began;
    if (beside !== undefined) besides.push(beside - at);
  }
  microphone.end();
  return { blocks, besides };
}

const stallRounds = 20;

/** Blocks the JavaScript thread during playback and capture, and counts gaps and lost samples. */
export async function measureStall(subject: MeasuredProcess): Promise<BenchResults> {
  const microphone = subject.microphone(100);
  const speech = new Tone(inputRate);
  await microphone.play(speech.next(inputRate));
  const [gaps, breaks, lost]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < stallRounds; round += 1) {
    subject.monitor.reset();
    await subject.ask('play');
    const speaking = microphone.play(speech.next(2 * inputRate));
    await wait(400);
    await subject.ask('reset');
    await subject.ask('block');
    await wait(300);
    const { breaks: broken, lost: overrun } = await subject.ask('stats');
    gaps.push((subject.monitor.missing / outputRate) * 1000);
    breaks.push(subject.monitor.breaks);
    lost.push(overrun + broken);
    await subject.ask('flush');
    await speaking;
    await wait(300);
  }
  microphone.end();
  return {
    stall: `${median(gaps)} ms gap, ${sum(breaks)} breaks in ${stallRounds}; capture: ${sum(lost)} breaks`,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
