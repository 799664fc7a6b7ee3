import { describe, expect, it } from 'vitest';
import { sessionError } from '../../../../../shared/errors/app-error.ts';
import type { ServerEvent } from '../../../../../shared/protocol/realtime-api.ts';
import {
  chat,
  SessionHarness,
  delta,
  error,
  legacyListen,
  listen,
  sound,
  text,
  turnsOf,
} from './session-harness.ts';

const idsOf = (harness: SessionHarness): readonly string[] =>
  harness.appends.map(({ inputId }) => inputId ?? '');

describe('microphone sound sent to the server', () => {
  it('is sent in chunks without losing a sample', () => {
    const harness = new SessionHarness({ chunkMs: 500 }).live();
    const all = Float32Array.from({ length: 24_321 }, (_, index) => index);
    for (let from = 0, length = 1; from < all.length; from += length, length = (length * 7) % 997)
      harness.session.pushAudio(all.subarray(from, from + length));
    const sent = harness.appends.flatMap(({ audio }) => [...audio]);
    expect(harness.appends.map(({ audio }) => audio.length)).toEqual([8000, 8000, 8000]);
    expect(sent).toEqual([...all.subarray(0, 24_000)]);
    expect(harness.session.missingSamples()).toBe(8000 - 321);
  });

  it.each([
    [10, 4000],
    [Number.NaN, 16_000],
    [Number.POSITIVE_INFINITY, 160_000],
  ])('has chunks within limits: %s ms become %s samples', (chunkMs, samples) => {
    const harness = new SessionHarness({ chunkMs }).live();
    harness.session.pushAudio(new Float32Array(160_000));
    expect(harness.appends[0]?.audio).toHaveLength(samples);
  });

  it('is reported append by append, with ids that differ from those of other sessions', () => {
    const harness = new SessionHarness({}, 7).live().speak(2);
    expect(harness.emittedOf('sent')).toEqual(
      idsOf(harness).map((inputId) => ({
        event: 'sent',
        inputId,
        samples: 16_000,
        frames: 0,
        forceListen: false,
      })),
    );
    expect(idsOf(harness)[0]).not.toBe(idsOf(new SessionHarness({}, 8).live().speak(1))[0]);
  });

  it('is reported with the time for which a chunk was held back', () => {
    const harness = new SessionHarness().live().speak(1).say(legacyListen).speak(4);
    expect(harness.emittedOf('sent').map(({ waitedMs }) => waitedMs)).toEqual(
      Array(4).fill(undefined),
    );
    harness.wait(250).say(legacyListen);
    expect(harness.emittedOf('sent').at(-1)?.waitedMs).toBe(250);
  });

  it('carries the newest frame once, in video only', () => {
    const video = new SessionHarness({ mode: 'video' }).live();
    video.session.pushFrame(new Uint8Array([1]));
    video.session.pushFrame(new Uint8Array([2]));
    video.speak(2);
    expect(video.appends.map(({ frames }) => frames)).toEqual([[new Uint8Array([2])], undefined]);
    expect(video.emittedOf('sent').map(({ frames }) => frames)).toEqual([1, 0]);
    const audio = new SessionHarness().live();
    audio.session.pushFrame(new Uint8Array([1]));
    expect(audio.speak(1).appends[0]?.frames).toBeUndefined();
  });

  it('carries the frame with every append of the legacy dialect, until the frame is withdrawn', () => {
    const harness = new SessionHarness({ mode: 'video', dialect: 'legacy' }).live();
    const framesOf = () => harness.appends.map(({ frames }) => frames?.[0]?.[0]);
    harness.session.pushFrame(new Uint8Array([1]));
    harness.speak(2);
    harness.session.pushFrame(new Uint8Array([2]));
    harness.speak(1);
    expect(framesOf()).toEqual([1, 1, 2]);
    harness.say(legacyListen, legacyListen, legacyListen);
    harness.session.pushFrame(undefined);
    harness.speak(1);
    expect(framesOf()).toEqual([1, 1, 2, undefined]);
    const audio = new SessionHarness({ dialect: 'legacy' }).live();
    audio.session.pushFrame(new Uint8Array([1]));
    expect(audio.speak(1).appends[0]?.frames).toBeUndefined();
  });

  it('excludes sound from before the session was live', () => {
    const harness = new SessionHarness();
    harness.session.pushAudio(new Float32Array(20_000).fill(1));
    expect(harness.session.missingSamples()).toBe(0);
    harness.live().speak(1);
    expect(harness.appends[0]?.audio[0]).toBe(0);
  });

  it('carries the slices from the settings until the talk sets others', () => {
    const harness = new SessionHarness({ mode: 'video', settings: { maxSlices: 2 } })
      .live()
      .speak(1);
    harness.session.setMaxSlices(4);
    expect(harness.speak(1).appends.map(({ maxSlices }) => maxSlices)).toEqual([2, 4]);
  });

  it.each([
    ['audio', 'unified', { instructions: 'Be brief.' }],
    ['audio', 'legacy', { instructions: 'Be brief.' }],
    ['video', 'unified', { instructions: 'Be brief.' }],
    ['video', 'legacy', { instructions: 'Be brief.', maxSlices: 2 }],
    ['chat', 'unified', {}],
  ] as const)(
    'follows the settings that exist for %s in the %s dialect',
    (mode, dialect, settings) => {
      const all = { instructions: 'Be brief.', maxSlices: 2 };
      const { asked, appends } = new SessionHarness({ mode, dialect, settings: all })
        .live()
        .speak(1);
      expect(asked[0]?.ask).toEqual({ kind: 'configure', settings });
      for (const { maxSlices } of appends) expect(maxSlices).toBe(mode === 'video' ? 2 : undefined);
    },
  );

  it('stops while paused, and drops sound captured then', () => {
    const harness = new SessionHarness().live();
    harness.session.pushAudio(new Float32Array(8000).fill(1));
    harness.session.pause();
    harness.speak(5);
    harness.session.interrupt();
    expect(harness.appends).toEqual([]);
    harness.session.resume();
    harness.speak(1);
    expect(harness.appends.map(({ audio }) => audio[0])).toEqual([0]);
  });

  it('is reported as dropped if it is still unsent at a pause', () => {
    const harness = new SessionHarness().live().speak(1).say(listen()).speak(5);
    expect(harness.appends).toHaveLength(4);
    harness.session.pause();
    expect(harness.emittedOf('dropped')).toMatchObject([{ samples: 32_000, reason: 'paused' }]);
  });

  it('loses its partial chunk at a pause', () => {
    const harness = new SessionHarness().live();
    harness.session.pushAudio(new Float32Array(3000).fill(1));
    harness.session.pause();
    harness.session.pushAudio(new Float32Array(3000).fill(1));
    harness.session.resume();
    harness.session.interrupt();
    expect(harness.appends[0]?.audio).toEqual(new Float32Array(4000));
  });
});

