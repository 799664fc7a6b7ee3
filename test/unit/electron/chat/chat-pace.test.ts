import { expect, it } from 'vitest';
import { ChatPace } from '../../../../electron/chat/chat-opener.ts';
import { ServerPaces } from '../../../../electron/settings/servers/server-memory.ts';
import { fakeServerMemory } from '../../../fakes/fake-server-memory.ts';
import { PlaybackStage } from '../audio/playback/playback-stage.ts';

const [slow, quick] = ['wss://slow.example/', 'wss://quick.example/'];

/** Plays an answer whose steps arrive `apart` milliseconds apart. */
function answer(stage: PlaybackStage, apart: number, turn: number): void {
  const steps = [0, 1, 2, 3].map((n) => ({ at: n * apart, ms: 1000 }));
  stage.turn(turn, steps);
  stage.pass(4000);
}

it('the chat keeps the pace of each server apart, and uses it again when that server answers', () => {
  const stage = new PlaybackStage();
  const paces = new ServerPaces(fakeServerMemory());
  const pace = new ChatPace(paces, stage.playback);
  const slowOver = pace.useServer(slow);
  answer(stage, 1300, 1);
  const learned = stage.playback.pace();
  expect(learned.maxMs).toBeGreaterThan(1000);
  // The user chooses this server while the session with the other is still open.
  const quickOver = pace.useServer(quick);
  slowOver();
  expect(stage.playback.pace().maxMs).toBe(0);
  answer(stage, 1000, 2);
  quickOver();
  expect(paces.recall(slow)).toEqual(learned);
  expect(paces.recall(quick)?.maxMs).toBeLessThan(learned.maxMs);
  pace.useServer(slow);
  expect(stage.playback.pace()).toEqual(learned);
});
