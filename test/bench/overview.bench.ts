import sharp from 'sharp';
import {
  writeFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  createWriteStream,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as breath } from 'node:timers/promises';
import { _electron, type ElectronApplication } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Stop } from '../../scripts/lib/stop.mjs';
import { findElectron } from '../../scripts/lib/electron-runtime.mjs';
import { inRoot } from '../../scripts/lib/root.mjs';
import { displayVerdict } from '../../scripts/lib/display.mjs';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { PictureThread } from '../../electron/platform/pictures/picture-thread.ts';
import { createFrames } from '../../electron/platform/pictures/pictures.ts';
import { planFrame } from '../../electron/vision/prepare-frame.ts';
import { recordingBenchmark } from '../../electron/app/machine-bench.ts';
import { seeded } from '../fakes/seeded.ts';
import { raisePriority, raiseSessionPriority, priorityInWords, option } from './bench-helpers.ts';
import { measureConversation, measureSound } from './overview/sound-rows.ts';
import {
  judgeBy,
  overviewPage,
  readBudget,
  type Row,
  runInTurns,
  processorMs,
} from './overview/row.ts';
import { makeCameraPicture } from './conversation/camera-frames.ts';

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

const processorRounds = { protocol: 21, pictures: 15, recorder: 9 };
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
  const found = await runInTurns(processorRounds.protocol, {
    baseline: each(bare),
    ours: each(ours),
    again: each(bare),
  });
  return { id, section: 'Protocol', what, unit: 'ms', beside: 'bare JSON and base64', ...found };
}

