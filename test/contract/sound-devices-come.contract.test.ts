import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Player } from './sound/player.ts';
import { missingSoundServer, SoundServer } from './sound/sound-server.ts';

const missing = await missingSoundServer();

let server: SoundServer;
let player: Player | undefined;

beforeEach(async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  server = new SoundServer();
  await server.start();
});

afterEach(async () => {
  player?.kill();
  await player?.exited;
  await server.end();
});

it('a plugged-in speaker is used without disturbing the microphone', async () => {
  player = new Player(server.environment, 'headset');
  const moved = await player.until('another speaker stands in', 0, ({ who, kind }) => {
    return who === 'speaker' && kind === 'moved';
  });
  await player.until('it plays and hears', 0, ({ heard = 0, captured = 0 }) => {
    return heard > 12_000 && captured > 16_000;
  });
  // It has looked in vain a few times by now.
  await wait(2000);
  const before = player.figures;
  await server.plugIn('headset');
  const taken = await player.until('the headset is taken', moved.at, ({ who, kind }) => {
    return who === 'speaker' && kind === 'using';
  });
  const then = player.figures?.heard ?? 0;
  await player.until('it plays there', taken.at, ({ heard = 0 }) => heard > then + 24_000);
  const after = player.figures;
  const seconds = ((after?.at ?? 0) - (before?.at ?? 0)) / 1000;
  const captured = (after?.captured ?? 0) - (before?.captured ?? 0);
  expect(after).toMatchObject({ silenced: before?.silenced, lost: 0, devices: 1 });
  expect(captured / 16_000).toBeGreaterThan(seconds - 0.5);
  expect(player.messages.filter(({ who }) => who === 'microphone')).toHaveLength(1);
  expect(await player.askToEnd()).toBe(0);
}, 60_000);
