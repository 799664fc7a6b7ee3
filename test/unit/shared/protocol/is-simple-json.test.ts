import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { decodeServerEvent } from '../../../../shared/protocol/client-codec.ts';
import { isSimpleJson } from '../../../../shared/protocol/json.ts';

function kindOf(text: string): string {
  return decodeServerEvent(text, bufferBase64).kind;
}

const about = '"type":"response.listen"';

it.each([
  ['many metrics', `{${about},"metrics":{${'"n":1,'.repeat(1000)}"m":2}}`],
  ['brackets in a text', `{${about},"x":"${'[{,'.repeat(300_000)}"}`],
  ['quotes in a text', `{${about},"x":"${String.raw`\"`.repeat(100_000)}","y":"\\\\"}`],
  [
    'a text that ends with a backslash',
    `{${about},"x":"[[[[\\\\","y":${'['.repeat(50)}${']'.repeat(50)}}`,
  ],
  ['brackets behind an escaped quote', `{${about},"x":"${String.raw`\"`}${'['.repeat(70)}"}`],
  ['many lists beside each other', `{${about},"x":[${'[],'.repeat(100)}[]]}`],
  ['depth that there may be', `{${about},"x":${'['.repeat(60)}${']'.repeat(60)}}`],
])('JSON is parsed with %s', (_name, text) => {
  expect(kindOf(text)).toBe('listen');
});

it.each([
  ['lists in lists', `{${about},"x":${'['.repeat(65)}${']'.repeat(65)}}`],
  ['a million of them', `{${about},"x":${'['.repeat(1e6)}${']'.repeat(1e6)}}`],
  ['items without end', `{${about},"x":[${'0,'.repeat(20_000)}0]}`],
  ['fields without end', `{${about},${'"n":1,'.repeat(20_000)}"m":2}`],
  ['nothing but space', `{${about}${' '.repeat(200_000)}}`],
  ['lists behind a text that ends', `{${about},"x":"\\\\","y":${'['.repeat(70)}${']'.repeat(70)}}`],
])('JSON is not parsed with %s', (_name, text) => {
  expect(JSON.parse(text)).toBeDefined();
  expect(decodeServerEvent(text, bufferBase64)).toEqual({
    kind: 'malformed',
    problem: 'The server sent more JSON than any event has.',
  });
});

it('an endless string is rejected at once', () => {
  expect(decodeServerEvent(`{${about},"x":"so`, bufferBase64)).toEqual({
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
  ])('is parsed, and one more is not: %s', (_name, json, most) => {
    expect([isSimpleJson(json(most)), isSimpleJson(json(most + 1))]).toEqual([true, false]);
  });

  it('text is parsed whole if it has backslashes, and at any length if it has none', () => {
    const escaped = (letters: number) => `"${String.raw`\n`}${'n'.repeat(letters - 2)}"`;
    const plain = `"${'n'.repeat(500)}"`;
    const frame = (...texts: readonly string[]) => isSimpleJson(`[${texts.join(',')}]`, 100);
    expect([frame(escaped(99)), frame(escaped(100))]).toEqual([true, false]);
    expect([frame(plain, escaped(49), plain, escaped(49), plain)]).toEqual([true]);
    expect([frame(plain, escaped(49), plain, escaped(50), plain)]).toEqual([false]);
    expect(frame(plain)).toBe(true);
  });
});

it('names and messages are cut and names kept on one line, and their text is never obeyed', () => {
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