describe('unanswered appends', () => {
  it('are capped; the oldest unsent chunks are dropped and counted', () => {
    const harness = new SessionHarness().live();
    for (let second = 0; second < 8; second += 1)
      harness.session.pushAudio(new Float32Array(16_000).fill(second));
    expect(harness.appends).toHaveLength(3);
    const dropped = { samples: 16_000, reason: 'slow' };
    expect(harness.emittedOf('dropped')).toMatchObject([dropped, dropped]);
    harness.say(legacyListen);
    expect(harness.appends.map(({ audio }) => audio[0])).toEqual([0, 1, 2, 5]);
  });

  it('are settled once per step by its text, sound and closing listen', () => {
    const harness = new SessionHarness().live();
    for (let second = 0; second < 3; second += 1)
      harness.session.pushAudio(new Float32Array(16_000));
    harness.say(text('a'), sound(), sound(), listen()).speak(2);
    // The four events settle only the first append. Two stay unanswered, so one of two new chunks is sent.
    expect(harness.appends).toHaveLength(4);
  });

  it('keep pace for minutes with a server that answers each with text and sound', () => {
    const harness = new SessionHarness().live();
    for (let second = 0; second < 120; second += 1)
      harness.speak(1).wait(200).say(text('a')).wait(300).say(sound());
    expect(harness.appends).toHaveLength(120);
    expect(harness.emittedOf('dropped')).toEqual([]);
    expect(harness.emittedOf('metrics').map(({ roundTripMs }) => roundTripMs)).toEqual(
      Array.from({ length: 120 }, () => 200),
    );
  });

  it('are settled by their echoed id, together with earlier ones, and only once', () => {
    const harness = new SessionHarness().live().speak(3);
    const [, second = ''] = idsOf(harness);
    harness.say(text('a', second), sound(second), listen(second)).speak(3);
    expect(harness.appends).toHaveLength(5);
    expect(harness.emittedOf('metrics').map(({ roundTripMs }) => roundTripMs)).toEqual([1000]);
  });

  it('are settled by a malformed event, and by sound with invalid samples', () => {
    const harness = new SessionHarness().live().speak(3);
    harness.say({ kind: 'malformed', problem: 'p' }, { ...sound(), repairedSamples: 3 }).speak(2);
    expect(harness.appends).toHaveLength(5);
    expect(harness.emittedOf('error').map(({ error }) => error.detail)).toEqual([
      'p',
      'The server sent sound with invalid samples. Parley plays silence in their place.',
    ]);
  });

  it('count as lost after a while, so that they do not block the uplink', () => {
    const harness = new SessionHarness().live().speak(1).say(listen()).speak(10);
    expect(harness.appends.length).toBeGreaterThan(4);
    expect(harness.appends.length).toBeLessThanOrEqual(8);
  });

  it('end the session if no append is answered', () => {
    const harness = new SessionHarness().live().speak(61);
    expect(harness.session.phase).toBe('closing');
    expect(harness.wait(1000).closed).toMatchObject({
      error: sessionError('stalled'),
      by: 'server',
    });
  });

  it('get a new timeout with each event, while the server owes an answer', () => {
    const harness = new SessionHarness().live().speak(2).wait(50_000).say(legacyListen);
    expect(harness.wait(59_999).session.phase).toBe('live');
    expect(harness.wait(1).session.phase).toBe('closing');
  });

  it('do not end a paused session', () => {
    const harness = new SessionHarness().live().speak(2);
    harness.session.pause();
    harness.say({ kind: 'unknown', type: 'server.note', raw: {} });
    expect(harness.wait(600_000).session.phase).toBe('live');
  });

  it('do not end the session after all have been answered', () => {
    const harness = new SessionHarness().live().speak(1).say(listen());
    expect(harness.wait(600_000).session.phase).toBe('live');
  });
});

