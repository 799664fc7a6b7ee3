import { expect, it } from 'vitest';
import { StreamSupervisor } from '../../../../../electron/audio/devices/stream-supervisor.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { fakeBuiltIn } from '../../../../fakes/fake-sound-driver.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';
import { collectUnhandledRejections } from '../../../../fakes/collect-unhandled-rejections.ts';

it('StreamSupervisor retries after an unexpected error of the driver, and rejects the call that began', async () => {
  const clock = new FakeClock();
  const emitted: string[] = [];
  let opens = 0;
  const stream = {
    device: fakeBuiltIn,
    stats: () => ({ alive: true }),
    close: () => Promise.resolve(),
  };
  const supervisor = new StreamSupervisor<typeof stream>('default', {
    clock,
    open: () => {
      opens += 1;
      if (opens < 3) return Promise.reject(new Error(`fault ${opens}`));
      return Promise.resolve({ ok: true, value: stream });
    },
    allowsSubstitute: () => false,
    onOpened: () => undefined,
    onGone: () => undefined,
    emit: ({ kind }) => emitted.push(kind),
  });
  const seen = await collectUnhandledRejections(async () => {
    await expect(supervisor.begin()).rejects.toThrow('fault 1');
    for (let time = 0; time < 20; time += 1) {
      clock.advance(50);
      await flushPromises();
    }
  });
  expect([emitted, opens]).toEqual([['using'], 3]);
  expect(seen).toEqual([new Error('fault 2')]);
  await supervisor.end();
});
