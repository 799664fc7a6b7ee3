import { setTimeout as wait } from 'node:timers/promises';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { BenchResults } from './print-table.ts';
import type { MeasuredProcess } from './measured-process.ts';
import { Tone, ToneWatch } from './tone.ts';

/** Plays and captures a tone for minutes; figures start after it has settled. */
export const measureEndurance =
  (minutes: number) =>
  async (subject: MeasuredProcess): Promise<BenchResults> => {
    const microphone = subject.microphone(500);
    const speaking = new AbortController();
    const spoken = speakUntil(speaking.signal, microphone.play, inputRate);
    const rigSpeaker = new ToneWatch(outputRate);
    const beside = await subject.besideSpeaker((block, at) => {
      rigSpeaker.push(block, at);
    });
    const besideSpoken = speakUntil(speaking.signal, beside.play, outputRate);
    await subject.ask('play');
    await wait(3000);
    const before = await subject.ask('reset');
    subject.monitor.reset();
    subject.besideMicrophone.reset();
    rigSpeaker.reset();
    const began = performance.now();
    await wait(minutes * 60_000);
    const after = await subject.ask('stats');
    const { breaks, missing, level } = subject.monitor;
    const own = subject.monitor.breaksWithout(rigSpeaker);
    const rigBreaks = subject.besideMicrophone.breaks;
    const rigMissing = rigSpeaker.missing;
    const besideBreaks = rigSpeaker.breaks;
    const seconds = (performance.now() - began) / 1000;
    speaking.abort();
    microphone.end();
    beside.end();
    await Promise.all([spoken, besideSpoken]);
    await subject.ask('flush');
    await wait(500);
    const kept = (after.captured / inputRate / seconds) * 100;
    return {
      endurance:
        `out: ${breaks} breaks, ${milliseconds(missing)} ms missing ` +
        `(pacat: ${besideBreaks}, ${milliseconds(rigMissing)} ms; ${own} without one in pacat); ` +
        `in: ${after.breaks} breaks (parec: ${rigBreaks}), ${after.lost} lost, ` +
        `${kept.toFixed(2)} % of the time`,
      memory: `${((after.rss - before.rss) / 1e6).toFixed(1)} MB`,
      load: `${((after.cpu - before.cpu) / seconds / 10).toFixed(1)} %`,
      tone: `${breaks} breaks (${own} without one in pacat), ${level.toFixed(3)} dB`,
    };
  };

function milliseconds(samples: number): string {
  return ((samples / outputRate) * 1000).toFixed(0);
}

async function speakUntil(
  end: AbortSignal,
  speak: (samples: Float32Array) => Promise<void>,
  rate: number,
): Promise<void> {
  const speech = new Tone(rate);
  // At the end, data that the pipe has not accepted is dropped.
  const ended = new Promise<void>((resolve) => {
    end.addEventListener('abort', () => {
      resolve();
    });
  });
  while (!end.aborted) await Promise.race([speak(speech.next(rate / 5)), ended]);
}
