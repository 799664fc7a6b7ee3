import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instant, Player } from './sound/player.ts';
import type { PlayerMessage } from './sound/player.ts';
import { missingSoundServer, SoundServer } from './sound/sound-server.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';

const missing = await missingSoundServer();

const lost = (who: string) => (message: PlayerMessage) =>
  message.kind === 'lost' && message.who === who && message.word === 'event';

describe('a sound server that is killed while Parley plays and captures', () => {
  let server: SoundServer;
  let player: Player | undefined;

  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
    server = new SoundServer('short');
  });

  afterEach(async () => {
    player?.kill();
    await player?.exited;
    await server.end();
  });

  it(
    'is detected, costs nothing, and is used again when it returns',
    { timeout: 60_000 },
    async () => {
      await server.start();
      player = new Player(server.environment);
      const running = await player.until('it plays and hears', 0, (message) => {
        return (message.heard ?? 0) > 12_000 && (message.captured ?? 0) > 8000;
      });
      const killedAt = instant();
      await server.kill();
      const speaker = await player.until('the speaker is missed', killedAt, lost('speaker'));
      const microphone = await player.until(
        'the microphone is missed',
        killedAt,
        lost('microphone'),
      );
      // The model hears silence meanwhile, and no buffer grows.
      await wait(3000);
      const gone = player.figures;
      expect(gone?.silenced).toBeGreaterThan(16_000);
      expect(gone?.silenced).toBeLessThan(16_000 * 5);
      await server.start();
      const backAt = instant();
      const { heard = 0, captured = 0 } = player.figures ?? {};
      const sounds = await player.until('it plays again', backAt, (message) => {
        return (message.heard ?? 0) > heard + 480;
      });
      const hears = await player.until('it hears again', backAt, (message) => {
        return (message.captured ?? 0) > captured + 320;
      });
      const grown = ((gone?.rss ?? 0) - (running.rss ?? 0)) / 1e6;
      reportMeasurement(
        `killed server: missed by the speaker after ${ms(speaker.at - killedAt)}, by the microphone ` +
          `after ${ms(microphone.at - killedAt)}; back after ${ms(sounds.at - backAt)} and ` +
          `${ms(hears.at - backAt)}; RSS ${grown.toFixed(1)} MB more`,
      );
      // Twice the promised time, because the machine is shared.
      expect(speaker.at - killedAt).toBeLessThan(2000);
      expect(microphone.at - killedAt).toBeLessThan(2000);
      expect(sounds.at - backAt).toBeLessThan(2000);
      expect(hears.at - backAt).toBeLessThan(2000);
      expect(grown).toBeLessThan(40);
      await server.kill();
      await wait(100);
      expect(await player.askToEnd()).toBe(0);
    },
  );

  it('is used as soon as it starts', { timeout: 60_000 }, async () => {
    player = new Player(server.environment);
    await player.until('the speaker is missed', 0, lost('speaker'));
    await server.start();
    await player.until('it plays', 0, ({ heard = 0 }) => heard > 480);
    await player.until('it hears', 0, ({ captured = 0 }) => captured > 320);
    expect(await player.askToEnd()).toBe(0);
  });
});

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}
