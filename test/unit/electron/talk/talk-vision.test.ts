import { describe, expect, it, afterEach, beforeEach } from 'vitest';
import sharp from 'sharp';
import type { ConversationEvent } from '../../../../electron/talk/conversation-options.ts';
import { TalkVision } from '../../../../electron/talk/active-talk.ts';
import { FrameBudget } from '../../../../electron/vision/frame-budget.ts';
import type { DuplexMode } from '../../../../shared/protocol/realtime-api.ts';
import { documentedContext, type ContextFacts } from '../../../../shared/vision/context-facts.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { openParley, type Parley } from '../../../../electron/app/parley.ts';
import type { SessionEvent } from '../../../../electron/talk/session/session-event.ts';
import type { Session } from '../../../../electron/talk/session/session.ts';
import type { Sockets } from '../../../../shared/ports/sockets.ts';
import type { VisionFrame } from '../../../../shared/vision/vision-frame.ts';
import { defaultVisionOptions } from '../../../../shared/vision/vision-options.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { ContextUsage } from '../../../../electron/talk/context-usage.ts';

describe('the frame budget of a talk', () => {
  function opened(mode: DuplexMode = 'video') {
    const clock = new FakeClock();
    const calls: unknown[] = [];
    const contexts: ContextFacts[] = [];
    const budget = new FrameBudget();
    budget.begin = (at, promptTokens) => void calls.push(['begin', at, promptTokens]);
    budget.setAttention = (_at, attention) => void calls.push(attention);
    budget.setContextRoom = (_at, room) => void calls.push(room);
    const vision = new TalkVision(mode, {
      clock,
      framePipeline: {
        budget,
        frameTokens: 64,
        setContext: (context) => void contexts.push(context),
      },
      contextFacts: (dialect) => ({ ...documentedContext, everyAppend: dialect === 'legacy' }),
    });
    const hear = (...events: readonly ConversationEvent[]): void => {
      clock.advance(1000);
      for (const event of events) vision.onEvent(event);
    };
    return { hear, calls, contexts, vision };
  }

  const session: ConversationEvent = {
    event: 'session',
    id: 's',
    dialect: 'legacy',
    promptLength: 40,
  };
  const left = { seconds: 90, tokens: 5000, tokenSeconds: 80, pruning: false };

  it('learns of new sessions, of who speaks, and of the remaining context', () => {
    const { hear, calls, contexts, vision } = opened();
    hear(session);
    hear({ event: 'floor', floor: 'both' }, { event: 'floor', floor: 'you' });
    hear({ event: 'floor', floor: 'parley' }, { event: 'floor', floor: 'nobody' });
    hear(
      { event: 'limits', limits: left },
      { event: 'limits', limits: { ...left, pruning: true } },
    );
    expect(contexts.map(({ everyAppend }) => everyAppend)).toEqual([true]);
    expect(calls).toEqual([
      ['begin', 1000, 40],
      { userSpeaks: true, answerSounds: true },
      { userSpeaks: true, answerSounds: false },
      { userSpeaks: false, answerSounds: true },
      { userSpeaks: false, answerSounds: false },
      { tokensLeft: 5000, otherTokensPerSecond: undefined },
      // A pruning server is never full.
      { tokensLeft: undefined, otherTokensPerSecond: undefined },
    ]);
    expect(vision.contextUsage.view.spent.words).toBe(40);
  });
});

