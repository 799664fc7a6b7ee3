import { beforeEach, describe, expect, it } from 'vitest';
import type { AudioSink } from '../../../../electron/audio/capture/capture-pipeline.ts';
import type { DeviceEvent } from '../../../../electron/audio/devices/stream-supervisor.ts';
import { ComputerSound, ComputerSoundMix } from '../../../../electron/talk/talk-sound-devices.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { ComputerSoundState } from '../../../../shared/talk/talk-view.ts';
import { ConversationHarness } from './conversation-harness.ts';

/** The receivers of the opened streams of computer sound, oldest first. */
let sinks: AudioSink[];
let emit: (event: DeviceEvent) => void;
let open: number;
let states: ComputerSoundState['kind'][];
let sound: ComputerSound;

beforeEach(() => {
  [sinks, open, states] = [[], 0, []];
  sound = new ComputerSound({
    open: (sink, onEvent) => {
      sinks.push(sink);
      emit = onEvent;
      open += 1;
      onEvent({ kind: 'using', device: 'this computer' });
      return Promise.resolve({
        end: () => {
          open -= 1;
          return Promise.resolve();
        },
      });
    },
    volume: () => 1,
    onStateChange: ({ kind }) => states.push(kind),
  });
});

const part = (): Float32Array => new Float32Array(320).fill(0.1);

describe('hearing the computer in a talk', () => {
  it('is off until the user turns it on', async () => {
    await sound.admit(true);
    expect(open).toBe(0);
    expect(sound.state).toEqual({ kind: 'off' });
  });

  it('adds the computer’s sound while it is on, and closes its stream when it is turned off', async () => {
    await sound.admit(true);
    await sound.turn(true);
    for (let n = 0; n < 4; n += 1) sinks[0]?.pushAudio(new Float32Array(320).fill(0.5));
    expect(sound.addTo(part(), false).at(-1)).toBeGreaterThan(0.4);
    await sound.turn(false);
    expect(open).toBe(0);
    expect(sound.addTo(part(), false)).toEqual(part());
    expect(states).toEqual(['opening', 'on', 'off']);
  });

  it('is closed while the talk waits in a queue, and opens again with the microphone', async () => {
    await sound.admit(true);
    await sound.turn(true);
    await sound.admit(false);
    expect(open).toBe(0);
    await sound.admit(true);
    expect(open).toBe(1);
    expect(sound.state).toEqual({ kind: 'on' });
  });

  it('says that the sound is lost, and that it is back', async () => {
    await sound.admit(true);
    await sound.turn(true);
    emit({ kind: 'lost', error: appError('computerSoundFailed') });
    expect(sound.state).toMatchObject({ kind: 'lost', error: { code: 'computerSoundFailed' } });
    emit({ kind: 'using', device: 'this computer' });
    expect(sound.state).toEqual({ kind: 'on' });
  });

  it('is off again for the next talk', async () => {
    await sound.admit(true);
    await sound.turn(true);
    await sound.end();
    await sound.admit(true);
    expect(open).toBe(0);
  });

  it('is closed if quick switching ends with off', async () => {
    await sound.admit(true);
    await Promise.all([sound.turn(true), sound.turn(false), sound.turn(true), sound.turn(false)]);
    expect(open).toBe(0);
    expect(sound.state).toEqual({ kind: 'off' });
  });

  it('is unsupported where the system cannot capture what it plays', async () => {
    const none = new ComputerSound({
      open: undefined,
      volume: () => 1,
      onStateChange: () => undefined,
    });
    await none.turn(true);
    expect(none.state).toEqual({ kind: 'unsupported' });
  });
});

