import { describe, expect, it } from 'vitest';
import { sessionError } from '../../../../../shared/errors/session-reasons.ts';
import { delta, error, legacyListen, listen, sound, text } from './server-events.ts';
import { Scene } from './session-scene.ts';

function idsOf(scene: Scene): readonly string[] {
  return scene.appends.map(({ inputId }) => inputId ?? '');
}

describe('microphone sound sent to the server', () => {
  it('is sent in chunks without losing a sample', () => {
    const scene = new Scene({ chunkMs: 500 }).live();
    const all = Float32Array.from({ length: 24_321 }, (_, index) => index);
    for (let from = 0, length = 1; from < all.length; from += length, length = (length * 7) % 997)
      scene.session.pushAudio(all.subarray(from, from + length));
    const sent = scene.appends.flatMap(({ audio }) => [...audio]);
    expect(scene.appends.map(({ audio }) => audio.length)).toEqual([8000, 8000, 8000]);
    expect(sent).toEqual([...all.subarray(0, 24_000)]);
  });

  it.each([
    [10, 4000],
    [Number.NaN, 16_000],
    [Number.POSITIVE_INFINITY, 160_000],
  ])('has chunks within limits: %s ms become %s samples', (chunkMs, samples) => {
    const scene = new Scene({ chunkMs }).live();
    scene.session.pushAudio(new Float32Array(160_000));
    expect(scene.appends[0]?.audio).toHaveLength(samples);
  });

  it('emits each append with a unique id', () => {
    const scene = new Scene({}, 7).live().speak(2);
    expect(scene.emittedOf('sent')).toEqual(
      idsOf(scene).map((inputId) => ({
        event: 'sent',
        inputId,
        samples: 16_000,
        frames: 0,
        forceListen: false,
      })),
    );
    expect(idsOf(scene)[0]).not.toBe(idsOf(new Scene({}, 8).live().speak(1))[0]);
  });

  it('emits how long a chunk was held back', () => {
    const scene = new Scene().live().speak(1).say(legacyListen).speak(4);
    expect(scene.emittedOf('sent').map(({ waitedMs }) => waitedMs)).toEqual(
      Array(4).fill(undefined),
    );
    scene.wait(250).say(legacyListen);
    expect(scene.emittedOf('sent').at(-1)?.waitedMs).toBe(250);
  });

  it('carries the newest frame once, in video only', () => {
    const video = new Scene({ mode: 'video' }).live();
    video.session.pushFrame(new Uint8Array([1]));
    video.session.pushFrame(new Uint8Array([2]));
    video.speak(2);
    expect(video.appends.map(({ frames }) => frames)).toEqual([[new Uint8Array([2])], undefined]);
    expect(video.emittedOf('sent').map(({ frames }) => frames)).toEqual([1, 0]);
    const audio = new Scene().live();
    audio.session.pushFrame(new Uint8Array([1]));
    expect(audio.speak(1).appends[0]?.frames).toBeUndefined();
  });

  it('carries the frame with every append of the legacy dialect, until it is withdrawn', () => {
    const scene = new Scene({ mode: 'video', dialect: 'legacy' }).live();
    const framesOf = () => scene.appends.map(({ frames }) => frames?.[0]?.[0]);
    scene.session.pushFrame(new Uint8Array([1]));
    scene.speak(2);
    scene.session.pushFrame(new Uint8Array([2]));
    scene.speak(1);
    expect(framesOf()).toEqual([1, 1, 2]);
    scene.say(legacyListen, legacyListen, legacyListen);
    scene.session.pushFrame(undefined);
    scene.speak(1);
    expect(framesOf()).toEqual([1, 1, 2, undefined]);
    const audio = new Scene({ dialect: 'legacy' }).live();
    audio.session.pushFrame(new Uint8Array([1]));
    expect(audio.speak(1).appends[0]?.frames).toBeUndefined();
  });

  it('excludes sound from before the session was live', () => {
    const scene = new Scene();
    scene.session.pushAudio(new Float32Array(20_000).fill(1));
    scene.live().speak(1);
    expect(scene.appends[0]?.audio[0]).toBe(0);
  });

  it('carries the slices of the settings until others are set', () => {
    const scene = new Scene({ mode: 'video', settings: { maxSlices: 2 } }).live().speak(1);
    scene.session.setMaxSlices(4);
    expect(scene.speak(1).appends.map(({ maxSlices }) => maxSlices)).toEqual([2, 4]);
  });

  it('drops the partial chunk at a pause', () => {
    const scene = new Scene().live();
    scene.session.pushAudio(new Float32Array(3000).fill(1));
    scene.session.pause();
    scene.session.resume();
    scene.session.interrupt();
    expect(scene.appends[0]?.audio).toEqual(new Float32Array(4000));
  });

  it('stops while paused, and drops sound captured then', () => {
    const scene = new Scene().live();
    scene.session.pushAudio(new Float32Array(8000).fill(1));
    scene.session.pause();
    scene.speak(5);
    scene.session.interrupt();
    expect(scene.appends).toEqual([]);
    scene.session.resume();
    scene.speak(1);
    expect(scene.appends.map(({ audio }) => audio[0])).toEqual([0]);
  });
});

