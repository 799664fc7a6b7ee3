import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instant, Player } from './sound/player.ts';
import type { PlayerMessage } from './sound/player.ts';
import { missingSoundServer, SoundServer } from './sound/sound-server.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';

const missing = await missingSoundServer();

const lost = (who: string) => (message: PlayerMessage) =>
  message.kind === 'lost' && message.who === who && message.word === 'event';

describe('a sound server that hangs while Parley plays and captures', { timeout: 60_000 }, () => {
  let server: SoundServer;
  let player: Player;

  beforeEach(async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    server = new SoundServer('short');
    await server.start();
    player = new Player(server.environment);
    await player.until('it plays and hears', 0, (message) => {
      return (message.heard ?? 0) > 12_000 && (message.captured ?? 0) > 8000;
    });
  });

  afterEach(async () => {
    player.kill();
    await player.exited;
    await server.end();
  });

  it('is detected, blocks nothing else, and is used again when it continues', async () => {
    const frozenAt = instant();
    server.freeze();
    const speaker = await player.until('the speaker is missed', frozenAt, lost('speaker'));
    const microphone = await player.until('the microphone is missed', frozenAt, lost('microphone'));
    // Long enough for every call to be stuck.
    await wait(6000);
    const message = player.messages.filter(({ at, word }) => at > frozenAt && word === 'figures');
    const pauses = message.map(({ at }, index) => at - (message[index - 1]?.at ?? frozenAt));
    const { heard = 0, captured = 0, silenced = 0 } = player.figures ?? {};
    server.thaw();
    const thawedAt = instant();
    const sounds = await player.until('it plays again', thawedAt, (each) => {
      return (each.heard ?? 0) > heard + 480;
    });
    const hears = await player.until('it hears again', thawedAt, (each) => {
      return (each.captured ?? 0) > captured + 320;
    });
    reportMeasurement(
      `frozen server: missed by the speaker after ${ms(speaker.at - frozenAt)}, by the microphone ` +
        `after ${ms(microphone.at - frozenAt)}; longest pause of JavaScript ` +
        `${ms(Math.max(...pauses))}; back after ${ms(sounds.at - thawedAt)} and ` +
        ms(hears.at - thawedAt),
    );
    // Twice the promised time, because the machine is shared.
    expect(speaker.at - frozenAt).toBeLessThan(2000);
    expect(microphone.at - frozenAt).toBeLessThan(2000);
    expect(Math.max(...pauses)).toBeLessThan(1000);
    expect(sounds.at - thawedAt).toBeLessThan(2000);
    expect(hears.at - thawedAt).toBeLessThan(2000);
    expect(silenced).toBeGreaterThan(16_000 * 4);
    expect(await player.askToEnd()).toBe(0);
  });

  it('does not delay a process’s exit', async () => {
    server.freeze();
    await wait(2000);
    const askedAt = instant();
    expect(await player.askToEnd()).toBe(0);
    expect(instant() - askedAt).toBeLessThan(6000);
  });

  it('does not delay an immediate exit', async () => {
    server.freeze();
    const askedAt = instant();
    expect(await player.askToEnd()).toBe(0);
    expect(instant() - askedAt).toBeLessThan(6000);
  });
});

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}
