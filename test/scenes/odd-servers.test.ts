import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { outputRate, type ServerEvent } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { instant } from '../contract/sound/player.ts';
import { missingSoundServer } from '../contract/sound/sound-server.ts';
import { scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';
import { edgeLikeness, lastTurn, minLikeness, soonMs } from './talk-checks.ts';
import { SceneRunner, start, type Scene } from './scenes.ts';
import { sentence, TalkHarness } from './talk-harness.ts';
import { isDefaultTier, nightlyTag } from '../set-up/test-tiers.ts';

const codec = createServerCodec(bufferBase64);

type Step = Extract<ServerEvent, { kind: 'output' }>;

/**
 * A legacy server that accepts every client and answers each append with the next scripted event, or with `listen` if
 * there is none.
 */
class ManualServer {
  readonly #steps: Step[] = [];
  #server: ScriptedServer | undefined;

  async open(): Promise<string> {
    this.#server = await scriptedServer({
      accepted: (socket) => {
        this.#send({ kind: 'admitted' });
        socket.once('message', () => {
          this.#send({ kind: 'created' });
          socket.on('message', () => {
            this.#send(this.#steps.shift() ?? { kind: 'listen', wire: 'legacy' });
          });
        });
      },
    });
    return `ws://127.0.0.1:${this.#server.port}`;
  }

  says(text: string, audio: Float32Array, endOfTurn: boolean): void {
    this.#steps.push({ kind: 'output', wire: 'legacy', text, audio, endOfTurn });
  }

  get hasSaid(): boolean {
    return this.#steps.length === 0;
  }

  ends(reason: string): void {
    this.#send({ kind: 'closed', reason });
    this.#server?.sockets.at(-1)?.close(1000);
  }

  async end(): Promise<void> {
    await this.#server?.end();
  }

  #send(event: ServerEvent): void {
    const socket = this.#server?.sockets.at(-1);
    if (event.kind === 'unknown' || event.kind === 'malformed') return;
    for (const frame of codec.encodeServerEvent(event, 'legacy')) socket?.send(frame);
  }
}

const missing = await missingSoundServer();
const server = new ManualServer();
const runner = new SceneRunner(new TalkHarness('legacy'));
const speech = (name: string): Float32Array => sentence(name, outputRate);

async function expectHeard(
  harness: TalkHarness,
  since: number,
  sound: Float32Array,
): Promise<void> {
  await harness.eventually('it is heard to its end', () => {
    return edgeLikeness(harness.monitor.since(since), sound, outputRate) > minLikeness;
  });
}

const everyScene: readonly Scene[] = [
  ['starts', start],
  [
    'a server that sends 30 s of sound at once, and is interrupted',
    async (harness) => {
      const before = lastTurn(await harness.view());
      const since = instant();
      const sound = joinSamples(Array.from({ length: 9 }, () => speech('hello')));
      expect(sound.length / outputRate).toBeGreaterThan(30);
      server.says('Hello, I am the demonstration. '.repeat(9), sound, true);
      await harness.eventually('the third of nine is heard', () => {
        return harness.monitor.since(since).length > 9 * 8000 && harness.monitor.sounds;
      });
      await expectHeard(harness, since, speech('hello'));
      const at = instant();
      await harness.do('interruptTalk');
      const cut = await harness.until('the rest is cut', ({ captions }) => {
        const last = captions.at(-1);
        return last !== undefined && last.turn > before && last.settled;
      });
      const { heard = 0, text = '' } = cut.captions.at(-1) ?? {};
      expect(text).toHaveLength(9 * 31);
      expect(heard / text.length).toBeGreaterThan(0.1);
      expect(heard / text.length).toBeLessThan(0.6);
      await wait(soonMs + 500);
      expect(harness.monitor.lastSound(at) - at).toBeLessThan(soonMs);
    },
  ],
  [
    'a server that is unreachable for some seconds while it speaks @nightly',
    async (harness) => {
      const target = harness.connection.target;
      const since = instant();
      const sound = speech('turns');
      server.says('You spoke, then you were quiet.', sound, false);
      await harness.eventually('it is heard', () => harness.monitor.sounds);
      const { captions } = await harness.view();
      harness.connection.cut();
      await harness.until('it is tried again', ({ state }) => state.phase === 'reconnecting');
      // Sound that had arrived still plays to its end.
      await expectHeard(harness, since, sound);
      const tries = harness.noticesOf('talkState', since);
      await wait(5000);
      const more = harness.noticesOf('talkState', since).slice(tries.length);
      expect(more.length).toBeGreaterThan(0);
      expect(more.every(({ phase }) => phase === 'reconnecting')).toBe(true);
      harness.connection.target = target;
      const back = await harness.until('it is live again', ({ state }) => state.phase === 'live');
      expect(back.captions.map(({ turn }) => turn)).toEqual(captions.map(({ turn }) => turn));
      expect(harness.connection.instructions).toContain('You spoke');
      const next = speech('sorry');
      const again = instant();
      server.says('Sorry, go on.', next, true);
      await expectHeard(harness, again, next);
    },
  ],
  [
    'a server that ends in the middle of a word',
    async (harness) => {
      const since = instant();
      const sound = speech('again');
      server.says('There you are ag', sound, false);
      await harness.eventually('it is said', () => server.hasSaid);
      server.ends('backend_error');
      await harness.eventually('it is tried again', () => {
        return harness.noticesOf('talkState', since).some((state) => {
          return state.phase === 'reconnecting' && state.error.code === 'modelFailed';
        });
      });
      await expectHeard(harness, since, sound);
      const { captions } = await harness.until('its words are kept', ({ captions }) => {
        return captions.every(({ settled }) => settled);
      });
      expect(captions.at(-1)?.text).toBe('There you are ag');
    },
  ],
  [
    'a user who starts and ends the talk repeatedly',
    async (harness) => {
      const asked = ['startTalk', 'startTalk', 'endTalk', 'endTalk', 'startTalk', 'endTalk'];
      const input = { mode: 'audio' };
      await Promise.all(
        asked.map((name) => harness.ask(name, name === 'startTalk' ? input : undefined)),
      );
      await harness.ask('endTalk');
      await harness.until('it has ended', ({ state }) => state.phase === 'ended');
      await start(harness);
      await harness.do('endTalk');
      await harness.do('endTalk');
      await harness.until('it has ended again', ({ state }) => state.phase === 'ended');
      await harness.eventually('nothing plays and nothing listens', async () => {
        const [playing, listening] = await harness.sound.streams();
        return playing === 0 && listening <= 1;
      });
    },
  ],
];

const scenes = everyScene.filter(([name]) => !isDefaultTier || !name.includes(nightlyTag));

beforeAll(() => {
  if (missing !== undefined) return;
  const open = async (harness: TalkHarness): Promise<void> => {
    harness.connection.target = await server.open();
    await harness.open('legacy');
  };
  runner.begin(open, scenes);
});

afterAll(async () => {
  await runner.end();
  await server.end();
}, 120_000);

describe('a talk on a virtual sound card copes with', () => {
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  it.each(scenes)('%s', { timeout: 120_000 }, async (name) => {
    await runner.result(name);
  });
});