/** Encodes and decodes a second of sound. */
const measureProtocol = async (): Promise<readonly Row[]> => [
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
async function measurePictures(): Promise<readonly Row[]> {
  const frames = createFrames(new PictureThread());
  const file = await makeCameraPicture(size.width, size.height);
  const { width, height } = planFrame(size, undefined, 1);
  const ours = async (): Promise<void> => {
    const done = await frames.prepare(file, (of) => planFrame(of, undefined, 1));
    if (!done.ok) throw new Error(done.error.code);
  };
  const plain = () =>
    sharp(file).resize(width, height, { fit: 'fill' }).jpeg({ quality: 80 }).toBuffer();
  const found = await runInTurns(processorRounds.pictures, {
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
async function measureRecorder(): Promise<readonly Row[]> {
  const plain = aSecondOf(log);
  const found = await runInTurns(processorRounds.recorder, {
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

const settlesMs = 8000;
const requests = 400;

interface DesktopStats {
  readonly memory: number;
  readonly answer: number;
}

/** Memory of the idle window, and the core's response time to its page. */
async function measureDesktop(): Promise<readonly Row[]> {
  const electron = await findElectron({ retry: false });
  if ('reason' in electron) throw new Error(electron.reason);
  const { executable } = electron;
  const blank = join('test', 'bench', 'overview', 'blank', 'main.mjs');
  const baseline = await measureProgram(executable, inRoot(blank));
  const ours = await measureProgram(executable, inRoot());
  const again = await measureProgram(executable, inRoot(blank));
  const row = (
    id: string,
    what: string,
    unit: string,
    of: (stats: DesktopStats) => number,
  ): Row => ({
    id,
    section: 'Window',
    what,
    unit,
    ours: of(ours),
    beside: 'a blank window of the same Electron',
    baseline: of(baseline),
    again: of(again),
  });
  return [
    row('desktop.memory', 'memory of all processes while idle (PSS)', 'MB', ({ memory }) => memory),
    row('desktop.answer', 'round trip of a request from the page', 'ms', ({ answer }) => answer),
  ];
}

async function measureProgram(executablePath: string, program: string): Promise<DesktopStats> {
  const home = mkdtempSync(join(tmpdir(), 'parley-desktop-'));
  const app = await _electron.launch({
    executablePath,
    args: [program, '--lang=en-GB', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...process.env, XDG_CONFIG_HOME: home, PARLEY_STATE_DIR: home },
  });
  try {
    const memory = await memoryOf(app);
    return { memory, answer: await answerTime(app) };
  } finally {
    await app.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function memoryOf(app: ElectronApplication): Promise<number> {
  await app.firstWindow();
  await delay(settlesMs);
  const pids = await app.evaluate(({ app }) => app.getAppMetrics().map(({ pid }) => pid));
  return pids.reduce((sum, pid) => sum + pssMb(pid), 0);
}

/** Proportional set size: shared pages count in part for each process. */
function pssMb(pid: number): number {
  if (!readdirSync('/proc').includes(String(pid))) return 0;
  const found = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(found ?? Number.NaN) / 1024;
}

async function answerTime(app: ElectronApplication): Promise<number> {
  const page = await app.firstWindow();
  return page.evaluate(async (requests) => {
    const { parley } = globalThis as unknown as {
      readonly parley: { readonly request: (name: string) => Promise<unknown> };
    };
    // Measures many, because a page's clock is coarse.
    const began = performance.now();
    for (let sent = 0; sent < requests; sent += 1) await parley.request('windows');
    return (performance.now() - began) / requests;
  }, requests);
}

const rounds = 7;

/** Time from process start to the window's first content. */
async function measureStartup(): Promise<readonly Row[]> {
  const electron = await findElectron({ retry: false });
  if ('reason' in electron) throw new Error(electron.reason);
  const screen = await displayVerdict();
  if ('reason' in screen) throw new Error(screen.reason);
  const homes = ['parley', 'blank', 'again'].map((name) =>
    mkdtempSync(join(tmpdir(), `parley-${name}-`)),
  );
  const [parley = '', blank = '', again = ''] = homes;
  const { executable } = electron;
  try {
    const found = await runInTurns(rounds, {
      baseline: () => startWindow(executable, 'blank', blank),
      ours: () => startWindow(executable, 'parley', parley),
      again: () => startWindow(executable, 'blank', again),
    });
    return [
      {
        id: 'startup.window',
        section: 'Start',
        what: 'from process start to the first content of the window',
        unit: 'ms',
        beside: 'a blank window of the same Electron',
        ...found,
      },
    ];
  } finally {
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
}

/** Milliseconds from process start to the window's first content. */
async function startWindow(
  executable: string,
  which: 'parley' | 'blank',
  home: string,
): Promise<number> {
  const main = pathToFileURL(inRoot('out', 'main', 'main.js')).href;
  const began = Date.now();
  const child = spawn(
    executable,
    [
      inRoot('test', 'bench', 'window', 'measured-window.mjs'),
      ...(which === 'parley' ? [`--parley=${main}`] : []),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--lang=en-GB',
    ],
    {
      env: { ...process.env, XDG_CONFIG_HOME: home, PARLEY_STATE_DIR: home },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  await once(child, 'close');
  const paintedAt = /painted ([\d.]+)/.exec(said)?.[1];
  if (paintedAt === undefined) throw new Error(`The ${which} window reported no paint.`);
  return Number(paintedAt) - began;
}

const sections: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  protocol: measureProtocol,
  pictures: measurePictures,
  recorder: measureRecorder,
  startup: measureStartup,
  desktop: measureDesktop,
  sound: measureSound,
  conversation: measureConversation,
};

/**
 * An overview of all measurements, each compared with a baseline of the same run. `--only protocol,sound` selects some,
 * `--json FILE` writes JSON, `--check` fails on a broken budget.
 */
export async function bench(): Promise<void> {
  const only = option('--only')?.split(',');
  const unknown = only?.filter((name) => sections[name] === undefined) ?? [];
  if (unknown.length > 0)
    throw new Stop(
      `Unknown part ${unknown.join(', ')}; known: ${Object.keys(sections).join(', ')}.`,
      2,
    );
  raiseSessionPriority();
  raisePriority(process.pid);
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(sections)) {
    if (only?.includes(name) === false) continue;
    process.stderr.write(`${name}…\n`);
    rows.push(...(await measure()));
  }
  const judge = judgeBy(readBudget());
  const judged = rows.map((row) => ({ row, verdict: judge(row) }));
  process.stdout.write(`${priorityInWords}\n${overviewPage(judged)}`);
  const file = option('--json');
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(judged, undefined, 2)}\n`);
  const broken = judged.filter(({ verdict }) => verdict.judgement === 'broken');
  if (process.argv.includes('--check') && broken.length > 0)
    throw new Stop(`Over budget: ${broken.map(({ row }) => row.id).join(', ')}.`, 1);
}
