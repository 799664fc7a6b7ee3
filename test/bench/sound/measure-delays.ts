import { setTimeout as wait } from 'node:timers/promises';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { type BenchResults, median } from './print-table.ts';
import type { Stage } from './stage.ts';
import { Tone } from './tone.ts';

const rounds = 24;

export interface Delays {
  readonly sounds: readonly number[];
  readonly silences: readonly number[];
  readonly blocks: readonly number[];
  /** Delays of plain parec at the same time. */
  readonly besides: readonly number[];
}

export async function measureDelays(stage: Stage): Promise<BenchResults> {
  const { sounds, silences, blocks, besides } = await delaysOf(stage);
  return {
    sound: `${median(sounds)} ms (of ${sounds.length})`,
    silence: `${median(silences)} ms (of ${silences.length})`,
    block: `${median(blocks)} ms (of ${blocks.length}; parec: ${median(besides)} ms)`,
  };
}

export async function delaysOf(stage: Stage): Promise<Delays> {
  const [sounds, silences]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    stage.monitor.reset();
    const played = await stage.ask('play');
    await wait(500 + round);
    const { began } = stage.monitor;
    const flushed = await stage.ask('flush');
    await wait(350);
    const { ended } = stage.monitor;
    if (began === undefined || ended === undefined) continue;
    sounds.push(began - played.at);
    silences.push(ended - flushed.at);
  }
  return { sounds, silences, ...(await microphoneDelays(stage)) };
}

async function microphoneDelays(stage: Stage): Promise<Pick<Delays, 'blocks' | 'besides'>> {
  const microphone = stage.microphone(10);
  const [blocks, besides]: [number[], number[]] = [[], []];
  const silence = new Float32Array(inputRate / 50);
  await microphone.play(new Float32Array(inputRate / 2));
  await wait(1500);
  for (let round = 0; round < rounds; round += 1) {
    await stage.ask('reset');
    stage.besideMicrophone.reset();
    const at = performance.timeOrigin + performance.now();
    await microphone.play(new Tone(inputRate).next(inputRate / 10));
    await microphone.play(silence);
    await wait(300 + round);
    const { began } = await stage.ask('stats');
    if (began !== undefined) blocks.push(began - at);
    const beside = stage.besideMicrophone.began;
    if (beside !== undefined) besides.push(beside - at);
  }
  microphone.end();
  return { blocks, besides };
}
