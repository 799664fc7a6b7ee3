import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import { instant } from '../contract/sound/player.ts';
import { missingSoundServer } from '../contract/sound/sound-server.ts';
import { minLikeness, isWhole, lastTurn, soonMs } from './answer-checks.ts';
import { ManualServer } from './manual-server.ts';
import { wholeIn } from './monitor.ts';
import { Play, type Scene } from './play.ts';
import { start } from './scenes.ts';
import { sentence, Stage } from './stage.ts';
import { appendsSince } from './uplink-checks.ts';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';

const missing = await missingSoundServer();
const server = new ManualServer();
const play = new Play(new Stage('legacy'));
const speech = (name: string): Float32Array => sentence(name, outputRate);

async function expectHeard(stage: Stage, since: number, sound: Float32Array): Promise<void> {
  await stage.eventually('it is heard to its end', () => {
    return wholeIn(stage.monitor.since(since), sound, outputRate) > minLikeness;
  });
}

const scenes: readonly Scene[] = [
  ['starts', start],
  [
    'a server that yields without speaking',
    async (stage) => {
      const since = instant();
      await stage.eventually(
        'the server receives three appends',
        () => appendsSince(stage, since) >= 3,
      );
      const view = await stage.view();
      expect(view).toMatchObject({ state: { phase: 'live' }, floor: 'nobody', captions: [] });
      expect(stage.monitor.lastSound(since)).toBe(since);
    },
  ],
  [
    'a server that sends text only',
    async (stage) => {
      const since = instant();
      server.says('Only in writing.', undefined, true);
      const view = await stage.until('it is shown', ({ captions }) => captions.some(isWhole));
      expect(view.captions).toMatchObject([{ text: 'Only in writing.' }]);
      expect(stage.monitor.lastSound(since)).toBe(since);
    },
  ],
  [
    'a server that speaks without text',
    async (stage) => {
      const since = instant();
      const sound = speech('hear');
      server.says(undefined, sound, true);
      await expectHeard(stage, since, sound);
    },
  ],
  [
    'a server that sends 30 s of sound at once, and is interrupted',
    async (stage) => {
      const before = lastTurn(await stage.view());
      const since = instant();
      const sound = joinSamples(Array.from({ length: 9 }, () => speech('hello')));
      expect(sound.length / outputRate).toBeGreaterThan(30);
      server.says('Hello, I am the demonstration. '.repeat(9), sound, true);
      await stage.eventually('the third of nine is heard', () => {
        return stage.monitor.since(since).length > 9 * 8000 && stage.monitor.sounds;
      });
      await expectHeard(stage, since, speech('hello'));
      const at = instant();
      await stage.do('interruptTalk');
      const cut = await stage.until('the rest is cut', ({ captions }) => {
        const last = captions.at(-1);
        return last !== undefined && last.turn > before && last.settled;
      });
      const { heard = 0, text = '' } = cut.captions.at(-1) ?? {};
      expect(text).toHaveLength(9 * 31);
      expect(heard / text.length).toBeGreaterThan(0.1);
      expect(heard / text.length).toBeLessThan(0.6);
      await wait(soonMs + 500);
      expect(stage.monitor.lastSound(at) - at).toBeLessThan(soonMs);
    },
  ],
  [
    'a server that is unreachable for some seconds while it speaks',
    async (stage) => {
      const target = stage.connection.target;
      const since = instant();
      const sound = speech('turns');
      server.says('You spoke, then you were quiet.', sound, false);
      await stage.eventually('it is heard', () => stage.monitor.sounds);
      const { captions } = await stage.view();
      stage.connection.cut();
      await stage.until('it is tried again', ({ state }) => state.phase === 'reconnecting');
      // Sound that had arrived still plays to its end.
      await expectHeard(stage, since, sound);
      const tries = stage.noticesOf('talkState', since);
      await wait(5000);
      const more = stage.noticesOf('talkState', since).slice(tries.length);
      expect(more.length).toBeGreaterThan(0);
      expect(more.every(({ phase }) => phase === 'reconnecting')).toBe(true);
      stage.connection.target = target;
      const back = await stage.until('it is live again', ({ state }) => state.phase === 'live');
      expect(back.captions.map(({ turn }) => turn)).toEqual(captions.map(({ turn }) => turn));
      expect(stage.connection.instructions).toContain('You spoke');
      const next = speech('sorry');
      const again = instant();
      server.says('Sorry, go on.', next, true);
      await expectHeard(stage, again, next);
    },
  ],
  [
    'a server that ends in the middle of a word',
    async (stage) => {
      const since = instant();
      const sound = speech('again');
      server.says('There you are ag', sound, false);
      await stage.eventually('it is said', () => server.hasSaid);
      server.ends('backend_error');
      await stage.eventually('it is tried again', () => {
        return stage.noticesOf('talkState', since).some((state) => {
          return state.phase === 'reconnecting' && state.error.code === 'modelFailed';
        });
      });
      await expectHeard(stage, since, sound);
      const { captions } = await stage.until('its words are kept', ({ captions }) => {
        return captions.every(({ settled }) => settled);
      });
      expect(captions.at(-1)?.text).toBe('There you are ag');
    },
  ],
  [
    'a user who starts and ends the talk repeatedly',
    async (stage) => {
      const asked = ['startTalk', 'startTalk', 'endTalk', 'endTalk', 'startTalk', 'endTalk'];
      const input = { mode: 'audio' };
      await Promise.all(
        asked.map((name) => stage.ask(name, name === 'startTalk' ? input : undefined)),
      );
      await stage.ask('endTalk');
      await stage.until('it has ended', ({ state }) => state.phase === 'ended');
      await start(stage);
      await stage.do('endTalk');
      await stage.do('endTalk');
      await stage.until('it has ended again', ({ state }) => state.phase === 'ended');
      await stage.eventually('nothing plays and nothing listens', async () => {
        const [playing, listening] = await stage.sound.streams();
        return playing === 0 && listening <= 1;
      });
    },
  ],
];

beforeAll(() => {
  if (missing !== undefined) return;
  const open = async (stage: Stage): Promise<void> => {
    stage.connection.target = await server.open();
    await stage.open('legacy');
  };
  play.begin(open, scenes);
});

afterAll(async () => {
  await play.end();
  await server.end();
}, 120_000);

describe('a talk on a virtual sound card copes with', () => {
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  it.each(scenes)('%s', { timeout: 120_000 }, async (name) => {
    await play.scene(name);
  });
});
