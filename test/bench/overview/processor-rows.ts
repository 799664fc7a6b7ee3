import sharp from 'sharp';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as breath } from 'node:timers/promises';
import { bufferBase64 } from '../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../shared/protocol/server-codec.ts';
import { seeded } from '../../fakes/seeded.ts';
import { runInTurns, processorMs, type Row } from './row.ts';
import { PictureThread } from '../../../electron/platform/pictures/picture-thread.ts';
import { createFrames } from '../../../electron/platform/pictures/pictures.ts';
import { planFrame } from '../../../electron/vision/prepare-frame.ts';
import { makeCameraPicture } from '../conversation/camera-frames.ts';
import { recordingBenchmark } from '../../../electron/app/machine-bench.ts';

const client = createClientCodec(bufferBase64);
const server = createServerCodec(bufferBase64);

const second = noise(16_000);

const append = (): string => client.encodeClientEvent({ kind: 'append', audio: second }, 'unified');

const bareAppend = (): string => bareEncode(second);

const sound = { kind: 'output', wire: 'unified', audio: noise(24_576) } as const;

const encodeDelta = () => server.encodeServerEvent(sound, 'unified');

const delta = asReceived(encodeDelta().join(''));

/** One character outside Latin-1 makes V8 store the frame with two bytes per character. */
const wideDelta = asReceived(
  server.encodeServerEvent({ ...sound, wire: 'legacy', text: '今天' }, 'legacy').join(''),
);

function bareEncode(samples: Float32Array): string {
  const audio = Buffer.from(samples.buffer).toString('base64');
  return JSON.stringify({ type: 'input.append', input: { audio } });
}

function bareDecode(text: string): Buffer {
  const frame = JSON.parse(text) as { readonly audio: string };
  return Buffer.from(frame.audio, 'base64');
}

/** A flat string, as a socket delivers it. */
function asReceived(text: string): string {
  return Buffer.from(text).toString();
}

function noise(samples: number): Float32Array {
  const random = seeded(1);
  return Float32Array.from({ length: samples }, () => random() - 0.5);
}

const rounds = { protocol: 21, pictures: 15, recorder: 9 };
const times = 20;

const each = (run: () => unknown) => (): number => {
  const before = performance.now();
  for (let time = 0; time < times; time += 1) run();
  return (performance.now() - before) / times;
};

async function compare(
  id: string,
  what: string,
  ours: () => unknown,
  bare: () => unknown,
): Promise<Row> {
  const found = await runInTurns(rounds.protocol, {
    baseline: each(bare),
    ours: each(ours),
    again: each(bare),
  });
  return { id, section: 'Protocol', what, unit: 'ms', beside: 'bare JSON and base64', ...found };
}

/** Encodes and decodes a second of sound. */
export const measureProtocol = async (): Promise<readonly Row[]> => [
  await compare('protocol.append', 'encoding a second of sound for the server', append, bareAppend),
  await compare(
    'protocol.delta',
    'decoding a second of an answer',
    () => client.decodeServerEvent(delta),
    () => bareDecode(delta),
  ),
  await compare(
    'protocol.wideDelta',
    'the same with Chinese text in it',
    () => client.decodeServerEvent(wideDelta),
    () => bareDecode(wideDelta),
  ),
];

const size = { width: 1280, height: 720 };

/** Time to prepare a camera frame for the server, compared with plain sharp. */
export async function measurePictures(): Promise<readonly Row[]> {
  const frames = createFrames(new PictureThread());
  const file = await makeCameraPicture(size.width, size.height);
  const { width, height } = planFrame(size, undefined, 1);
  const ours = async (): Promise<void> => {
    const done = await frames.prepare(file, (of) => planFrame(of, undefined, 1));
    if (!done.ok) throw new Error(done.error.code);
  };
  const plain = () =>
    sharp(file).resize(width, height, { fit: 'fill' }).jpeg({ quality: 80 }).toBuffer();
  const found = await runInTurns(rounds.pictures, {
    baseline: () => processorMs(plain),
    ours: () => processorMs(ours),
    again: () => processorMs(plain),
  });
  return [
    {
      id: 'pictures.frame',
      section: 'Pictures',
      what: 'preparing a 720p camera picture and comparing it with the last one',
      unit: 'ms of CPU time',
      beside: 'sharp alone: decode, resize, encode',
      ...found,
    },
  ];
}

const { seconds } = recordingBenchmark;

const asked = asReceived(append());

/** The baseline: writes every frame as a line. */
async function log(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-overview-'));
  try {
    const file = createWriteStream(join(folder, 'frames.ndjson'));
    for (let second = 0; second < seconds; second += 1) {
      file.write(`${JSON.stringify({ at: second, sent: asked })}\n`);
      file.write(`${JSON.stringify({ at: second, received: delta })}\n`);
      await breath();
    }
    file.end();
    await once(file, 'close');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function tape(): Promise<void> {
  const recorded = await recordingBenchmark.work();
  if (!recorded.ok) throw new Error(recorded.error.code);
}

const aSecondOf = (work: () => Promise<void>) => async (): Promise<number> =>
  (await processorMs(work)) / seconds;

/** Processor time to record a second of a talk, compared with a bare log of its frames. */
export async function measureRecorder(): Promise<readonly Row[]> {
  const plain = aSecondOf(log);
  const found = await runInTurns(rounds.recorder, {
    baseline: plain,
    ours: aSecondOf(tape),
    again: plain,
  });
  return [
    {
      id: 'recorder.second',
      section: 'Recorder',
      what: 'recording a second of a talk: frames, both voices as 16-bit WAV, checksums',
      unit: 'ms of CPU time',
      beside: 'a bare log of the frames',
      ...found,
    },
  ];
}
