import { flushPromises, deferred } from '../../../fakes/promises.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, sessionError } from '../../../../shared/errors/app-error.ts';
import { noPage } from '../../../../shared/ipc/page.ts';
import { endedByUser, lost, ConversationHarness } from './conversation-harness.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';
import { TalkPublisher } from '../../../../electron/talk/talk-reporter.ts';
import type { NoticeName } from '../../../../shared/ipc/contract.ts';
import { idleTalkView } from '../../../../shared/talk/talk-view.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';

const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

let harness: TalkControllerHarness;

beforeEach(() => {
  harness = new TalkControllerHarness();
});

describe('starting a talk', () => {
  it('opens a session with the settings, then the devices, and posts the server', async () => {
    harness.settings.change({ talking: { mode: 'hold', yielding: 'always' } });
    const started = await harness.controller.start('audio');
    expect(started).toEqual({ ok: true, value: { mode: 'audio', endpoint: 'The one' } });
    expect(harness.session.options).toMatchObject({
      mode: 'audio',
      dialect: 'auto',
      yielding: 'always',
      settings: { instructions: 'Be kind.' },
    });
    expect(harness.devices.open).toEqual([1, 0]);
    expect(harness.posted('talkBegan')).toEqual([{ mode: 'audio', endpoint: 'The one' }]);
    expect(harness.controller.view).toMatchObject({
      state: { phase: 'connecting' },
      talk: { endpoint: 'The one' },
      controls: { talking: 'hold', transmitting: false },
    });
  });

  it('is refused while another start or talk is in progress', async () => {
    const first = harness.controller.start('audio');
    const refused = [
      await harness.controller.start('audio'),
      (await first) && (await harness.controller.start('video')),
    ];
    expect(refused).toEqual([failure('talkStartingAlready'), failure('talkGoingOn')]);
    expect(harness.sessions).toHaveLength(1);
  });

  it('reports a failure, and the next start may succeed', async () => {
    harness.connected = () => Promise.resolve(failure('serverGone'));
    expect(await harness.controller.start('audio')).toMatchObject(failure('serverGone'));
    harness.connected = () => Promise.reject(new Error('The keychain is broken.'));
    await expect(harness.controller.start('audio')).rejects.toThrow('keychain');
    harness.connected = () => Promise.resolve({ ok: true, value: harness.server('one') });
    harness.configured = () => Promise.resolve(failure('voiceGone'));
    expect(await harness.controller.start('audio')).toMatchObject(failure('voiceGone'));
    expect([harness.sessions, harness.posts, harness.devices.chosen]).toEqual([[], [], []]);
    harness.configured = () => Promise.resolve({ ok: true, value: {} });
    expect(await harness.controller.start('audio')).toMatchObject({ ok: true });
  });

  it('keeps the previous talk after a failed start, so that the previous talk can continue', async () => {
    await harness.live();
    harness.session.close(timeout);
    harness.connected = () => Promise.resolve(failure('serverGone'));
    expect(await harness.controller.start('audio')).toMatchObject({ ok: false });
    expect(harness.controller.view.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    expect(await harness.controller.continue({ carry: 'nothing' })).toMatchObject({ ok: true });
    expect(harness.sessions).toHaveLength(2);
  });
});

describe('a request without a talk', () => {
  it('is refused with a reason', async () => {
    expect(harness.controller.withTalk(() => undefined)).toEqual(failure('noTalk'));
    expect(await harness.controller.continue({ carry: 'transcript' })).toEqual(
      failure('noEndedTalk'),
    );
    await harness.live();
    expect(await harness.controller.continue({ carry: 'transcript' })).toMatchObject({ ok: false });
    expect(harness.sessions).toHaveLength(1);
  });
});

describe('a talk', () => {
  it('gets microphone sound, and follows the settings', async () => {
    await harness.live();
    harness.devices.microphone.hear(new Float32Array(320).fill(0.5));
    expect(harness.session.heard).toHaveLength(320);
    harness.settings.change({ audio: { playbackVolume: 0.25 }, talking: { mode: 'tap' } });
    expect(harness.devices.speaker.volume).toBe(0.25);
    expect(harness.controller.view.controls).toMatchObject({ talking: 'tap', transmitting: false });
    // A change of other settings does not undo the user's choice in the talk.
    harness.controller.withTalk((talk) => {
      talk.controls.setTalking('open');
    });
    harness.settings.change({ audio: { playbackVolume: 0.5 } });
    expect(harness.controller.view.controls.talking).toBe('open');
  });

  it('uses the limits of the server’s profile, and sends its configured fields', async () => {
    const settings = { generation: { topK: 5, other: { a: 1, b: 1 } } };
    harness.configured = () => Promise.resolve({ ok: true, value: settings });
    harness.traits = { timeLimit: 100, config: { b: 2, length_penalty: 1.1 } };
    await harness.live();
    expect(harness.session.options.settings.generation).toEqual({
      topK: 5,
      other: { a: 1, b: 2, length_penalty: 1.1 },
    });
    expect(harness.controller.view.limits?.seconds).toBe(100);
  });

  it('takes frames in video mode only, until it ends', async () => {
    await harness.live();
    expect(harness.frameSink).toBeUndefined();
    harness.session.close(timeout);
    await harness.live('video');
    harness.frameSink?.pushFrame(new Uint8Array(3));
    expect(harness.session.calls).toContain('see 3');
    const sent = { event: 'sent', inputId: '1', samples: 1, forceListen: false } as const;
    harness.session.emit({ ...sent, frames: 0 });
    expect(harness.framesSent).toBe(0);
    harness.session.emit({ ...sent, frames: 1 });
    expect(harness.framesSent).toBe(1);
    harness.session.emit({ event: 'metrics', metrics: { values: { vision_tokens: 64 } } });
    const metrics = { values: { vision_tokens: 9 }, stepUsage: { inputVision: 128 } };
    harness.session.emit({ event: 'metrics', metrics });
    expect(harness.stepValues).toEqual([{ vision_tokens: 64 }, { vision_tokens: 128 }]);
    harness.session.close(timeout);
    expect(harness.frameSink).toBeUndefined();
    await harness.controller.continue({ carry: 'nothing' });
    harness.frameSink?.pushFrame(new Uint8Array(4));
    expect(harness.session.calls).toContain('see 4');
  });

  it('logs its latency at the end, even if it was short', async () => {
    await harness.live();
    const metrics = { values: { wall_clock_ms: 180 } };
    harness.session.emit({ event: 'metrics', metrics, roundTripMs: 250 });
    expect(harness.log.lines).toEqual([]);
    harness.session.close(timeout);
    expect(harness.log.lines.join()).toContain('round trip 250/250 ms (1); server step 180/180');
    expect(harness.log.lines.join()).toContain('microphone 1 opened, latency 0 ms');
  });

  it('releases the microphone at its end, and opens it again when it continues', async () => {
    await harness.live();
    harness.session.emit({ event: 'text', turn: 1, text: 'one two' });
    harness.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(24_000) });
    harness.session.emit({ event: 'turnEnded', turn: 1 });
    harness.session.close(timeout);
    await flushPromises();
    expect(harness.devices.open).toEqual([1, 0]);
    harness.devices.speaker.plays(30_000);
    harness.clock.advance(500);
    await flushPromises();
    expect(harness.devices.open).toEqual([0, 0]);
    const [caption] = harness.controller.view.captions;
    expect(caption).toMatchObject({ text: 'one two', heard: 7, settled: true });
    await harness.controller.continue({ carry: 'transcript' });
    expect(harness.devices.open).toEqual([1, 0]);
    harness.session.enter('connecting', 'configuring');
    await flushPromises();
    expect(harness.devices.open).toEqual([1, 1]);
    expect(harness.session.options.settings.instructions).toContain('one two');
    expect(harness.controller.view.captions).toHaveLength(1);
  });

  it('begins with the pace that was learned from its own server', async () => {
    await harness.live();
    for (const at of [0, 1, 2, 3]) {
      harness.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(24_000 + at) });
      harness.clock.advance(1000);
      harness.devices.speaker.plays(24_000);
    }
    harness.session.emit({ event: 'turnEnded', turn: 1 });
    harness.session.close(timeout);
    const held = async (id: string): Promise<number> => {
      harness.connected = () => Promise.resolve({ ok: true, value: harness.server(id) });
      await harness.live();
      const before = harness.clock.now();
      harness.session.emit({ event: 'audio', turn: 1, audio: new Float32Array(14_400) });
      while (harness.devices.speaker.queued === 0 && harness.clock.now() - before < 2000) {
        harness.clock.advance(10);
      }
      harness.session.close(timeout);
      return harness.clock.now() - before;
    };
    const [other, same] = [await held('other'), await held('one')];
    expect(same).toBeLessThan(other);
  });

  it('logs an unknown server event once', () => {
    const log = new FakeLog();
    const harness = new ConversationHarness({}, { log }).live();
    harness.session.emit({ event: 'unknown', type: 'response.think' });
    harness.session.emit({ event: 'unknown', type: 'response.think' });
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toContain('response.think');
  });

  it('reconnects when the system reports a sleep', async () => {
    harness.systemSleep.resume();
    await harness.live();
    harness.systemSleep.resume();
    expect(harness.controller.view.state.phase).toBe('reconnecting');
  });
});

