import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { onOutputClosed, writeSafely } from '../../../../electron/app/process-output.ts';

/** A stream whose reader is as the test says. */
function output() {
  const seen: string[] = [];
  let fault: string | undefined;
  const stream = new Writable({
    // As the process's own: an error does not end it, and each write has its own.
    autoDestroy: false,
    write: (chunk, _encoding, done) => {
      if (fault === undefined) seen.push(String(chunk));
      done(fault === undefined ? null : Object.assign(new Error(fault), { code: fault }));
    },
  });
  return { stream, seen, fail: (code: string | undefined) => (fault = code) };
}

const settled = () => new Promise(setImmediate);

describe('writing without a reader', () => {
  it.each(['EPIPE', 'EIO'])(
    'does not throw at %s, reports it once, and stops writing',
    async (code) => {
      const { stream, seen, fail } = output();
      const gone = vi.fn<() => void>();
      onOutputClosed(stream, gone);
      writeSafely(stream, 'one');
      fail(code);
      for (const text of ['two', 'three']) writeSafely(stream, text);
      await settled();
      expect(gone).toHaveBeenCalledOnce();
      fail(undefined);
      writeSafely(stream, 'four');
      expect(seen).toEqual(['one']);
      const late = vi.fn<() => void>();
      onOutputClosed(stream, late);
      expect(late).toHaveBeenCalledOnce();
    },
  );

  it('loses only one line if the stream is full for a moment', async () => {
    const { stream, seen, fail } = output();
    fail('EAGAIN');
    writeSafely(stream, 'lost');
    await settled();
    fail(undefined);
    const again = output();
    writeSafely(again.stream, 'there');
    expect([seen, again.seen]).toEqual([[], ['there']]);
  });

  it('does not throw if the write throws', () => {
    const { stream } = output();
    stream.write = () => {
      throw Object.assign(new Error('bad'), { code: 'EBADF' });
    };
    const gone = vi.fn<() => void>();
    onOutputClosed(stream, gone);
    writeSafely(stream, 'one');
    expect(gone).toHaveBeenCalledOnce();
  });
});
