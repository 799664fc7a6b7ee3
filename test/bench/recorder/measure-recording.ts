import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SincResampler } from '../../../electron/audio/dsp/sinc-resampler.ts';
import type { DemoSpeech } from '../../../electron/gateway/gateway-options.ts';
import { loadDemoSpeech } from '../../../electron/platform/files/demo-speech.ts';
import { createFiles } from '../../../electron/platform/files/file-storage.ts';
import { PictureThread } from '../../../electron/platform/pictures/picture-thread.ts';
import { createFrames } from '../../../electron/platform/pictures/pictures.ts';
import { planFrame } from '../../../electron/vision/prepare-frame.ts';
import type { WavEncoding } from '../../../shared/audio/wav.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../fakes/seeded.ts';
import { blockMs, recordTalk, type TalkScript } from '../../fixtures/record-talk.ts';
import { quantile } from '../../../shared/statistics.ts';
import { AppendWatch } from '../conversation/append-watch.ts';
import { makeFrames } from '../conversation/camera-frames.ts';
import { formatTimes } from '../conversation/measure.ts';
import { Rig } from '../conversation/rig.ts';

/** Recording alternates off and on, so that other load affects both. */
const pairs = 3;
const rounds = 7;
const settleMs = 600;

/** Latencies in milliseconds, and processor time, of some talks. */
interface TalkCosts {
  readonly micToServer: number[];
  readonly serverToSound: number[];
  readonly clickToSilence: number[];
  cpuMs: number;
  wallMs: number;
}

const noCosts = (): TalkCosts => ({
  micToServer: [],
  serverToSound: [],
  clickToSilence: [],
  cpuMs: 0,
  wallMs: 0,
});

/** Measures the same talks with camera, recorded and not recorded. */
export async function measureRecording(): Promise<readonly string[]> {
  const [without, recorded] = [noCosts(), noCosts()];
  for (let pair = 0; pair < pairs; pair += 1) {
    await holdTalk(false, without, pair);
    await holdTalk(true, recorded, pair);
  }
  const cost = coreShare(recorded) - coreShare(without);
  return [
    'A talk with camera, with and without a tape, alternating',
    ...compared('a chunk captured → at the server', without.micToServer, recorded.micToServer),
    ...compared('first delta → first sound', without.serverToSound, recorded.serverToSound),
    ...compared('interrupt → silence', without.clickToSilence, recorded.clickToSilence),
    `  all of Parley: ${percent(coreShare(without))} of a core without a tape, ${percent(coreShare(recorded))} with one, difference ${percent(cost)}`,
  ];
}

async function holdTalk(tape: boolean, costs: TalkCosts, seed: number): Promise<void> {
  const random = seeded(11 + seed);
  const rig = await Rig.open({
    options: {},
    mode: 'video',
    dialect: 'unified',
    toneSeconds: 20,
    recorded: tape,
  });
  try {
    const appends = new AppendWatch(rig);
    const before = await rig.stats();
    const began = performance.now();
    for (let round = 0; round < rounds; round += 1) {
      const { at: saidAt } = await rig.ask();
      await wait(1500 + random() * 1000);
      const { monitor } = rig;
      const heard = monitor.firstLoud(monitor.sampleAt(saidAt));
      if (heard !== undefined) costs.serverToSound.push(monitor.timeOf(heard) - saidAt);
      const at = await rig.interrupt();
      const listens = rig.listenStep();
      await wait(settleMs);
      const last = monitor.lastLoud(monitor.sampleAt(saidAt), monitor.sampleAt(at + settleMs / 2));
      if (last !== undefined) costs.clickToSilence.push(monitor.timeOf(last) - at);
      await listens;
      await wait(settleMs);
    }
    const after = await rig.stats();
    appends.end();
    costs.micToServer.push(...appends.delaysMs);
    costs.cpuMs += after.cpu - before.cpu;
    costs.wallMs += performance.now() - began;
  } finally {
    await rig.end();
  }
}

/** Share of one core. */
const coreShare = ({ cpuMs, wallMs }: TalkCosts): number => cpuMs / wallMs;

