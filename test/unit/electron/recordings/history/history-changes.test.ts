import { expect, it } from 'vitest';
import { HistoryChanges } from '../../../../../electron/recordings/history/history-handlers.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

it('the history posts changes at once, then every half second until its end', () => {
  const clock = new FakeClock();
  const posted: unknown[] = [];
  const changes = new HistoryChanges({ clock, post: (_name, payload) => posted.push(payload) });
  changes.onChange();
  changes.onChange();
  clock.advance(500);
  expect(posted).toEqual([{ count: 1 }, { count: 2 }]);
  clock.advance(500);
  changes.end();
  changes.onChange();
  clock.advance(10_000);
  expect(posted).toHaveLength(2);
});
