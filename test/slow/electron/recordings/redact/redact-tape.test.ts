import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../../../../electron/platform/files/file-storage.ts';
import { unpackTape } from '../../../../../electron/platform/files/zip.ts';
import { PictureThread } from '../../../../../electron/platform/pictures/picture-thread.ts';
import { createFrames } from '../../../../../electron/platform/pictures/pictures.ts';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { redactTape } from '../../../../../electron/recordings/redact/redact-tape.ts';
import { knownValues, maskText } from '../../../../../electron/recordings/redact/redact-text.ts';
import { decodeWav } from '../../../../../shared/audio/wav.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../../shared/protocol/json.ts';
import { recordTalk } from '../../../../fixtures/record-talk.ts';
import { readableShape, redact } from '../../../../fixtures/replay-tape.ts';
import { putStoredTape, renderInSteps, tapeIn } from '../../../../fixtures/stored-tape.ts';

const files = createFiles();
let place = '';
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'parley-redacted-'));
});
afterEach(() => rm(place, { recursive: true }));

async function redacted(folder: string): Promise<string> {
  const into = join(place, 'redacted');
  const deps = { files, base64: bufferBase64, frames: createFrames(new PictureThread()) };
  const made = await redactTape(folder, into, deps);
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  return into;
}

async function example(name: string): Promise<string> {
  const path = new URL(`../../../../../resources/tapes/${name}.parleytape`, import.meta.url);
  const unpacked = await unpackTape(path.pathname);
  if (!unpacked.ok) throw new Error(unpacked.error.code);
  const folder = join(place, name);
  await rename(unpacked.value.folder, folder);
  return folder;
}

const words = new Set(['added', 'detail', 'text', 'reason']);
const names = new Set(['device', 'missing', 'known', 'id', 'endpoint', 'address']);

/** Everything a replay shows, with times, without words or names. */
async function readFlow(folder: string): Promise<readonly string[]> {
  const tape = await tapeIn(folder, files);
  const { rendered } = await renderInSteps(tape);
  tape.close();
  return [...rendered.notices, ...rendered.marks, ...rendered.turns].map((shown) =>
    JSON.stringify(shown, (key, value: unknown) => {
      if (names.has(key) && typeof value === 'string') return '';
      return words.has(key) && typeof value === 'string' ? maskText(value) : value;
    }),
  );
}

async function soundOf(folder: string, name: string): Promise<Float32Array> {
  const wav = decodeWav(await readFile(join(folder, name)));
  if (!wav.ok) throw new Error(wav.error.code);
  return wav.value.samples;
}

const rms = (part: Float32Array): number =>
  Math.sqrt(part.reduce((sum, one) => sum + one * one, 0) / part.length);

function correlation(one: Float32Array, other: Float32Array): number {
  let product = 0;
  for (const [n, sample] of one.entries()) product += sample * (other[n] ?? 0);
  return Math.abs(product) / (one.length * rms(one) * rms(other) || 1);
}

async function allOf(folder: string): Promise<Buffer> {
  const all = (await readdir(folder)).map((name) => readFile(join(folder, name)));
  return Buffer.concat(await Promise.all(all));
}

