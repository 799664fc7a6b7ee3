import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { onOutputClosed, writeSafely } from '../../../../electron/app/process-output.ts';

/** A stream whose writes fail with the code that the test sets. */
function openStream() {
  const seen: string[] = [];
  let fault: string | undefined;
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      if (fault === undefined) seen.push(String(chunk));
      done(fault === undefined ? null : Object.assign(new Error(fault), { code: fault }));
    },
    // An error does not end the stream, as with those of the process.
    destroy(error, callback) {
      callback(error);
      Reflect.apply(Reflect.get(this, '_undestroy') as () => void, this, []);
    },
  });
  return { stream, seen, fail: (code: string | undefined) => (fault = code) };
}

const errorsEmitted = () => new Promise(setImmediate);

describe('writeSafely', () => {
  it.each(['EPIPE', 'EIO'])('reports %s once, and writes nothing afterwards', async (code) => {
    const { stream, seen, fail } = openStream();
    const onClosed = vi.fn<() => void>();
    onOutputClosed(stream, onClosed);
    writeSafely(stream, 'one');
    fail(code);
    for (const text of ['two', 'three']) writeSafely(stream, text);
    await errorsEmitted();
    expect(onClosed).toHaveBeenCalledOnce();
    fail(undefined);
    writeSafely(stream, 'four');
    expect(seen).toEqual(['one']);
    const late = vi.fn<() => void>();
    onOutputClosed(stream, late);
    expect(late).toHaveBeenCalledOnce();
  });

  it('loses only the text that is written while the stream is full', async () => {
    const { stream, seen, fail } = openStream();
    fail('EAGAIN');
    writeSafely(stream, 'lost');
    await errorsEmitted();
    fail(undefined);
    writeSafely(stream, 'written');
    expect(seen).toEqual(['written']);
  });

  it('reports a closed stream if its write throws, and does not throw', () => {
    const { stream } = openStream();
    stream.write = () => {
      throw Object.assign(new Error('bad'), { code: 'EBADF' });
    };
    const onClosed = vi.fn<() => void>();
    onOutputClosed(stream, onClosed);
    writeSafely(stream, 'one');
    expect(onClosed).toHaveBeenCalledOnce();
  });
});
