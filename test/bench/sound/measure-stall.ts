import { setTimeout as wait } from 'node:timers/promises';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { type BenchResults, median } from './print-table.ts';
import type { Stage } from './stage.ts';
import { Tone } from './tone.ts';

const rounds = 20;

export async function measureStall(stage: Stage): Promise<BenchResults> {
  const microphone = stage.microphone(100);
  const speech = new Tone(inputRate);
  await microphone.play(speech.next(inputRate));
  const [gaps, breaks, lost]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    stage.monitor.reset();
    await stage.ask('play');
    const speaking = microphone.play(speech.next(2 * inputRate));
    await wait(400);
    await stage.ask('reset');
    await stage.ask('block');
    await wait(300);
    const { breaks: broken, lost: overrun } = await stage.ask('stats');
    gaps.push((stage.monitor.missing / outputRate) * 1000);
    breaks.push(stage.monitor.breaks);
    lost.push(overrun + broken);
    await stage.ask('flush');
    await speaking;
    await wait(300);
  }
  microphone.end();
  return {
    stall: `${median(gaps)} ms gap, ${sum(breaks)} breaks in ${rounds}; capture: ${sum(lost)} breaks`,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
