import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { type InputLine, PipedLines } from '../../../../../electron/hosts/terminal/line-input.ts';

async function linesOf(...chunks: readonly (string | Buffer)[]): Promise<readonly InputLine[]> {
  const lines = new PipedLines(Readable.from(chunks));
  const all: InputLine[] = [];
  for (;;) {
    const line = await lines.next();
    all.push(line);
    if (line.kind !== 'line') return all;
  }
}

const line = (text: string) => ({ kind: 'line', text, continues: false });
const ended = { kind: 'ended' };

it('reads lines, joins split characters, and accepts a last line without a line end', async () => {
  const [first, second] = [
    Buffer.from('héllo\n').subarray(0, 2),
    Buffer.from('héllo\n').subarray(2),
  ];
  expect(await linesOf(first, second, 'two\r\n\nfo', 'ur')).toEqual([
    line('héllo'),
    line('two'),
    line(''),
    line('four'),
    ended,
  ]);
  expect(await linesOf()).toEqual([ended]);
});

it('fails on a line that is too long, such as a film’s', async () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  const film = await linesOf(megabyte, megabyte, megabyte, megabyte, 'x', megabyte);
  expect(film).toMatchObject([{ kind: 'failed', error: { code: 'stdinTooLong' } }]);
});

it('ends a pending read when it is closed', async () => {
  const stream = new Readable({ read: () => undefined });
  const lines = new PipedLines(stream);
  const waiting = lines.next();
  lines.close();
  expect(await waiting).toEqual(ended);
  expect(stream.destroyed).toBe(true);
});
