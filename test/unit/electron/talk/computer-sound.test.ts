import { beforeEach, describe, expect, it } from 'vitest';
import type { AudioSink } from '../../../../electron/audio/capture/capture-pipeline.ts';
import type { DeviceEvent } from '../../../../electron/audio/devices/stream-supervisor.ts';
import { ComputerSound } from '../../../../electron/talk/talk-sound-devices.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { ComputerSoundState } from '../../../../shared/talk/talk-view.ts';

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

  it('is closed at last, however fast it is turned on and off', async () => {
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
