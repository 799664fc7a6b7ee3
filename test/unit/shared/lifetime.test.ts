import { describe, expect, it } from 'vitest';
import { Lifetime, openOnce, SerialQueue } from '../../../shared/lifetime.ts';
import { deferred } from '../../fakes/promises.ts';

describe('a lifetime', () => {
  it('runs each release once, in reverse order, even if it is ended twice', async () => {
    const released: string[] = [];
    const lifetime = new Lifetime('test');
    lifetime.add(() => {
      released.push('opened first');
    });
    lifetime.add(async () => {
      await Promise.resolve();
      released.push('opened last');
    });
    await Promise.all([lifetime.end(), lifetime.end()]);
    expect(released).toEqual(['opened last', 'opened first']);
  });

  it('continues after a release throws, and then throws an error itself', async () => {
    const released: string[] = [];
    const lifetime = new Lifetime('test');
    lifetime.add(() => {
      released.push('the other');
    });
    lifetime.add(() => {
      throw new Error('stuck');
    });
    await expect(lifetime.end()).rejects.toThrow('test did not end cleanly');
    expect(released).toEqual(['the other']);
  });

  it('runs a release at once that is added after the end', async () => {
    const released: string[] = [];
    const lifetime = new Lifetime('test');
    await lifetime.end();
    lifetime.add(() => {
      released.push('late');
    });
    await lifetime.end();
    expect(released).toEqual(['late']);
  });

  it('runs a late release even after a failed end', async () => {
    const released: string[] = [];
    const lifetime = new Lifetime('test');
    lifetime.add(() => {
      throw new Error('stuck');
    });
    await expect(lifetime.end()).rejects.toThrow('did not end cleanly');
    for (const name of ['late', 'later']) lifetime.add(() => void released.push(name));
    await expect(lifetime.end()).rejects.toThrow('did not end cleanly');
    await new Promise(setImmediate);
    expect(released).toEqual(['late', 'later']);
  });
});

const wrong = new Error('the disk is full');

describe('a serial queue', () => {
  it('runs tasks one at a time and returns their results', async () => {
    const queue = new SerialQueue();
    const first = deferred();
    const seen: string[] = [];
    const results = [
      queue.run(async () => {
        seen.push('one begins');
        await first.promise;
        seen.push('one ends');
        return 1;
      }),
      queue.run(() => {
        seen.push('two');
        return 2;
      }),
    ];
    await Promise.resolve();
    expect(seen).toEqual(['one begins']);
    first.resolve();
    expect(await Promise.all(results)).toEqual([1, 2]);
    expect(seen).toEqual(['one begins', 'one ends', 'two']);
  });

  it.each([
    ['rejects', () => Promise.reject(wrong)],
    [
      'throws',
      () => {
        throw wrong;
      },
    ],
  ])('continues after a task that %s, and its caller gets the error', async (_how, task) => {
    const queue = new SerialQueue();
    const failed = queue.run<unknown>(task);
    const next = queue.run(() => 'done');
    await expect(failed).rejects.toBe(wrong);
    expect(await next).toBe('done');
    expect(await queue.run(() => 'later')).toBe('later');
  });

  it('is settled after all tasks, including tasks added by other tasks, and after failures', async () => {
    const queue = new SerialQueue();
    const seen: string[] = [];
    const failed = queue.run(() => {
      void queue.run(() => seen.push('given by a task'));
      throw wrong;
    });
    await Promise.all([queue.settled(), expect(failed).rejects.toBe(wrong)]);
    expect(seen).toEqual(['given by a task']);
    await queue.settled();
  });
});

it('openOnce opens once for all callers, even for those that ask while it opens', async () => {
  const begun = deferred();
  let opens = 0;
  const ask = openOnce(async () => {
    opens += 1;
    await begun.promise;
    return { opens };
  });
  const both = [ask(), ask()];
  begun.resolve();
  const [one, other] = await Promise.all(both);
  expect(one).toBe(other);
  expect(await ask()).toEqual({ opens: 1 });
});

it.each([
  ['rejects', () => Promise.reject(new Error('no room'))],
  ['throws', () => raise()],
])('openOnce opens again after an opening that %s', async (_how, fail) => {
  let opens = 0;
  const ask = openOnce((): Promise<number> => {
    opens += 1;
    return opens === 1 ? fail() : Promise.resolve(opens);
  });
  await expect(ask()).rejects.toThrow('no room');
  expect([await ask(), await ask()]).toEqual([2, 2]);
});

it('openOnce returns an unusable value to its caller, and opens again for the next caller', async () => {
  let opens = 0;
  const ask = openOnce(
    () => Promise.resolve({ ok: (opens += 1) > 1, opens }),
    ({ ok }) => ok,
  );
  expect([await ask(), await ask(), await ask()]).toEqual([
    { ok: false, opens: 1 },
    { ok: true, opens: 2 },
    { ok: true, opens: 2 },
  ]);
});

function raise(): never {
  throw new Error('no room');
}
