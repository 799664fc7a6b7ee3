import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createStreamLog } from '../../electron/app/process-log.ts';
import { FakeLog } from '../fakes/fake-log.ts';

function streamLog() {
  const stream = new PassThrough();
  const log = createStreamLog(stream);
  return {
    log,
    lines: () =>
      String(stream.read() ?? '')
        .split('\n')
        .filter(Boolean),
  };
}

function fakeLog() {
  const log = new FakeLog();
  return { log, lines: () => log.lines };
}

describe.each([
  { name: 'stream log', create: streamLog },
  { name: 'fake log', create: fakeLog },
])('the $name', ({ create }) => {
  it('writes one line per entry, with its level, in order', () => {
    const { log, lines } = create();
    log.write('info', 'first');
    log.write('error', 'second');
    expect(lines()).toEqual(['parley info: first', 'parley error: second']);
  });

  it('puts a multi-line message on one line', () => {
    const { log, lines } = create();
    log.write('warn', 'one\ntwo');
    expect(lines()).toEqual(['parley warn: one two']);
  });
});

it('escapes control characters and limits the length', () => {
  const { log, lines } = streamLog();
  log.write('warn', `\u001b[2J\u202e${'x'.repeat(100_000)}`);
  expect(lines().join('')).toMatch(/^parley warn: \[2Jx{3900,4000}… \(\d+\)$/);
});