describe('the end of Parley', () => {
  it('ends the talk and closes everything', async () => {
    await harness.live('video');
    const ending = harness.controller.end();
    expect(harness.session.calls).toContain('end');
    harness.session.close(endedByUser);
    await ending;
    expect(harness.devices.open).toEqual([0, 0]);
    expect(harness.frameSink).toBeUndefined();
    expect([harness.listeners, harness.systemSleep.listeners]).toEqual([0, 0]);
  });

  it('leaves no talk open if it comes during the start of one', async () => {
    const connecting = deferred();
    const { connected } = harness;
    harness.connected = () => connecting.promise.then(connected);
    const starting = harness.controller.start('audio');
    await harness.controller.end();
    connecting.resolve();
    expect(await starting).toEqual(failure('shuttingDown'));
    expect([harness.sessions.length, ...harness.devices.open]).toEqual([0, 0, 0]);
    expect(await harness.controller.start('audio')).toMatchObject({ ok: false });
  });
});

describe('the mute at the start of a talk', () => {
  it('follows the setting, and a continued talk keeps the user’s choice', async () => {
    harness.settings.change({ talking: { startMuted: true } });
    await harness.live('audio');
    expect(harness.controller.view.controls).toMatchObject({ muted: true, transmitting: false });
    expect(harness.posted('talkControls').at(-1)).toMatchObject({ muted: true });
    void harness.controller.handlers.setMuted({ muted: false }, noPage);
    harness.session.close(timeout);
    await harness.controller.continue({ carry: 'transcript' });
    expect(harness.controller.view.controls).toMatchObject({ muted: false, transmitting: true });
    harness.session.enter('connecting', 'configuring', 'live').close(timeout);
    await harness.controller.start('audio');
    expect(harness.controller.view.controls.muted).toBe(true);
  });

  it('is off if the talk has a talk key, so that the key works', async () => {
    harness.settings.change({ talking: { startMuted: true, mode: 'hold' } });
    await harness.live('audio');
    expect(harness.controller.view.controls).toMatchObject({ muted: false, transmitting: false });
    harness.controller.talkKey.handle(noPage, 'press');
    expect(harness.controller.view.controls.transmitting).toBe(true);
  });
});

