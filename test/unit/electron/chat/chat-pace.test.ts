import { expect, it } from 'vitest';
import { ChatPace } from '../../../../electron/chat/chat-opener.ts';
import { ServerPaces } from '../../../../electron/settings/servers/server-facts.ts';
import { fakeServerFacts } from '../../../fakes/fake-server-facts.ts';
import { PlaybackHarness } from '../audio/playback/playback-harness.ts';

const [slow, quick] = ['wss://slow.example/', 'wss://quick.example/'];

/** Plays an answer of four steps that arrive at this interval, in milliseconds. */
function answer(harness: PlaybackHarness, intervalMs: number, turn: number): void {
  const steps = [0, 1, 2, 3].map((n) => ({ at: n * intervalMs, ms: 1000 }));
  harness.turn(turn, steps);
  harness.pass(4000);
}

it('a chat learns the pace of each server separately, and uses it again with that server', () => {
  const harness = new PlaybackHarness();
  const paces = new ServerPaces(fakeServerFacts());
  const pace = new ChatPace(paces, harness.playback);
  const endSlow = pace.useServer(slow);
  answer(harness, 1300, 1);
  const learned = harness.playback.pace();
  expect(learned.maxMs).toBeGreaterThan(1000);
  // The user chooses this server while the session with the other is still open.
  const endQuick = pace.useServer(quick);
  endSlow();
  expect(harness.playback.pace().maxMs).toBe(0);
  answer(harness, 1000, 2);
  endQuick();
  expect(paces.recall(slow)).toEqual(learned);
  expect(paces.recall(quick)?.maxMs).toBeLessThan(learned.maxMs);
  pace.useServer(slow);
  expect(harness.playback.pace()).toEqual(learned);
});