describe('frames of a talk', () => {
  let parley: Parley;
  let shown: VisionFrame[];

  beforeEach(() => {
    parley = openParley('terminal', '1.2.3', new FakeLog());
    shown = [];
    parley.machine.notices.listen(({ name, payload }) => {
      if (name === 'frameSent') shown.push(payload);
    });
  });

  afterEach(() => parley.lifetime.end());

  interface Append {
    readonly video_frames?: readonly string[];
    readonly max_slice_nums?: number;
  }

  /** Wraps sockets to record every append. */
  function noted(sockets: Sockets, appends: Append[]): Sockets {
    return {
      connect: (mode, listener) => {
        const socket = sockets.connect(mode, listener);
        return {
          ...socket,
          send: (text) => {
            const { input } = JSON.parse(text) as { readonly input?: Append };
            if (input !== undefined) appends.push(input);
            socket.send(text);
          },
        };
      },
    };
  }

  /** A live talk with the embedded gateway, attached to the frame pipeline. */
  async function talk(appends: Append[]): Promise<Session> {
    const gateway = await parley.servers.gateway.open();
    if (!gateway.ok) throw new Error(gateway.error.code);
    const sockets = noted(gateway.value, appends);
    return new Promise((resolve) => {
      const emit = (event: SessionEvent): void => {
        if (event.event === 'sent' && event.frames > 0) parley.vision.framePipeline.frameSent();
        if (event.event === 'state' && event.state === 'live') resolve(session);
      };
      const session = parley.servers.sessions.openSession(
        { mode: 'video', settings: {}, dialect: 'unified', chunkMs: 1000 },
        { sockets, emit },
      );
      parley.vision.framePipeline.attach({
        chunkMs: 1000,
        pushFrame: (frame) => {
          session.pushFrame(frame);
        },
        setMaxSlices: (slices) => {
          session.setMaxSlices(slices);
        },
      });
    });
  }

  const second = (): Float32Array => new Float32Array(16_000);

  const paint = (background: string) =>
    sharp({ create: { width: 3840, height: 2160, channels: 3, background } })
      .jpeg()
      .toBuffer();

  const base64 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64');

  it('are posted exactly as they were sent on the wire', async () => {
    const appends: Append[] = [];
    const session = await talk(appends);
    await parley.answer('setCapturePermission', { open: 'camera' });
    await parley.answer('setVisionOptions', { ...defaultVisionOptions, slices: 4 });
    for (const colour of ['#ff0000', '#00ff00']) {
      const jpeg = new Uint8Array(await paint(colour));
      // A change of settings makes the next frame due at once.
      await parley.answer('setVisionOptions', { ...defaultVisionOptions, slices: 4 });
      const reply = await parley.answer('pushFrame', { jpeg });
      expect(reply).toEqual({ ok: true, value: { outcome: 'taken' } });
      session.pushAudio(second());
    }
    // A chunk without a new frame carries none, and nothing is posted.
    session.pushAudio(second());
    session.end();
    expect(appends).toHaveLength(3);
    expect(appends.map(({ video_frames: frames = [] }) => frames.length)).toEqual([1, 1, 0]);
    expect(appends[0]?.max_slice_nums).toBe(4);
    expect(shown).toHaveLength(2);
    for (const [at, frame] of shown.entries()) {
      expect(appends[at]?.video_frames).toEqual([base64(frame.jpeg)]);
      expect(frame.facts).toMatchObject({ width: 1194, height: 672, slices: 4, tokens: 192 });
      expect(frame.facts.bytes).toBe(frame.jpeg.length);
    }
    expect(appends[0]?.video_frames).not.toEqual(appends[1]?.video_frames);
  });

  it('are not sent after the permission was revoked during the talk', async () => {
    const appends: Append[] = [];
    const session = await talk(appends);
    await parley.answer('setCapturePermission', { open: 'camera' });
    const jpeg = new Uint8Array(await paint('#ff0000'));
    const offered = parley.answer('pushFrame', { jpeg });
    await parley.answer('setCapturePermission', { open: 'nothing' });
    expect(await offered).toEqual({ ok: true, value: { outcome: 'notWanted' } });
    session.pushAudio(second());
    // A frame that waited for its chunk is withdrawn, too.
    await parley.answer('setCapturePermission', { open: 'camera' });
    expect(await parley.answer('pushFrame', { jpeg })).toEqual({
      ok: true,
      value: { outcome: 'taken' },
    });
    await parley.answer('setCapturePermission', { open: 'nothing' });
    session.pushAudio(second());
    session.end();
    expect(appends.map(({ video_frames: frames = [] }) => frames.length)).toEqual([0, 0]);
    expect(shown).toEqual([]);
  });
});