const percent = (part: number): string => `${(part * 100).toFixed(2)} %`;

function compared(
  what: string,
  without: readonly number[],
  recorded: readonly number[],
): readonly string[] {
  const ratio = (of: number): string => (quantile(recorded, of) / quantile(without, of)).toFixed(2);
  return [
    `  ${what}: ${ratio(0.5)}× median, ${ratio(0.95)}× p95`,
    `      without ${formatTimes(without)}`,
    `      with    ${formatTimes(recorded)}`,
  ];
}

type TalkAction = TalkScript['actions'][number];

const minutes = 10;
/** A two-second question every twelve seconds, and an answer. */
const everyMs = 12_000;
/** A quiet room, about 60 dB below full scale. */
const roomLevel = 0.001;

/** Disk space of ten minutes of a talk with camera, by kind of data. */
export async function measureTapeBytes(): Promise<readonly string[]> {
  const lines = [`${minutes} minutes of a talk with camera, one picture per second`];
  for (const sound of ['float32', 'pcm16'] as const) lines.push(...(await measureCoding(sound)));
  return lines;
}

async function measureCoding(sound: WavEncoding['coding']): Promise<readonly string[]> {
  const speech = await loadDemoSpeech('resources/speech');
  if (!speech.ok) throw new Error(speech.error.code);
  const folder = mkdtempSync(join(tmpdir(), 'parley-bytes-'));
  try {
    const pictures = await framesAsSent(join(folder, 'frames'));
    const tape = join(folder, 'tape');
    mkdirSync(tape);
    await recordTalk(tape, createFiles(), {
      sound,
      mode: 'video',
      speech: speech.value,
      hears: createUser(speech.value),
      bothSides: true,
      actions: [
        ...Array.from({ length: minutes * 60 }, (_none, n): TalkAction => [
          1000 * n + 500,
          (talk) => {
            talk.pushFrame(pictures[n % pictures.length]);
          },
        ]),
        // A session with video lasts five minutes.
        [
          (minutes / 2) * 60_000 + 1000,
          (talk) => {
            talk.continueTalk('transcript');
          },
        ],
        [
          minutes * 60_000,
          (talk) => {
            talk.end();
          },
        ],
      ],
      endsAfterMs: (minutes + 1) * 60_000,
    });
    return sizesOf(sound, tape);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sizesOf(sound: WavEncoding['coding'], tape: string): readonly string[] {
  const sizes = new Map<string, number>();
  for (const name of readdirSync(tape)) {
    const kind = name.startsWith('frame-') ? 'pictures' : name;
    sizes.set(kind, (sizes.get(kind) ?? 0) + statSync(join(tape, name)).size);
  }
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  const parts = [...sizes].map(([kind, size]) => `${kind} ${megabytes(size)}`);
  return [`  ${sound.padEnd(7)} ${megabytes(all)}: ${parts.join(', ')}`];
}

/** Frames at the window's default size: 720p from the camera, reduced to what the model can see. */
async function framesAsSent(folder: string): Promise<readonly Uint8Array[]> {
  await makeFrames(folder, 20);
  const frames = createFrames(new PictureThread());
  const sent: Uint8Array[] = [];
  for (const name of readdirSync(folder)) {
    const picture = readFileSync(join(folder, name));
    const frame = await frames.prepare(picture, (size) => planFrame(size, undefined, 1));
    if (!frame.ok) throw new Error(frame.error.code);
    sent.push(frame.value.jpeg);
  }
  return sent;
}

/** A user in a quiet room, who sometimes says a recorded sentence. */
function createUser({ clips }: DemoSpeech): (ms: number) => Float32Array {
  const random = seeded(5);
  const voices = clips.map(({ audio }) => new SincResampler(outputRate, inputRate).convert(audio));
  return (ms) => {
    const voice = voices[Math.floor(ms / everyMs) % voices.length];
    const from = ((ms % everyMs) * inputRate) / 1000;
    return Float32Array.from(
      { length: (blockMs * inputRate) / 1000 },
      (_none, n) => (voice?.[from + n] ?? 0) * 0.5 + (random() - 0.5) * 2 * roomLevel,
    );
  };
}