describe('what pages see of a talk', () => {
  let posts: (readonly [NoticeName, unknown])[];
  let publisher: TalkPublisher;

  beforeEach(() => {
    posts = [];
    publisher = new TalkPublisher((name, payload) => {
      posts.push([name, payload]);
    });
  });

  describe('the notices of a talk', () => {
    it('are posted, and the view equals what a page has built from them', () => {
      const state = { phase: 'live' } as const;
      const controls = { ...idleTalkView.controls, muted: true };
      const devices = {
        ...idleTalkView.devices,
        speaker: { kind: 'using', device: 'Built-in' },
      } as const;
      const left = { seconds: 60, tokens: 100, tokenSeconds: undefined, pruning: false };
      const warning = { limit: 'time', threshold: 60, secondsLeft: 60 } as const;
      publisher.publishBegan({ mode: 'audio', endpoint: 'Studio' });
      publisher.publish({ event: 'talk', state });
      publisher.publish({ event: 'controls', controls });
      publisher.publish({ event: 'floor', floor: 'you' });
      publisher.publish({ event: 'devices', devices });
      publisher.publish({ event: 'limits', limits: left });
      publisher.publish({ event: 'warning', warning });
      expect(posts).toEqual([
        ['talkBegan', { mode: 'audio', endpoint: 'Studio' }],
        ['talkState', state],
        ['talkControls', controls],
        ['floor', 'you'],
        ['talkDevices', devices],
        ['talkLimits', left],
        ['talkWarning', warning],
      ]);
      expect(publisher.view).toEqual({
        state,
        talk: { mode: 'audio', endpoint: 'Studio' },
        controls,
        floor: 'you',
        devices,
        limits: left,
        storage: idleTalkView.storage,
        capture: 'nothing',
        computerSound: { kind: 'off' },
        userTranscript: idleTalkView.userTranscript,
        tasks: [],
        captions: [],
      });
    });

    it('report the shared capture when it changes, even if it was opened before the talk', () => {
      const before = posts.length;
      for (const open of ['nothing', 'camera', 'camera', 'nothing', 'screen'] as const)
        publisher.publishCapture(open);
      publisher.publishBegan({ mode: 'video', endpoint: 'Studio' });
      expect(posts.slice(before).filter(([name]) => name === 'talkCapture')).toEqual([
        ['talkCapture', 'camera'],
        ['talkCapture', 'nothing'],
        ['talkCapture', 'screen'],
      ]);
      expect(publisher.view.capture).toBe('screen');
    });

    it('include the session after the server has created it', () => {
      publisher.publishBegan({ mode: 'video', endpoint: 'Studio' });
      publisher.publish({ event: 'session', id: 's1', dialect: 'legacy' });
      const talk = { mode: 'video', endpoint: 'Studio', session: { id: 's1', dialect: 'legacy' } };
      expect(publisher.view.talk).toEqual(talk);
      expect(posts.at(-1)).toEqual(['talkBegan', talk]);
    });

    it('begin empty with every talk', () => {
      publisher.publish({ event: 'caption', patch: { turn: 1, added: 'Hello.' } });
      publisher.publish({ event: 'floor', floor: 'parley' });
      publisher.publishBegan({ mode: 'audio', endpoint: 'Studio' });
      expect(publisher.view).toEqual({
        ...idleTalkView,
        talk: { mode: 'audio', endpoint: 'Studio' },
      });
    });
  });

  describe('captions', () => {
    it('are marked if another session took over before their turn, but not in the next talk', () => {
      const say = (turn: number): void =>
        publisher.publish({ event: 'caption', patch: { turn, added: 'Hello.' } });
      const marks = (): readonly unknown[] =>
        publisher.view.captions.map(({ startsSession }) => startsSession);
      say(1);
      publisher.publish({ event: 'handedOver', heldMs: 0 });
      for (const turn of [2, 3]) say(turn);
      expect(marks()).toEqual([undefined, true, undefined]);
      publisher.publish({ event: 'handedOver', heldMs: 0 });
      publisher.publishBegan({ mode: 'audio', endpoint: 'Studio' });
      say(1);
      expect(marks()).toEqual([undefined]);
    });

    it('are marked if the model also heard the computer when their turn began', () => {
      const say = (turn: number): void =>
        publisher.publish({ event: 'caption', patch: { turn, added: 'Hello.' } });
      say(1);
      publisher.publishComputerSound({ kind: 'on' });
      say(1);
      say(2);
      publisher.publishComputerSound({ kind: 'off' });
      say(2);
      say(3);
      const marked = publisher.view.captions.filter(({ hearsComputer }) => hearsComputer === true);
      expect(marked.map(({ turn }) => turn)).toEqual([2]);
    });

    it('are limited to the newest fifty turns for a page that opens late', () => {
      for (let turn = 1; turn <= 60; turn += 1) {
        publisher.publish({ event: 'caption', patch: { turn, added: `turn ${turn}` } });
      }
      expect(publisher.view.captions.map(({ turn }) => turn)).toEqual(
        Array.from({ length: 50 }, (_, n) => n + 11),
      );
    });
  });
});