describe('the context that a session uses', () => {
  const seconds = (count: number) => count * 16_000;

  function opened(promptLength?: number) {
    const usage = new ContextUsage(() => 64);
    usage.onEvent({ event: 'session', id: 's', dialect: 'unified', promptLength });
    const sent = (frames: number, samples = seconds(1)): void => {
      usage.onEvent({ event: 'sent', inputId: 'i', samples, frames, forceListen: false });
    };
    const step = (
      contextTokens: number | undefined,
      values: Readonly<Record<string, number>> = {},
      roundTripMs: number | undefined = 200,
    ): void => {
      usage.onEvent({ event: 'metrics', metrics: { contextTokens, values }, roundTripMs });
    };
    return { usage, sent, step };
  }

  it("splits growth by the server's counts, and the remainder is sound", () => {
    const { usage, sent, step } = opened(30);
    sent(1);
    step(111, { vision_tokens: 66, n_tokens: 3 });
    sent(0);
    step(123, { n_tokens: 0 });
    expect(usage.view).toEqual({ spent: { pictures: 66, sound: 24, words: 33 }, estimated: [] });
  });

  it('estimates pictures and words that the server does not report, and marks them', () => {
    const { usage, sent, step } = opened(30);
    sent(1);
    usage.onEvent({ event: 'text', turn: 1, text: 'six or so' });
    step(111);
    sent(0);
    step(123);
    const { spent, estimated } = usage.view;
    expect(spent).toEqual({ pictures: 64, sound: 26, words: 33 });
    expect(estimated).toEqual(['pictures', 'words', 'sound']);
  });

  it('estimates everything if the server does not count its context', () => {
    const { usage, sent, step } = opened();
    sent(1);
    step(undefined);
    step(undefined, {}, undefined);
    sent(0);
    step(0);
    const { spent, estimated } = usage.view;
    expect(Math.round(spent.sound)).toBe(34);
    expect([spent.pictures, estimated]).toEqual([64, ['pictures', 'sound']]);
  });

  it('counts a step once, even if several events report it', () => {
    const { usage, sent, step } = opened(0);
    sent(1);
    step(80, { vision_tokens: 64, n_tokens: 4 });
    step(80, { vision_tokens: 64, n_tokens: 4 }, undefined);
    expect(usage.view.spent).toEqual({ pictures: 64, sound: 12, words: 4 });
  });

  it("attributes the excess of a server's first count to the instructions", () => {
    const { usage, sent, step } = opened();
    sent(1);
    step(200, { vision_tokens: 64, n_tokens: 0 });
    sent(0);
    step(212, { n_tokens: 0 });
    const { spent, estimated } = usage.view;
    expect(spent.pictures + spent.sound + spent.words).toBe(212);
    expect([spent.pictures, Math.round(spent.sound), Math.round(spent.words)]).toEqual([
      64, 29, 119,
    ]);
    expect(estimated).toEqual(['words', 'sound']);
  });

  it('never estimates more than the context grew', () => {
    const { usage, sent, step } = opened(0);
    sent(3);
    step(100);
    expect(usage.view.spent).toEqual({ pictures: 100, sound: 0, words: 0 });
  });

  it('continues after the server prunes, and restarts with the next session', () => {
    const { usage, sent, step } = opened(0);
    sent(0);
    step(8000, { n_tokens: 0 });
    sent(0);
    step(4000, { n_tokens: 2 });
    sent(0);
    step(4012, { n_tokens: 0 });
    const { spent } = usage.view;
    expect([Math.round(spent.sound), spent.words]).toEqual([8029, 2]);
    usage.onEvent({ event: 'session', id: 't', dialect: 'unified', promptLength: 44 });
    expect(usage.view).toEqual({ spent: { pictures: 0, sound: 0, words: 44 }, estimated: [] });
  });

  it('measures the rate of sound and words after a while, without pictures and instructions', () => {
    const { usage, sent, step } = opened(100);
    for (let second = 1; second < 20; second += 1) {
      sent(1);
      step(100 + second * 79, { vision_tokens: 64, n_tokens: 3 });
    }
    expect(usage.otherTokensPerSecond).toBeUndefined();
    sent(1);
    step(100 + 20 * 79, { vision_tokens: 64, n_tokens: 3 });
    expect(usage.otherTokensPerSecond).toBe(15);
  });

  it("uses a newer server's counts per step, and ignores tokens of the voice", () => {
    const { usage, sent } = opened(80);
    const step = (contextTokens: number, inputVision: number, roundTripMs?: number): void => {
      const stepUsage = {
        inputText: 1,
        inputAudio: 10,
        inputVision,
        outputText: 4,
        outputAudio: 25,
      };
      usage.onEvent({
        event: 'metrics',
        metrics: { contextTokens, values: { vision_tokens: 7, n_tokens: 9 }, stepUsage },
        roundTripMs,
      });
    };
    sent(1);
    step(159, 64, 200);
    // Some servers repeat the usage with each event of a step.
    step(159, 64);
    sent(0);
    step(174, 0, 200);
    expect(usage.view).toEqual({ spent: { pictures: 64, sound: 20, words: 90 }, estimated: [] });
    // The server prunes, but still reports the step's usage.
    sent(0);
    step(100, 0, 200);
    expect(usage.view).toEqual({ spent: { pictures: 64, sound: 30, words: 95 }, estimated: [] });
  });
});