/** Three unanswered appends and three waiting chunks: each settled append sends one more. */
function backlog(): SessionHarness {
  const harness = new SessionHarness().live();
  for (let chunk = 0; chunk < 6; chunk += 1) harness.session.pushAudio(new Float32Array(16_000));
  return harness;
}

describe('steps without echo', () => {
  it.each<readonly [string, readonly ServerEvent[], number]>([
    ['count one step for two sounds at once', [sound(), sound()], 1],
    ['count two steps for two legacy deltas with sound', [delta('', false), delta('', false)], 2],
    [
      'count three steps for sound, an error and sound',
      [sound(), error('inference_error'), sound()],
      3,
    ],
  ])('%s', (_, events, steps) => {
    expect(backlog().say(...events).appends).toHaveLength(3 + steps);
  });
});

describe('late sound of a server that numbers its steps', () => {
  const numbered = (append: number, event: ReturnType<typeof sound | typeof listen>) => ({
    ...event,
    responseId: `s_resp_${append}`,
  });

  it('is kept after a turn that ended by itself, although the turn before was cut', () => {
    const harness = new SessionHarness().live();
    harness.speak(1).say(numbered(1, text('a')), numbered(1, sound()));
    harness.session.interrupt();
    harness.say(numbered(2, listen())).speak(1);
    harness.say(numbered(3, text('b')), numbered(3, listen())).wait(1600);
    harness.say(numbered(3, sound()));
    const cut = ['text 1 a', 'audio 1', 'yields'];
    expect(turnsOf(harness)).toEqual([...cut, 'text 2 b', 'listens', 'ended 2', 'audio 3']);
  });

  it('is kept if the user speaks after the model has listened', () => {
    const harness = new SessionHarness().live().speak(1);
    harness.say(numbered(1, text('a')), numbered(1, listen())).wait(900);
    harness.session.pushAudio(new Float32Array(16_000).fill(0.1));
    harness.say(numbered(2, listen())).wait(300);
    harness.say(numbered(2, sound())).wait(300);
    const heard = ['text 1 a', 'listens', 'listens', 'audio 1', 'ended 1'];
    expect(turnsOf(harness)).toEqual(heard);
  });
});

describe('the wait for a server that owes an answer', () => {
  it('restarts after a pause', () => {
    const harness = new SessionHarness().live().speak(1);
    harness.session.pause();
    harness.session.resume();
    expect(harness.speak(61).session.phase).toBe('closing');
  });
});

describe('a server that owes answers', () => {
  it('does not begin a written answer with an unknown event', () => {
    const harness = chat().live();
    harness.session.ask({ messages: [{ role: 'user', content: 'Hi' }] });
    harness.wait(10_000).say({ kind: 'unknown', type: 'server.note', raw: {} });
    expect(harness.wait(179_999).session.phase).toBe('live');
    expect(harness.wait(1).session.phase).toBe('closing');
  });
});

describe('appends to a server that floods the client', () => {
  /** Alternates events of sound with seconds of microphone sound, as fast as possible. */
  const pour = (count: number, times: number): SessionHarness => {
    const harness = new SessionHarness().live().speak(1).say(text('Hello'));
    for (let time = 0; time < times; time += 1) {
      harness.say(...Array.from({ length: count }, () => sound(undefined, 1)));
      harness.session.pushAudio(new Float32Array(16_000));
    }
    return harness;
  };

  it('are not held back, because their answers are queued behind the flood', () => {
    const harness = pour(500, 8);
    expect(harness.appends).toHaveLength(9);
    expect(harness.emittedOf('dropped')).toEqual([]);
  });

  it.each([500, 1000])(
    'are held back after 12 s without an answer to any, in chunks of %d ms',
    (ms) => {
      const harness = new SessionHarness({ chunkMs: ms }).live().speak(1);
      const [first] = harness.appends;
      // A server that echoes ids, so appends are not given up early.
      harness.say(listen(first?.inputId));
      const before = harness.appends.length;
      for (let time = 0; time < 20_000 / ms; time += 1) {
        harness.session.pushAudio(new Float32Array(16 * ms));
        harness.wait(ms).say(...Array.from({ length: 100 }, () => sound(first?.inputId, 1)));
      }
      expect(harness.appends.length - before).toBe(12_000 / ms);
      expect(harness.emittedOf('dropped').length).toBeGreaterThan(0);
    },
  );
});