describe('the mix of microphone and computer sound', () => {
  const block = (value: number, samples = 320): Float32Array =>
    new Float32Array(samples).fill(value);
  const last = (samples: Float32Array): number | undefined => samples.at(-1);

  let volume: number;
  let mix: ComputerSoundMix;

  beforeEach(() => {
    volume = 1;
    mix = new ComputerSoundMix(() => volume);
  });

  function play(blocks: number, value = 0.5): void {
    for (let n = 0; n < blocks; n += 1) mix.pushAudio(block(value));
  }

  /** Mixes 20 ms at a time as long as the computer plays. */
  function mixWhilePlaying(blocks: number, part: number, userSpeaks = false): Float32Array {
    let mixed = block(part);
    for (let n = 0; n < blocks; n += 1) {
      mix.pushAudio(block(0.5));
      mixed = mix.mix(block(part), userSpeaks);
    }
    return mixed;
  }

  it('adds what the computer plays to what the user says', () => {
    expect(last(mixWhilePlaying(10, 0.2))).toBeCloseTo(0.7);
  });

  it('leaves a part untouched until 60 ms wait, so that late blocks make no hole', () => {
    play(2);
    expect(mix.mix(block(0.2), false)).toEqual(block(0.2));
    play(1);
    expect(last(mix.mix(block(0.2), false))).toBeGreaterThan(0.2);
  });

  it('does not write into the part, which may be a shared silence', () => {
    play(4);
    const silence = block(0);
    mix.mix(silence, false);
    expect(silence).toEqual(block(0));
  });

  it('is a quarter as loud while the user speaks, and changes without a click', () => {
    mixWhilePlaying(10, 0);
    mix.pushAudio(block(0.5));
    const ducking = mix.mix(block(0), true);
    const steps = ducking.slice(1).map((sample, n) => Math.abs(sample - (ducking[n] ?? 0)));
    expect(Math.max(...steps)).toBeLessThan(0.01);
    expect(last(mixWhilePlaying(3, 0, true))).toBeCloseTo(0.125);
  });

  it('follows the volume of the settings', () => {
    volume = 0.5;
    expect(last(mixWhilePlaying(10, 0))).toBeCloseTo(0.25);
    volume = 0;
    expect(last(mixWhilePlaying(10, 0.1))).toBeCloseTo(0.1);
  });

  it('never exceeds full scale', () => {
    expect(last(mixWhilePlaying(10, 0.9))).toBe(1);
  });

  it('waits at most a quarter of a second, although the computer’s clock is faster', () => {
    play(60, 0.1);
    play(3, 0.5);
    const first = mix.mix(block(0, 3200), false);
    // The newest block comes within 60 ms.
    expect(first[950]).toBeCloseTo(0.5);
  });

  it('passes the microphone alone after the computer’s stream has ended', () => {
    mixWhilePlaying(10, 0);
    for (let n = 0; n < 4; n += 1) mix.mix(block(0), false);
    expect(mix.mix(block(0.2), false)).toEqual(block(0.2));
  });

  it('keeps nothing of an earlier use', () => {
    play(10);
    mix.clear();
    play(2, 0);
    expect(mix.mix(block(0), false)).toEqual(block(0));
  });
});

describe('a talk that hears the computer', () => {
  const withFilm = { addComputerSound: (part: Float32Array) => part.map((sample) => sample + 0.5) };

  it('sends the computer’s sound mixed with the microphone’s', () => {
    const harness = new ConversationHarness({}, withFilm).live().pass(100, 0.25);
    expect(new Set(harness.session.heard.slice(-320))).toEqual(new Set([0.75]));
  });

  it('sends the computer’s sound while the user is muted', () => {
    const harness = new ConversationHarness({ muted: true }, withFilm).live().pass(100, 0.25);
    expect(new Set(harness.session.heard)).toEqual(new Set([0.5]));
  });

  it('does not mistake a voice in a film for the user’s', () => {
    const users: boolean[] = [];
    const addComputerSound = (part: Float32Array, userSpeaks: boolean): Float32Array => {
      users.push(userSpeaks);
      return part.map((_, n) => Math.sin(n / 10));
    };
    new ConversationHarness({}, { addComputerSound }).live().pass(2000, 0);
    expect(new Set(users)).toEqual(new Set([false]));
  });

  it('sends no computer sound while it is paused', () => {
    const harness = new ConversationHarness({}, withFilm).live();
    harness.talk.setPaused(true);
    harness.pass(100, 0.25);
    expect(harness.session.heard).toEqual([]);
  });
});
