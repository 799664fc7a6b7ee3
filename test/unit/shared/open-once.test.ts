import { expect, it } from 'vitest';
import { openOnce } from '../../../shared/lifetime.ts';
import { deferred } from '../../fakes/deferred.ts';

it('openOnce shares one value, even while it opens', async () => {
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
  ['rejected', () => Promise.reject(new Error('no room'))],
  ['threw', () => raise()],
])('openOnce opens again after what %s', async (_how, fail) => {
  let opens = 0;
  const ask = openOnce((): Promise<number> => {
    opens += 1;
    return opens === 1 ? fail() : Promise.resolve(opens);
  });
  await expect(ask()).rejects.toThrow('no room');
  expect([await ask(), await ask()]).toEqual([2, 2]);
});

it('openOnce returns an unusable value and opens again for the next caller', async () => {
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
