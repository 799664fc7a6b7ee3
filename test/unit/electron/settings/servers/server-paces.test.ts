import { expect, it, vi } from 'vitest';
import { ServerPaces } from '../../../../../electron/settings/servers/server-facts.ts';
import { fakeServerFacts } from '../../../../fakes/fake-server-facts.ts';

const pace = { stepMs: 1000, typicalMs: 1040, spreadMs: 90, maxMs: 1300 };
const server = 'wss://a.example/v1/realtime';

it('a server’s pace is known in the next run, for that server only', () => {
  const memory = fakeServerFacts();
  new ServerPaces(memory).remember(`${server}?token=secret`, pace);
  const next = new ServerPaces(memory);
  expect(next.recall(server)).toEqual(pace);
  expect([next.recall('wss://b.example/'), next.recall(undefined)]).toEqual([undefined, undefined]);
});

it('the demonstration’s pace is known for this run only', () => {
  const memory = fakeServerFacts();
  const remember = vi.spyOn(memory, 'remember');
  const paces = new ServerPaces(memory);
  paces.remember(undefined, pace);
  expect([paces.recall(undefined), new ServerPaces(memory).recall(undefined)]).toEqual([
    pace,
    undefined,
  ]);
  expect(remember).not.toHaveBeenCalled();
});

it('an assumed pace is not stored', () => {
  const paces = new ServerPaces(fakeServerFacts());
  paces.remember(server, pace);
  paces.remember(server, { ...pace, typicalMs: 1000, maxMs: 0 });
  expect(paces.recall(server)).toEqual(pace);
});
