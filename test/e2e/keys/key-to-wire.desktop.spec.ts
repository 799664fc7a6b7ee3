import type { Page } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { findSound, SoundTape, Voice } from '../../bench/conversation/sound-tape.ts';
import { playInto, recordFrom } from '../../bench/sound/sound-processes.ts';
import { expect, test } from '../desktop/desktop-test.ts';
import { talkPhase } from '../fixtures/pages/read-core.ts';
import { serverSettings } from '../fixtures/servers.ts';
import { skipWithoutSoundCard } from '../fixtures/sound-card.ts';
import { spread } from '../fixtures/spread.ts';
import { focusOtherProgram, pressKeys } from './other-program.ts';
import { type ReceivedAppend, serveRecordingGateway } from './recording-gateway.ts';

// Measures from another program's key event through the sound card to the server.

const patient = { timeout: 30_000 };
const times = 15;
/** The length of a piece that can be found in the room's noise. */
const pattern = inputRate / 25;
/** The fade at the gate's end, which the search leaves out. */
const fade = inputRate / 100;
/** The similarity of the same noise after two conversions. */
const minLikeness = 0.6;

/** Plays noise that never repeats into the microphone, and records when another program captures each part. */
function openNoisyRoom(lifetime: Lifetime): SoundTape {
  const tape = new SoundTape(inputRate);
  const recorder = recordFrom('micsrc', inputRate, {}, (block, at) => {
    tape.push(block, at);
  });
  lifetime.add(recorder.end);
  const voice = new Voice(playInto('mic', inputRate, 100, {}));
  lifetime.add(() => voice.end());
  return tape;
}

function findLastTransmitted(appends: readonly ReceivedAppend[]) {
  const all = appends.flatMap(({ audio }) => [...audio]);
  const end = all.findLastIndex((sample) => sample !== 0) + 1;
  let until = 0;
  for (const { at, audio } of appends) {
    until += audio.length;
    if (until < end || end < pattern + fade) continue;
    const sound = Float32Array.from(all.slice(end - fade - pattern, end - fade));
    return { at, sound };
  }
  return undefined;
}

async function startTalkFromCore(page: Page): Promise<void> {
  await page.evaluate(() => window.parley?.request('startTalk', { mode: 'audio' }));
  await expect.poll(() => talkPhase(page), patient).toBe('live');
}

test('what the server receives ends within a second of the key’s release', async ({ desktop }) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  const { lifetime } = desktop;
  const gateway = await serveRecordingGateway(lifetime);
  const room = openNoisyRoom(lifetime);
  await desktop.tray.appear();
  const { page } = await desktop.start({
    flags: ['--hidden'],
    settings: {
      ...serverSettings(gateway.url),
      talking: { mode: 'hold', everywhere: true, globalKey: 'F8' },
    },
  });
  const other = await focusOtherProgram(lifetime);
  await startTalkFromCore(page);
  await expect.poll(() => room.count, patient).toBeGreaterThan(2 * inputRate);

  /** Times after another program receives the release: the end of transmitted sound, and its arrival. */
  const transmittedUntil: number[] = [];
  const receivedAt: number[] = [];
  /** The time from another program's capture to the server. */
  const onTheWay: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const [before, releases] = [gateway.heard.length, other.released.length];
    await pressKeys('keydown', 'F8');
    // Releases at different places of a chunk.
    await wait(700 + time * 70);
    await pressKeys('keyup', 'F8');
    await expect.poll(() => other.released.length).toBeGreaterThan(releases);
    const releasedAt = other.released.at(-1) ?? NaN;
    await wait(1500);
    const found = findLastTransmitted(gateway.heard.slice(before));
    expect(found, 'what was said came to the server').toBeDefined();
    if (found === undefined) continue;
    const from = room.sampleAt(releasedAt - 700);
    const place = findSound(found.sound, room.part(from, room.sampleAt(releasedAt + 500)));
    expect(place.likeness).toBeGreaterThan(minLikeness);
    const end = room.timeOf(from + place.at + pattern + fade);
    transmittedUntil.push(end - releasedAt);
    receivedAt.push(found.at - releasedAt);
    onTheWay.push(found.at - end);
  }
  test.info().annotations.push({
    type: 'measured',
    description:
      `after another program hears the key come up: the microphone is let through for ${spread(transmittedUntil)}, ` +
      `and the server has the last of it after ${spread(receivedAt)}; from another program that ` +
      `listens to the microphone to the server: ${spread(onTheWay)}`,
  });
  expect(transmittedUntil).toHaveLength(times);
});
