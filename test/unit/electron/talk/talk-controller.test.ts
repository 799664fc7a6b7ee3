import { beforeEach, describe, expect, it } from 'vitest';
import { failure } from '../../../../shared/errors/app-error.ts';
import { refusedError, sessionError } from '../../../../shared/errors/session-reasons.ts';
import { noPage } from '../../../../shared/ipc/page.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { settled } from './manual-devices.ts';
import { lost } from './stage.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

let stage: TalkControllerHarness;

beforeEach(() => {
  stage = new TalkControllerHarness();
});

describe('starting a talk', () => {
  it('opens a session with the settings, then the devices, and posts the server', async () => {
    stage.settings.change({ talking: { mode: 'hold', yielding: 'always' } });
    const started = await stage.controller.start('audio');
    expect(started).toEqual({ ok: true, value: { mode: 'audio', endpoint: 'The one' } });
    expect(stage.session.options).toMatchObject({
      mode: 'audio',
      dialect: 'auto',
      yielding: 'always',
      settings: { instructions: 'Be kind.' },
    });
    expect(stage.hand.open).toEqual([1, 0]);
    expect(stage.posted('talkBegan')).toEqual([{ mode: 'audio', endpoint: 'The one' }]);
    expect(stage.controller.view).toMatchObject({
      state: { phase: 'connecting' },
      talk: { endpoint: 'The one' },
      controls: { talking: 'hold', transmitting: false },
    });
  });

  it('is refused while another start or talk is in progress', async () => {
    const first = stage.controller.start('audio');
    const refused = [
      await stage.controller.start('audio'),
      (await first) && (await stage.controller.start('video')),
    ];
    expect(refused).toEqual([failure('talkStartingAlready'), failure('talkGoingOn')]);
    expect(stage.sessions).toHaveLength(1);
  });

  it('reports a failure, and the next start may succeed', async () => {
    stage.connected = () => Promise.resolve(failure('serverGone'));
    expect(await stage.controller.start('audio')).toMatchObject(failure('serverGone'));
    stage.connected = () => Promise.reject(new Error('The keychain is broken.'));
    await expect(stage.controller.start('audio')).rejects.toThrow('keychain');
    stage.connected = () => Promise.resolve({ ok: true, value: stage.server('one') });
    stage.configured = () => Promise.resolve(failure('voiceGone'));
    expect(await stage.controller.start('audio')).toMatchObject(failure('voiceGone'));
    expect([stage.sessions, stage.posts, stage.hand.chosen]).toEqual([[], [], []]);
    stage.configured = () => Promise.resolve({ ok: true, value: {} });
    expect(await stage.controller.start('audio')).toMatchObject({ ok: true });
  });

  it('keeps the previous talk after a failure, so that it can continue', async () => {
    await stage.live();
    stage.session.close(timeout);
    stage.connected = () => Promise.resolve(failure('serverGone'));
    expect(await stage.controller.start('audio')).toMatchObject({ ok: false });
    expect(stage.controller.view.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    expect(await stage.controller.continue({ carry: 'nothing' })).toMatchObject({ ok: true });
    expect(stage.sessions).toHaveLength(2);
  });

  it('clears the earlier words and devices after an end', async () => {
    await stage.live();
    stage.session.emit({ event: 'text', turn: 1, text: 'Hello.' });
    stage.session.close(timeout);
    await stage.live('video');
    expect(stage.controller.view.captions).toEqual([]);
    expect(stage.posted('talkBegan').map(({ mode }) => mode)).toEqual(['audio', 'video']);
    expect(stage.hand.open).toEqual([1, 1]);
  });

  it('opens no devices if the server refuses at once', async () => {
    stage.connected = () =>
      Promise.resolve({
        ok: true,
        value: {
          ...stage.server('one'),
          openSession: (options, emit) => {
            const session = stage.server('one').openSession(options, emit);
            emit({ ...lost, error: refusedError(401, '') });
            return session;
          },
        },
      });
    expect(await stage.controller.start('audio')).toMatchObject({ ok: true });
    expect(stage.controller.view.state).toMatchObject({ phase: 'ended', offer: 'checkToken' });
    expect(stage.hand.open).toEqual([0, 0]);
  });
});

describe('a request without a talk', () => {
  it('is refused with a reason', async () => {
    expect(stage.controller.withTalk(() => undefined)).toEqual(failure('noTalk'));
    expect(await stage.controller.continue({ carry: 'transcript' })).toEqual(
      failure('noEndedTalk'),
    );
    await stage.live();
    expect(await stage.controller.continue({ carry: 'transcript' })).toMatchObject({ ok: false });
    expect(stage.sessions).toHaveLength(1);
  });

  it('has another reason while a talk is starting', async () => {
    const connecting = deferred();
    const { connected } = stage;
    stage.connected = () => connecting.promise.then(connected);
    const starting = stage.controller.start('audio');
    expect(stage.controller.withTalk(() => undefined)).toEqual(failure('talkStarting'));
    connecting.resolve();
    await starting;
    expect(stage.controller.withTalk(() => undefined)).toMatchObject({ ok: true });
  });
});

describe('a talk', () => {
  it('gets microphone sound, and follows the settings', async () => {
    await stage.live();
    stage.hand.microphone.hear(new Float32Array(320).fill(0.5));
    expect(stage.session.heard).toHaveLength(320);
    stage.settings.change({ audio: { playbackVolume: 0.25 }, talking: { mode: 'tap' } });
    expect(stage.hand.speaker.volume).toBe(0.25);
    expect(stage.controller.view.controls).toMatchObject({ talking: 'tap', transmitting: false });
    // A change of other settings does not undo the user's choice in the talk.
    stage.controller.withTalk((talk) => {
      talk.controls.setTalking('open');
    });
    stage.settings.change({ audio: { playbackVolume: 0.5 } });
    expect(stage.controller.view.controls.talking).toBe('open');
  });

  it('uses the server’s traits, and sends its configured fields', async () => {
    const settings = { generation: { topK: 5, other: { a: 1, b: 1 } } };
    stage.configured = () => Promise.resolve({ ok: true, value: settings });
    stage.traits = { timeLimit: 100, config: { b: 2, length_penalty: 1.1 } };
    await stage.live();
    expect(stage.session.options.settings.generation).toEqual({
      topK: 5,
      other: { a: 1, b: 2, length_penalty: 1.1 },
    });
    expect(stage.controller.view.limits?.seconds).toBe(100);
  });

  it('has its older transcript shortened by its own server', async () => {
    let request = '';
    stage.shorten = (asked) => {
      ({ request } = asked);
      return () => undefined;
    };
    stage.traits = { timeLimit: 100 };
    await stage.live();
    stage.session.emit({ event: 'session', id: 's', dialect: 'unified' });
    const said = 'This was said. '.repeat(300);
    stage.session.emit({ event: 'text', turn: 1, text: said });
    stage.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(2400) });
    stage.session.emit({ event: 'turnEnded', turn: 1 });
    stage.session.emit({ event: 'text', turn: 2, text: said });
    stage.session.emit({ event: 'audio', turn: 2, audio: new Float32Array(2400) });
    stage.session.emit({ event: 'turnEnded', turn: 2 });
    for (let block = 0; block < 700; block += 1) {
      stage.clock.advance(20);
      stage.hand.microphone.hear(new Float32Array(320));
      if (block % 50 === 0) stage.hand.speaker.plays(24_000);
    }
    expect(request).toContain('This was said.');
  });

  it('sets the talking mode of the next talk as well', async () => {
    await stage.live();
    await stage.controller.handlers.setTalking({ mode: 'hold' }, noPage);
    expect(stage.settings.get().talking.mode).toBe('hold');
    expect(stage.controller.view.controls.talking).toBe('hold');
  });

  it('takes frames in video only, until it ends', async () => {
    await stage.live();
    expect(stage.taker).toBeUndefined();
    stage.session.close(timeout);
    await stage.live('video');
    stage.taker?.pushFrame(new Uint8Array(3));
    expect(stage.session.calls).toContain('see 3');
    const sent = { event: 'sent', inputId: '1', samples: 1, forceListen: false } as const;
    stage.session.emit({ ...sent, frames: 0 });
    expect(stage.framesWent).toBe(0);
    stage.session.emit({ ...sent, frames: 1 });
    expect(stage.framesWent).toBe(1);
    stage.session.emit({ event: 'metrics', metrics: { values: { vision_tokens: 64 } } });
    const metrics = { values: { vision_tokens: 9 }, stepUsage: { inputVision: 128 } };
    stage.session.emit({ event: 'metrics', metrics });
    expect(stage.stepValues).toEqual([{ vision_tokens: 64 }, { vision_tokens: 128 }]);
    stage.session.close(timeout);
    expect(stage.taker).toBeUndefined();
    await stage.controller.continue({ carry: 'nothing' });
    stage.taker?.pushFrame(new Uint8Array(4));
    expect(stage.session.calls).toContain('see 4');
  });

  it('logs its latency at the end, even if it was short', async () => {
    await stage.live();
    const metrics = { values: { wall_clock_ms: 180 } };
    stage.session.emit({ event: 'metrics', metrics, roundTripMs: 250 });
    expect(stage.log.lines).toEqual([]);
    stage.session.close(timeout);
    expect(stage.log.lines.join()).toContain('round trip 250/250 ms (1); server step 180/180');
    expect(stage.log.lines.join()).toContain('microphone 1 opened, latency 12 ms');
  });

  it('releases the microphone at its end, and opens it again when it continues', async () => {
    await stage.live();
    stage.session.emit({ event: 'text', turn: 1, text: 'one two' });
    stage.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(24_000) });
    stage.session.emit({ event: 'turnEnded', turn: 1 });
    stage.session.close(timeout);
    await settled();
    expect(stage.hand.open).toEqual([1, 0]);
    stage.hand.speaker.plays(30_000);
    stage.clock.advance(500);
    await settled();
    expect(stage.hand.open).toEqual([0, 0]);
    const [caption] = stage.controller.view.captions;
    expect(caption).toMatchObject({ text: 'one two', heard: 7, settled: true });
    await stage.controller.continue({ carry: 'transcript' });
    expect(stage.hand.open).toEqual([1, 0]);
    stage.session.enter('connecting', 'configuring');
    await settled();
    expect(stage.hand.open).toEqual([1, 1]);
    expect(stage.session.options.settings.instructions).toContain('one two');
    expect(stage.controller.view.captions).toHaveLength(1);
  });

  it('begins with the learned pace of its server only', async () => {
    await stage.live();
    for (const at of [0, 1, 2, 3]) {
      stage.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(24_000 + at) });
      stage.clock.advance(1000);
      stage.hand.speaker.plays(24_000);
    }
    stage.session.emit({ event: 'turnEnded', turn: 1 });
    stage.session.close(timeout);
    const held = async (id: string): Promise<number> => {
      stage.connected = () => Promise.resolve({ ok: true, value: stage.server(id) });
      await stage.live();
      const before = stage.clock.now();
      stage.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(14_400) });
      while (stage.hand.speaker.queued === 0 && stage.clock.now() - before < 2000) {
        stage.clock.advance(10);
      }
      stage.session.close(timeout);
      return stage.clock.now() - before;
    };
    const [other, same] = [await held('other'), await held('one')];
    expect(same).toBeLessThan(other);
  });

  it('reconnects at once when the system reports a sleep', async () => {
    stage.systemSleep.resume();
    await stage.live();
    stage.systemSleep.resume();
    expect(stage.controller.view.state.phase).toBe('reconnecting');
  });
});