describe('a redacted tape', () => {
  it.each(['voice', 'video', 'reconnect'])('of the example %s replays the same', async (name) => {
    const folder = await example(name);
    const into = await redacted(folder);
    expect(await readFlow(into)).toEqual(await readFlow(folder));
  });

  it.each([
    { shows: maskText('invalid_gertrude'), kind: 'error', atStep: 4, code: 'invalid_gertrude' },
    { shows: 'reconnecting', kind: 'drop', atStep: 4 },
    { shows: 'eventUnreadable', kind: 'garbage', atStep: 4, what: 'text' },
  ] as const)('shows a planted $kind without its words', async ({ shows, ...fault }) => {
    const folder = join(place, 'fault');
    await recordTalk(folder, files, {
      gateway: { faults: [{ session: 1, ...fault }] },
      hears: () => new Float32Array(320).fill(0.1),
      actions: [[9000, (talk) => talk.end()]],
    });
    const into = await redacted(folder);
    const flow = await readFlow(folder);
    expect(flow.join('')).toContain(shows);
    expect(await readFlow(into)).toEqual(flow);
    expect((await allOf(into)).toString().toLowerCase()).not.toContain('gertrude');
  });

  it('of a written conversation keeps its structure and none of its words', async () => {
    const folder = join(place, 'chat');
    putStoredTape('chat', folder);
    const into = await redacted(folder);
    const [was, is] = await Promise.all(
      [folder, into].map((each) => readFile(join(each, 'tape.ndjson'), 'utf8')),
    );
    const shape = (text = ''): readonly unknown[] =>
      text
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => {
          const { at, dir, frame } = JSON.parse(line) as {
            readonly at: number;
            readonly dir: string;
            readonly frame?: {
              readonly type: string;
              readonly kind?: string;
              readonly mode?: string;
            };
          };
          return [at, dir, frame?.type, frame?.kind, frame?.mode];
        });
    expect(shape(is)).toEqual(shape(was));
    expect(was).toContain('Reply with exactly: yes');
    expect(is).toContain('Xxxxx xxxx xxxxxxx: xxx');
    expect(is).not.toMatch(/Reply|exactly|Hello|picture of|I see/u);
  });

  it('contains no word, name or address of the original', async () => {
    const folder = await example('reconnect');
    const file = join(folder, 'tape.ndjson');
    const text = (await readFile(file, 'utf8'))
      .replace('"endpoint":"parley:demonstration"', '"endpoint":"wss://box.gertrude.example/talk"')
      .replace(
        '"frame":{"type":"session.created"',
        '"frame":{"type":"session.created","owner":"Gertrude","Gertrudes":{"phone":5551234}',
      );
    await writeFile(file, text);
    const into = await redacted(folder);
    const made = (await allOf(into))
      .toString('latin1')
      .replaceAll(/"\w+":/gu, '')
      .toLowerCase();
    const said = [
      ...text.matchAll(
        /"(?:text|full_text|instructions|system_prompt|content|device|missing|message|known)":"([^"]+)"/gu,
      ),
    ]
      .flatMap(([, value = '']) => value.match(/\p{L}{4,}/gu) ?? [])
      .map((word) => word.toLowerCase());
    expect(new Set(said).size).toBeGreaterThan(15);
    // Names of the protocol are public.
    const ours = new Set([...knownValues].flatMap((value) => value.toLowerCase().split(/[._-]/u)));
    for (const word of [...new Set(said), 'gertrude', '5551234', 'box.'])
      if (!ours.has(word))
        expect(made).not.toMatch(new RegExp(String.raw`(?<!\p{L})${word}(?!\p{L})`, 'u'));
  });

  it('has the level of the original every 20 ms and nothing else of its sound', async () => {
    const folder = await example('voice');
    const into = await redacted(folder);
    for (const [name, rate] of [
      ['microphone.wav', 16_000],
      ['answer.wav', 24_000],
    ] as const) {
      const [was, is] = [await soundOf(folder, name), await soundOf(into, name)];
      expect(is.length).toBe(was.length);
      expect(correlation(was, is)).toBeLessThan(0.1);
      const stretch = rate / 50;
      for (let at = 0; at + stretch <= was.length; at += stretch)
        expect(rms(is.subarray(at, at + stretch))).toBeCloseTo(
          rms(was.subarray(at, at + stretch)),
          4,
        );
    }
  });

  it('has pictures of the same size without any detail', async () => {
    const folder = await example('video');
    const into = await redacted(folder);
    const pictures = (await readdir(into)).filter((name) => name.startsWith('frame-'));
    expect(pictures.length).toBe(3);
    for (const name of pictures) {
      const [was, is] = [await readFile(join(folder, name)), await readFile(join(into, name))];
      expect(is.includes(was.subarray(was.length >> 1, (was.length >> 1) + 64))).toBe(false);
      const [one, other] = [await sharp(was).metadata(), await sharp(is).metadata()];
      expect([other.width, other.height]).toEqual([one.width, one.height]);
      // A blurred picture has only gentle slopes.
      const { width } = one;
      const edges = async (file: Buffer) => {
        const raw = await sharp(file).greyscale().raw().toBuffer();
        let steepest = 0;
        for (const [n, point] of raw.entries())
          if (n % width !== 0) steepest = Math.max(steepest, Math.abs(point - (raw[n - 1] ?? 0)));
        return steepest;
      };
      expect(await edges(was)).toBeGreaterThan(60);
      expect(await edges(is)).toBeLessThan(20);
    }
  });
});

/** Removes media from a line; other tests cover them. */
const withoutMedia = (line: JsonObject) =>
  JSON.parse(JSON.stringify(line), (_key, value: JsonValue) =>
    isJsonObject(value) && ('$sound' in value || '$file' in value) ? 'media' : value,
  ) as JsonObject;

const flows = new URL('../../../../fixtures/flows/', import.meta.url).pathname;

async function linesOfFlows() {
  const lines: JsonObject[] = [];
  for (const name of readdirSync(flows).filter((file) => file.endsWith('.parleytape'))) {
    const unpacked = await unpackTape(`${flows}${name}`);
    if (!unpacked.ok) throw new Error(unpacked.error.code);
    const { folder, remove } = unpacked.value;
    const [, ...rows] = readFileSync(`${folder}/tape.ndjson`, 'utf8').trimEnd().split('\n');
    for (const row of rows) {
      const { frame, end, event } = withoutMedia(JSON.parse(row) as JsonObject);
      const said = frame ?? end ?? event;
      // One server sends an unknown event on purpose.
      if (isJsonObject(said) && said['type'] !== 'response.unit.started') lines.push(said);
    }
    await remove();
  }
  return lines;
}

it('redaction keeps the readable shape of every wire frame in the tapes of all flows', async () => {
  const lines = await linesOfFlows();
  expect(lines.length).toBeGreaterThan(500);
  const changed = lines.filter(
    (line) => JSON.stringify(readableShape(redact(line))) !== JSON.stringify(readableShape(line)),
  );
  expect(changed).toEqual([]);
});
