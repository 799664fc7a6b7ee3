import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import type { DemoClip } from '../../electron/gateway/gateway-options.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { type CutPhrase, PhraseCutter } from '../../electron/talk/user-transcript/phrase-cutter.ts';
import { PhraseTranscriber } from '../../electron/talk/user-transcript/phrase-transcriber.ts';
import type { SessionEvent } from '../../electron/talk/session/session-event.ts';
import { openSession, type Session } from '../../electron/talk/session/session.ts';
import { englishPhrasePrompt } from '../../shared/i18n/en/prompts.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { inputRate, type Mode, outputRate } from '../../shared/protocol/realtime-api.ts';
import { seeded } from '../fakes/seeded.ts';
import { Child } from './conversation/child.ts';
import type { GatewayMessage } from './conversation/gateway.ts';
import { median } from '../../shared/statistics.ts';
import { printLine } from './bench-helpers.ts';

const block = inputRate / 50;
const windows = 8;
const windowMs = 5000;

/** Accuracy of phrase boundaries, cost of cutting phrases, and latency of a talk during transcription. */
export async function bench(): Promise<void> {
  const speech = await loadDemoSpeech('resources/speech');
  if (!speech.ok) throw new Error(speech.error.code);
  measurePlaces(speech.value.clips);
  await measureTalk(speech.value.clips);
}

/** Sentences with known times, from a microphone whose blocks arrive up to 30 ms late. */
function measurePlaces(clips: readonly DemoClip[]): void {
  const random = seeded(5);
  const phrases: CutPhrase[] = [];
  const cutter = new PhraseCutter((phrase) => phrases.push(phrase));
  const places: (readonly [number, number])[] = [];
  let ms = 0;
  let spent = 0;
  const push = (samples: Float32Array): void => {
    for (let at = 0; at + block <= samples.length; at += block) {
      ms += 20;
      const late = ms + random() * 30;
      const before = performance.now();
      cutter.push(samples.subarray(at, at + block), late, true);
      spent += performance.now() - before;
    }
  };
  for (const { audio, words } of clips) {
    push(new Float32Array(inputRate * 1.5));
    places.push([ms + (words[0]?.start ?? 0) * 1000, ms + (words.at(-1)?.end ?? 0) * 1000]);
    push(resample(audio, outputRate, inputRate));
  }
  push(new Float32Array(inputRate));
  const found = phrases.map(({ begunAt, samples }) => [begunAt, begunAt + samples.length / 16]);
  const early = places.map(([from], index) => from - (found[index]?.[0] ?? 0));
  const behind = places.map(([, to], index) => (found[index]?.[1] ?? 0) - to);
  printLine(`phrases: ${phrases.length} of ${places.length} sentences`);
  printLine(
    `they begin ${spread(early)} ms before the first word and end ${spread(behind)} ms after the last`,
  );
  printLine(`splitting takes ${((spent / ms) * 1000).toFixed(2)} ms per second of sound`);
}

/** Alternates talks with and without transcription. */
async function measureTalk(clips: readonly DemoClip[]): Promise<void> {
  const gateway = new Child<GatewayMessage>('gateway.ts', [JSON.stringify({ options: {} })]);
  const { url } = await gateway.until('ready');
  const sockets = createWebSockets({ url, headers: {}, query: {}, insecure: false });
  const codec = createClientCodec(bufferBase64);
  const open = (mode: Mode, emit: (event: SessionEvent) => void): Session =>
    openSession(
      { mode, settings: {}, dialect: 'unified', chunkMs: 1000 },
      {
        sockets,
        clock: systemClock,
        random: Math.random,
        codec,
        emit,
        rememberDialect: () => undefined,
      },
    );
  const trips: [number[], number[]] = [[], []];
  const late: [number[], number[]] = [[], []];
  let isTranscribing = false;
  let written = 0;
  const talk = open('audio', (event) => {
    if (event.event === 'metrics' && event.roundTripMs !== undefined)
      trips[isTranscribing ? 1 : 0].push(event.roundTripMs);
  });
  const samples = clips.map(({ audio }) => resample(audio, outputRate, inputRate));
  const add = (): void => {
    const next = samples[written % samples.length];
    if (next !== undefined)
      writer.add({ talk: 'talk', at: written, server: 'server', samples: next });
  };
  const writer = new PhraseTranscriber({
    clock: systemClock,
    openSession: (_server, emit) => open('chat', emit),
    prompt: () => Promise.resolve(englishPhrasePrompt),
    onProgress: (_phrase, { state }) => {
      if (state !== 'written') return;
      written += 1;
      if (isTranscribing) add();
    },
    onStatus: () => undefined,
  });
  const began = performance.now();
  let given = 0;
  const microphone = setInterval(() => {
    for (; given < ((performance.now() - began) * inputRate) / 1000; given += block)
      talk.pushAudio(new Float32Array(block));
  }, 20);
  await wait(3000);
  for (let window = 0; window < windows; window += 1) {
    isTranscribing = window % 2 === 1;
    const loop = monitorEventLoopDelay({ resolution: 5 });
    loop.enable();
    if (isTranscribing) add();
    await wait(windowMs);
    loop.disable();
    late[isTranscribing ? 1 : 0].push(loop.percentile(99) / 1e6);
  }
  clearInterval(microphone);
  await writer.end();
  talk.end();
  gateway.leave();
  await gateway.end();
  const [alone, withTranscription] = [median(trips[0]), median(trips[1])];
  printLine(`${written} phrases transcribed during a talk, each by a server in another process`);
  printLine(
    `round trip of the talk: ${alone.toFixed(0)} ms without transcription, ${withTranscription.toFixed(0)} ms with it, ratio ${(withTranscription / alone).toFixed(3)}`,
  );
  printLine(
    `p99 delay of other work: ${median(late[0]).toFixed(1)} ms without, ${median(late[1]).toFixed(1)} ms with`,
  );
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  return `${median(values).toFixed(0)} (${(sorted[0] ?? 0).toFixed(0)} to ${(sorted.at(-1) ?? 0).toFixed(0)})`;
}