describe('unanswered appends', () => {
  it('are capped; the oldest unsent chunks are dropped and counted', () => {
    const scene = new Scene().live();
    for (let second = 0; second < 8; second += 1)
      scene.session.pushAudio(new Float32Array(16_000).fill(second));
    expect(scene.appends).toHaveLength(3);
    expect(scene.emittedOf('dropped').map(({ samples }) => samples)).toEqual([16_000, 16_000]);
    scene.say(legacyListen);
    expect(scene.appends.map(({ audio }) => audio[0])).toEqual([0, 1, 2, 5]);
  });

  it('are settled by their echoed id, with those before, and only once', () => {
    const scene = new Scene().live().speak(3);
    const [, second = ''] = idsOf(scene);
    scene.say(text('a', second), sound(second), listen(second)).speak(3);
    expect(scene.appends).toHaveLength(5);
    expect(scene.emittedOf('metrics').map(({ roundTripMs }) => roundTripMs)).toEqual([1000]);
  });

  it('are settled in order without echoed ids', () => {
    const scene = new Scene().live();
    scene.speak(1).wait(300).say(delta('a', false));
    scene.speak(1).wait(200).say(legacyListen);
    expect(scene.emittedOf('metrics').map(({ roundTripMs }) => roundTripMs)).toEqual([300, 200]);
  });

  it('are settled once per step by its text, sound and closing listen', () => {
    const scene = new Scene().live();
    for (let second = 0; second < 3; second += 1) scene.session.pushAudio(new Float32Array(16_000));
    scene.say(text('a'), sound(), sound(), listen()).speak(2);
    // Two of three are unanswered: the four events belong to one step.
    expect(scene.appends).toHaveLength(4);
  });

  it('are settled by a listen that is a separate step, long after the sound', () => {
    const scene = new Scene().live().speak(1).say(text('a')).wait(300).say(sound());
    scene.speak(1).wait(300).say(listen());
    expect(scene.emittedOf('metrics')).toHaveLength(2);
    expect(scene.emittedOf('metrics')[1]?.roundTripMs).toBe(300);
  });

  it('keep pace for minutes with a server that answers each with text and sound', () => {
    const scene = new Scene().live();
    for (let second = 0; second < 120; second += 1)
      scene.speak(1).wait(200).say(text('a')).wait(300).say(sound());
    expect(scene.appends).toHaveLength(120);
    expect(scene.emittedOf('dropped')).toEqual([]);
    expect(scene.emittedOf('metrics').map(({ roundTripMs }) => roundTripMs)).toEqual(
      Array.from({ length: 120 }, () => 200),
    );
  });

  it('are settled by an error', () => {
    const scene = new Scene().live().speak(3).say(error('inference_error')).speak(1);
    expect(scene.appends).toHaveLength(4);
    expect(scene.emittedOf('error')).toMatchObject([
      { error: { facts: { reason: 'inference_error' } }, fatal: false },
    ]);
  });

  it('are settled by a malformed event', () => {
    const scene = new Scene().live().speak(3).say({ kind: 'malformed', problem: 'p' }).speak(1);
    expect(scene.appends).toHaveLength(4);
  });

  it('have no timeout while paused', () => {
    const scene = new Scene().live().speak(2);
    scene.session.pause();
    scene.say(legacyListen).wait(3_600_000);
    expect(scene.session.phase).toBe('live');
  });

  it('count as lost after a while, so that dropped ones do not block the uplink', () => {
    const scene = new Scene().live().speak(1).say(listen()).speak(10);
    expect(scene.appends.length).toBeGreaterThan(4);
    expect(scene.appends.length).toBeLessThanOrEqual(8);
  });

  it('end the session if no append is answered', () => {
    const scene = new Scene().live().speak(61);
    expect(scene.session.phase).toBe('closing');
    expect(scene.wait(1000).closed).toMatchObject({ error: sessionError('stalled'), by: 'server' });
  });

  it('do not end a paused session', () => {
    const scene = new Scene().live().speak(2);
    scene.session.pause();
    expect(scene.wait(600_000).session.phase).toBe('live');
  });
});
