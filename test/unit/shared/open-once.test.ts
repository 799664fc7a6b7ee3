import { expect, it } from 'vitest';
import { openOnce } from '../../../shared/lifetime.ts';
import { deferred } from '../../fakes/deferred.ts';

it('what is opened once is one for all who ask, also while it is being opened', async () => {
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
])('what %s is opened again for who asks next', async (_how, fail) => {
  let opens = 0;
  const ask = openOnce((): Promise<number> => {
    opens += 1;
    return opens === 1 ? fail() : Promise.resolve(opens);
  });
  await expect(ask()).rejects.toThrow('no room');
  expect([await ask(), await ask()]).toEqual([2, 2]);
});

it('what was opened and is not good is given to who asked, and opened again for the next', async () => {
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
