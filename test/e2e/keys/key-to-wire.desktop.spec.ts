import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { findSound } from '../../bench/conversation/find-sound.ts';
import { SoundTape } from '../../bench/conversation/sound-tape.ts';
import { Voice } from '../../bench/conversation/voice.ts';
import { playInto, recordFrom } from '../../bench/sound/sound-processes.ts';
import { expect, test } from '../desktop/desktop-test.ts';
import { serverSettings } from '../fixtures/faulty-gateway.ts';
import { skipWithoutSoundCard } from '../fixtures/skip-without-sound-card.ts';
import { type HeardAppend, serveListeningGateway } from './listening-gateway.ts';
import { focusOtherProgram, pressKeys } from './other-program.ts';

// From the key to the wire: another program's key, the sound card, and a server that notes what comes and when.

/** A talk wakes a sound card up. */
const patient = { timeout: 30_000 };
const times = 15;
/** So long a piece is found again in a room's noise, wherever it is. */
const pattern = inputRate / 25;
/** The fade at a gate's end, which is not looked for. */
const fade = inputRate / 100;
/** The same noise, twice converted. */
const minLikeness = 0.6;

/** The room's noise at the microphone, never twice the same, and when another program hears which part of it. */
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

/** The last piece that was let through, and when the append came that has its end. */
function lastLetThrough(appends: readonly HeardAppend[]) {
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

async function live(page: Page): Promise<void> {
  await page.evaluate(() => window.parley?.request('startTalk', { mode: 'audio' }));
  await expect
    .poll(async () => {
      const talk = await page.evaluate(() => window.parley?.request('talk', undefined));
      return talk?.ok === true && talk.value.state.phase;
    }, patient)
    .toBe('live');
}

test('what is said until the key comes up goes to the server, and hardly more', async ({
  desktop,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  const { lifetime } = desktop;
  const gateway = await serveListeningGateway(lifetime);
  const room = openNoisyRoom(lifetime);
  await desktop.tray.come();
  const { page } = await desktop.start({
    flags: ['--hidden'],
    settings: {
      ...serverSettings(gateway.url),
      talking: { mode: 'hold', everywhere: true, globalKey: 'F8' },
    },
  });
  const other = await focusOtherProgram(lifetime);
  await live(page);
  await expect.poll(() => room.count, patient).toBeGreaterThan(2 * inputRate);

  /** Later than another program hears the key come up: the last of the microphone that goes out, and its append. */
  const saidUntil: number[] = [];
  const sentAt: number[] = [];
  /** From the last of it at the microphone, as another program has it, to the server. */
  const onTheWay: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const [before, releases] = [gateway.heard.length, other.released.length];
    await pressKeys('keydown', 'F8');
    // Releases at all places of a chunk.
    await wait(700 + time * 70);
    await pressKeys('keyup', 'F8');
    await expect.poll(() => other.released.length).toBeGreaterThan(releases);
    const releasedAt = other.released.at(-1) ?? NaN;
    await wait(1500);
    const found = lastLetThrough(gateway.heard.slice(before));
    expect(found, 'what was said came to the server').toBeDefined();
    if (found === undefined) continue;
    const from = room.sampleAt(releasedAt - 700);
    const place = findSound(found.sound, room.part(from, room.sampleAt(releasedAt + 500)));
    expect(place.likeness).toBeGreaterThan(minLikeness);
    const end = room.timeOf(from + place.at + pattern + fade);
    saidUntil.push(end - releasedAt);
    sentAt.push(found.at - releasedAt);
    onTheWay.push(found.at - end);
  }
  test.info().annotations.push({
    type: 'measured',
    description:
      `after another program hears the key come up: the microphone is let through for ${spread(saidUntil)}, ` +
      `and the server has the last of it after ${spread(sentAt)}; from another program that ` +
      `listens to the microphone to the server: ${spread(onTheWay)}`,
  });
  expect(saidUntil).toHaveLength(times);
});

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? NaN);
  return `${at(0.01)}..${at(0.5)}..${at(1)} ms, p95 ${at(0.95)} ms`;
}
