import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { decodeServerEvent } from '../../../../shared/protocol/decode-server-event.ts';
import { isSimpleJson } from '../../../../shared/protocol/json.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';

function kindOf(text: string): string {
  return decodeServerEvent(text, bufferBase64).kind;
}

const type = '"type":"response.listen"';

it.each([
  ['many metrics', `{${type},"metrics":{${'"n":1,'.repeat(1000)}"m":2}}`],
  ['brackets in a text', `{${type},"x":"${'[{,'.repeat(300_000)}"}`],
  ['quotes in a text', `{${type},"x":"${String.raw`\"`.repeat(100_000)}","y":"\\\\"}`],
  [
    'a text that ends with a backslash',
    `{${type},"x":"[[[[\\\\","y":${'['.repeat(50)}${']'.repeat(50)}}`,
  ],
  ['brackets behind an escaped quote', `{${type},"x":"${String.raw`\"`}${'['.repeat(70)}"}`],
  ['many sibling lists', `{${type},"x":[${'[],'.repeat(100)}[]]}`],
  ['the allowed depth', `{${type},"x":${'['.repeat(60)}${']'.repeat(60)}}`],
])('JSON is parsed with %s', (_name, text) => {
  expect(kindOf(text)).toBe('listen');
});

it.each([
  ['nested lists', `{${type},"x":${'['.repeat(65)}${']'.repeat(65)}}`],
  ['a million nested lists', `{${type},"x":${'['.repeat(1e6)}${']'.repeat(1e6)}}`],
  ['too many items', `{${type},"x":[${'0,'.repeat(20_000)}0]}`],
  ['too many fields', `{${type},${'"n":1,'.repeat(20_000)}"m":2}`],
  ['too much white space', `{${type}${' '.repeat(200_000)}}`],
  ['nested lists after a text', `{${type},"x":"\\\\","y":${'['.repeat(70)}${']'.repeat(70)}}`],
])('JSON is not parsed with %s', (_name, text) => {
  expect(JSON.parse(text)).toBeDefined();
  expect(decodeServerEvent(text, bufferBase64)).toEqual({
    kind: 'malformed',
    problem: 'The server sent more JSON than any event has.',
  });
});

it('a string without an end is rejected', () => {
  expect(decodeServerEvent(`{${type},"x":"so`, bufferBase64)).toEqual({
    kind: 'malformed',
    problem: 'The server sent something that is not a JSON object.',
  });
});

describe('JSON at the exact limit', () => {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const long = (items: number) => `[${'0,'.repeat(items - 1)}0]`;
  const wide = (letters: number) => `[${' '.repeat(letters - 2)}]`;

  it.each([
    ['depth', deep, 64],
    ['items, with the list that they are in', long, 20_000],
    ['letters outside of texts', wide, 200_000],
  ])('is parsed, but one more is not: %s', (_name, json, most) => {
    expect([isSimpleJson(json(most)), isSimpleJson(json(most + 1))]).toEqual([true, false]);
  });

  it('counts only texts with backslashes', () => {
    const escaped = (letters: number) => `"${String.raw`\n`}${'n'.repeat(letters - 2)}"`;
    const plain = `"${'n'.repeat(500)}"`;
    const frame = (...texts: readonly string[]) => isSimpleJson(`[${texts.join(',')}]`, 100);
    expect([frame(escaped(99)), frame(escaped(100))]).toEqual([true, false]);
    expect(frame(plain, escaped(49), plain, escaped(49), plain)).toBe(true);
    expect(frame(plain, escaped(49), plain, escaped(50), plain)).toBe(false);
    expect(frame(plain)).toBe(true);
  });
});

it('names and messages are cut and lose control characters, and metrics are at most a hundred', () => {
  const long = '\u202e\u001b[31m' + 'n'.repeat(100_000);
  const error = { code: long, message: `a\n${long}`, type: long };
  const text = JSON.stringify({ type: 'error', session_id: long, error });
  const event = decodeServerEvent(text, bufferBase64);
  if (event.kind !== 'error') throw new Error(event.kind);
  const name = `[31m${'n'.repeat(196)}…`;
  expect(event).toMatchObject({ code: name, type: name, sessionId: name });
  expect(event.message).toMatch(/^a\n\[31mn{1900,2000}$/);
  const unknown = decodeServerEvent(JSON.stringify({ type: long }), bufferBase64);
  expect(unknown).toMatchObject({ kind: 'unknown', type: name });
  const stats = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`n${at}`, at]));
  const listen = decodeServerEvent(
    JSON.stringify({ type: 'response.listen', metrics: stats, kv_cache_length: 7 }),
    bufferBase64,
  );
  if (listen.kind !== 'listen') throw new Error(listen.kind);
  expect(Object.keys(listen.metrics?.values ?? {})).toHaveLength(100);
  expect(listen.metrics?.contextTokens).toBe(7);
});

const { decodeClientEvent } = createServerCodec(bufferBase64);
const mebi = 1024 * 1024;

it('a prompt may have at most 1,048,576 characters', () => {
  const read = (length: number) =>
    decodeClientEvent(
      JSON.stringify({ type: 'session.init', payload: { system_prompt: 'n'.repeat(length) } }),
      'unified',
    );
  expect(read(mebi).kind).toBe('configure');
  expect(read(mebi + 1)).toEqual({
    kind: 'problem',
    code: 'invalid_payload',
    message: 'payload.system_prompt is longer than 1048576 characters',
  });
});

it('sound may be longer than the limit for texts', () => {
  // In base64, this is longer than the limit.
  const audio = bufferBase64.encode(new Uint8Array(mebi));
  const frame = JSON.stringify({ type: 'input.append', input: { audio } });
  expect(decodeClientEvent(frame, 'unified').kind).toBe('append');
});

it('a frame that would take long to parse is refused', () => {
  const problem = {
    kind: 'problem',
    code: 'invalid_payload',
    message: 'the frame has more JSON than any event has',
  };
  const deep = '['.repeat(100) + ']'.repeat(100);
  const escaped = String.raw`\n`.repeat(mebi);
  for (const json of [deep, `"${escaped}"`])
    expect(decodeClientEvent(`{"type":"session.init","payload":${json}}`, 'unified')).toEqual(
      problem,
    );
});

it('an infinite number is refused', () => {
  const frame = '{"type":"session.init","payload":{"config":{"top_p":1e999}}}';
  expect(decodeClientEvent(frame, 'unified')).toMatchObject({
    message: 'payload.config.top_p must be a number',
  });
});
