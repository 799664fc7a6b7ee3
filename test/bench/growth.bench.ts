import { loadavg, tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { option, printLine } from './bench-helpers.ts';
import { cpuTime } from '../fakes/cpu-time.ts';
import { LongTalk } from '../unit/electron/talk/long-talk.ts';
import { createDataFolder } from '../../electron/platform/files/data-folder.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { openResilientRecorder } from '../../electron/recordings/record/resilient-recorder.ts';
import { TalkTapes } from '../../electron/recordings/record/talk-tapes.ts';
import { header } from '../unit/electron/recordings/tape/recorder-harness.ts';
import { endedByUser } from '../unit/electron/talk/conversation-harness.ts';
import { TalkControllerHarness } from '../unit/electron/talk/talk-controller-harness.ts';
import { median } from '../../shared/statistics.ts';
import { inRoot } from '../../scripts/lib/root.mjs';
import { serializeChat } from '../../electron/chat/stored-chat.ts';
import { serializeTalk, TalkSource } from '../../electron/recordings/history/talk-source.ts';
import type { Random } from '../../shared/ports/clock.ts';
import { openHistoryOf } from '../fakes/history-library.ts';
import { seeded } from '../fakes/seeded.ts';
import {
  createChatStore,
  createTalkStore,
} from '../../electron/platform/files/chat-and-talk-store.ts';
import { openHistoryIndex } from '../../electron/platform/history/history-index-thread.ts';
import { chatHistorySource } from '../../electron/recordings/history/chat-history-source.ts';

/**
 * Measures how costs grow with longer talks, more sessions, and more stored talks, chats and recordings. Fails if a cost
 * grows faster than expected. Costs are processor time, because other programs change it less than wall time.
 * `--only starts` measures how fast a talk starts.
 */
export async function bench(): Promise<void> {
  printLine('| what | of | cost | grows | why |\n| --- | --- | --- | --- | --- |');
  let wrong = 0;
  const only = option('--only');
  const all = [measureStored, measureStarts, measureTalking];
  for (const measure of only === 'starts' ? [measureStarts] : all)
    for (const row of await measure()) {
      printLine(formatRow(row));
      if (!isWithinExpectation(row)) wrong += 1;
    }
  printLine(`Load ${(loadavg()[0] ?? Number.NaN).toFixed(1)}; ${wrong} grow faster than expected.`);
  if (wrong > 0) process.exitCode = 1;
}

/** The cost of an operation at several sizes, and how it may grow. */
interface GrowthRow {
  readonly operation: string;
  readonly sizes: readonly number[];
  readonly sizeUnit: string;
  readonly costUnit: string;
  readonly costs: readonly number[];
  readonly expected: 'flat' | 'linear';
  readonly reason: string;
}

/** Ratio up to which costs count as equal on a shared machine. */
const equalRatio = 1.6;

/** Classifies the growth from the smallest to the largest size. */
function classifyGrowth({ sizes, costs }: GrowthRow): 'flat' | 'linear' | 'more than linear' {
  const grown = ratioOf(costs);
  if (grown <= equalRatio) return 'flat';
  return grown <= ratioOf(sizes) * equalRatio ? 'linear' : 'more than linear';
}

function ratioOf(values: readonly number[]): number {
  return (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN);
}

/** Slower growth than expected also passes. */
function isWithinExpectation(row: GrowthRow): boolean {
  const verdict = classifyGrowth(row);
  return verdict === 'flat' || verdict === row.expected;
}

function formatRow(row: GrowthRow): string {
  const { operation, sizes, sizeUnit, costUnit, costs, reason } = row;
  const found = sizes.map((size, at) => `${size}: ${(costs[at] ?? 0).toPrecision(3)}`).join(', ');
  const suffix = isWithinExpectation(row) ? '' : `, and NOT ${row.expected}`;
  return `| ${operation} | ${sizeUnit} | ${found} ${costUnit} | ${classifyGrowth(row)} (${ratioOf(costs).toFixed(2)})${suffix} | ${reason} |`;
}

const minuteMs = 60_000;
/** Minutes of talk that each result averages. */
const measuredMinutes = 2;

/** Measures growth with a talk's length and sessions, on a virtual clock with the embedded gateway. */
async function measureTalking(): Promise<readonly GrowthRow[]> {
  return [...(await measureLength()), await measureSessions()];
}

async function measureLength(): Promise<readonly GrowthRow[]> {
  const sizes = [1, 10, 60];
  const talk = new LongTalk(['unified', 'deployed'], 300);
  const [costs, heaps]: [number[], number[]] = [[], []];
  for (const minute of sizes) {
    talkUntil(talk, minute * minuteMs);
    heaps.push(heapMb());
    costs.push(await measureMinute(talk));
  }
  const sizeUnit = 'minutes of a talk so far';
  return [
    {
      operation: 'a minute of a talk',
      sizeUnit,
      sizes,
      costs,
      costUnit: 'ms of CPU time',
      expected: 'flat',
      reason: 'only a bounded transcript is kept',
    },
    {
      operation: 'memory in all',
      sizeUnit,
      sizes,
      costs: heaps,
      costUnit: 'MB',
      expected: 'linear',
      reason: 'the bench itself keeps a mark of each frame and each word',
    },
  ];
}

/** Each session is a new connection with a carry-over. */
async function measureSessions(): Promise<GrowthRow> {
  const sizes = [5, 20, 80];
  const talk = new LongTalk(['unified', 'deployed'], 20);
  const costs: number[] = [];
  for (const size of sizes) {
    while (talk.handOvers < size) talk.turn();
    costs.push(await measureMinute(talk));
  }
  return {
    operation: 'a minute of a talk',
    sizeUnit: 'sessions so far',
    sizes,
    costs,
    costUnit: 'ms of CPU time',
    expected: 'flat',
    reason: 'ended sessions are released, and the carry-over is bounded',
  };
}

function heapMb(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}

function talkUntil(talk: LongTalk, ms: number): void {
  while (talk.harness.clock.now() < ms) talk.turn();
}

/** Processor milliseconds per minute of the talk, averaged over the next two. */
async function measureMinute(talk: LongTalk): Promise<number> {
  const from = talk.harness.clock.now();
  const used = await cpuTime(() => {
    talkUntil(talk, from + measuredMinutes * minuteMs);
  }, 1);
  return (used * minuteMs) / (talk.harness.clock.now() - from);
}

const sizes = [0, 2000];
const rounds = 15;
/** Minimum files of a tape with video. */
const files = [
  'tape.ndjson',
  'microphone.wav',
  'answer.wav',
  'both.wav',
  'checksums.json',
  'a.jpg',
];

/** Time from click to connecting, and until the next talk can start, with few and many tapes, in turns. */
async function measureStarts(): Promise<readonly GrowthRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-growth-'));
  try {
    for (const size of sizes) fillTapes(join(folder, String(size)), size);
    return [await measure(folder, false), await measure(folder, true)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fillTapes(folder: string, count: number): void {
  for (let number = 0; number < count; number += 1) {
    const tape = join(folder, 'tapes', `tape-${number}`);
    mkdirSync(tape, { recursive: true });
    for (const name of files) writeFileSync(join(tape, name), 'x');
  }
}

async function measure(folder: string, keepTapes: boolean): Promise<GrowthRow> {
  const times: number[][] = sizes.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [at, size] of sizes.entries()) {
      const harness = harnessOn(join(folder, String(size)), keepTapes);
      const began = performance.now();
      await harness.live();
      // The next talk waits for this talk's tape.
      const ending = harness.controller.end();
      harness.session.close(endedByUser);
      await ending;
      times[at]?.push(performance.now() - began);
    }
  return {
    operation: `starting and ending a talk, ${keepTapes ? 'recorded' : 'not recorded'}`,
    sizeUnit: 'stored recordings',
    sizes,
    costs: times.map(median),
    costUnit: 'ms',
    expected: 'flat',
    reason: 'a start reads no recording and empties no trash',
  };
}

/** Uses real tape files; devices and server are fakes. */
function harnessOn(folder: string, keepTapes: boolean): TalkControllerHarness {
  const harness = new TalkControllerHarness();
  const files = createFiles();
  const tapes = new TalkTapes({
    folder: createDataFolder(join(folder, 'tapes')),
    openTape: (path, facts, onError) =>
      openResilientRecorder(
        path,
        { ...header, ...facts },
        { files, clock: harness.clock, base64: bufferBase64, onError },
      ),
    privacy: () => ({ keepTapes }),
    reportError: ({ code }) => {
      throw new Error(code);
    },
  });
  harness.connected = async () => {
    const tape = await tapes.begin('now', header);
    return { ok: true, value: { ...harness.server('one'), onEnded: tape.finish } };
  };
  return harness;
}

/** Measures growth with stored talks and chats. */
async function measureStored(): Promise<readonly GrowthRow[]> {
  const sizes = [50, 500, 2000];
  const part = { skip: 0, count: 50, filter: {} };
  const [found, looked]: [number[], number[]] = [[], []];
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-growth-'));
    fillHistory(folder, size);
    const { index, sync, library } = openLibrary(folder, inRoot('out', 'main', 'history-index.js'));
    await sync.rescan();
    looked.push(await cpuTime(() => sync.rescan()));
    found.push(await cpuTime(() => library.search('w12', part), 9));
    await index.close();
    rmSync(folder, { recursive: true });
  }
  const row = (operation: string, costs: readonly number[], reason: string): GrowthRow => ({
    operation,
    sizeUnit: 'stored talks and chats',
    sizes,
    costs,
    costUnit: 'ms of CPU time',
    expected: 'linear',
    reason,
  });
  return [
    row('a search', found, 'a larger history has more matches'),
    row('a rescan of the folders', looked, 'checks each folder for changes'),
  ];
}

const day = 86_400_000;
const begin = Date.UTC(2026, 0, 1);

/** Writes equal numbers of talks and chats, of 300 words each, forty a day. */
function fillHistory(folder: string, count: number): void {
  const random = seeded(count);
  for (let number = 0; number < count; number += 1) {
    const at = begin + (number * day) / 40;
    const id = `c${String(number)}`;
    if (number % 2 === 0)
      put(
        folder,
        'talks',
        new Date(at).toISOString().replaceAll(/[:.]/g, '-'),
        'talk.json',
        talk(at, random),
      );
    else put(folder, 'chats', id, 'conversation.json', chat(id, at, random));
  }
}

function put(folder: string, kind: string, id: string, name: string, text: string): void {
  mkdirSync(join(folder, kind, id), { recursive: true });
  writeFileSync(join(folder, kind, id, name), text);
}

function talk(at: number, random: Random): string {
  const turns = Array.from({ length: 6 }, (_, turn) => {
    const text = words(50, random);
    return { by: 'parley', at: turn * 1000, text, heard: text.length } as const;
  });
  return serializeTalk({
    title: '',
    pinned: false,
    mode: 'audio',
    server: { name: 'Studio' },
    begunAt: at,
    savedAt: at + 60_000,
    ending: { error: { code: 'noTalk', facts: {} }, by: 'client', orderly: true },
    turns,
    events: [],
    pictures: [],
  });
}

function chat(id: string, at: number, random: Random): string {
  const turn = {
    role: 'user',
    id: 'q',
    at,
    parts: [{ type: 'text', text: words(300, random) }],
  } as const;
  return serializeChat({
    id,
    title: 'A title',
    createdAt: at,
    updatedAt: at,
    pinned: false,
    turns: [turn],
    branches: [],
  });
}

function words(count: number, random: Random): string {
  const said = Array.from({ length: count }, () => `w${Math.floor(random() ** 2 * 8000)}`);
  if (random() < 0.1) said.push('谁知道黄河的源头在哪里？');
  return said.join(' ');
}

const nobody = (): Promise<never> => Promise.reject(new Error('unexpected question'));

/** Opens the history of a folder like the core; `entry` is the built index worker. */
function openLibrary(folder: string, entry: string) {
  const index = openHistoryIndex(join(folder, 'history'), entry);
  const path = join(folder, 'chats');
  const chats = chatHistorySource({
    store: createChatStore(folder),
    onDamaged: nobody,
    path,
  });
  return { index, ...openHistoryOf([new TalkSource(createTalkStore(folder)), chats], index) };
}
