import { describe, expect, it } from 'vitest';
import { readStartArguments } from '../../../../../electron/hosts/desktop/start-arguments.ts';

const read = (...given: readonly string[]) => readStartArguments(['parley', ...given]);

describe('the arguments of a start', () => {
  it.each([
    ['/home/a/my talk.parleytape', '/home/a/my talk.parleytape'],
    ['talk.PARLEYTAPE', 'talk.PARLEYTAPE'],
    ['/tapes/one/tape.ndjson', '/tapes/one/tape.ndjson'],
    [String.raw`C:\tapes\one\tape.ndjson`, String.raw`C:\tapes\one\tape.ndjson`],
  ])('name a tape: %s', (argument, tape) => {
    expect(read('--no-sandbox', argument).tape).toBe(tape);
  });

  it('name a tape that a desktop passes as a URL', () => {
    const link = "file:///home/%E6%9D%8E/my%20%22talk%22%20it's.parleytape";
    expect(read(link).tape).toBe(`/home/李/my "talk" it's.parleytape`);
    expect(read('file://elsewhere/talk.parleytape').tape).toBe('file://elsewhere/talk.parleytape');
  });

  it('choose the mini window', () => {
    expect(read('--mini').mini).toBe(true);
  });

  it.each([
    '.',
    '/work',
    '--load=/x.parleytape',
    'parley://start',
    'tape.ndjson.txt',
    'my-tape.ndjson',
  ])('name no tape: %s', (argument) => {
    expect(read(argument).tape).toBeUndefined();
  });

  it('name the last of several tapes, beside a link', () => {
    expect(read('a.parleytape', 'b.parleytape', 'parley://start')).toEqual({
      hidden: false,
      mini: false,
      link: 'parley://start',
      tape: 'b.parleytape',
    });
  });
});
