import { expect, it } from 'vitest';
import { ChatPace } from '../../../../electron/chat/chat-opener.ts';
import { ServerPaces } from '../../../../electron/settings/servers/server-memory.ts';
import { fakeServerMemory } from '../../../fakes/fake-server-memory.ts';
import { PlaybackStage } from '../audio/playback/playback-stage.ts';

const [slow, quick] = ['wss://slow.example/', 'wss://quick.example/'];

/** Plays an answer of four steps that arrive at this interval, in milliseconds. */
function answer(stage: PlaybackStage, intervalMs: number, turn: number): void {
  const steps = [0, 1, 2, 3].map((n) => ({ at: n * intervalMs, ms: 1000 }));
  stage.turn(turn, steps);
  stage.pass(4000);
}

it('a chat learns the pace of each server separately, and uses it again with that server', () => {
  const stage = new PlaybackStage();
  const paces = new ServerPaces(fakeServerMemory());
  const pace = new ChatPace(paces, stage.playback);
  const endSlow = pace.useServer(slow);
  answer(stage, 1300, 1);
  const learned = stage.playback.pace();
  expect(learned.maxMs).toBeGreaterThan(1000);
  // The user chooses this server while the session with the other is still open.
  const endQuick = pace.useServer(quick);
  endSlow();
  expect(stage.playback.pace().maxMs).toBe(0);
  answer(stage, 1000, 2);
  endQuick();
  expect(paces.recall(slow)).toEqual(learned);
  expect(paces.recall(quick)?.maxMs).toBeLessThan(learned.maxMs);
  pace.useServer(slow);
  expect(stage.playback.pace()).toEqual(learned);
});
