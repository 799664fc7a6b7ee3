import { describe, expect, it } from 'vitest';
import { appError } from '../../../../shared/errors/app-error.ts';
import { lost, Stage } from './stage.ts';

const passing = (stage: Stage): boolean =>
  stage.emittedOf('controls').at(-1)?.controls.passing ?? false;

const hold = (): Stage => new Stage({ talking: 'hold' }).live().pass(100, 0.5);

describe('the microphone', () => {
  it('is shown as open from the first transmitted block after the press until the release', () => {
    const stage = hold();
    expect(passing(stage)).toBe(false);
    stage.talk.controls.press();
    expect(passing(stage)).toBe(false);
    stage.pass(20, 0.5);
    expect(passing(stage)).toBe(true);
    stage.talk.controls.release();
    stage.clock.advance(40);
    expect(passing(stage)).toBe(false);
    stage.pass(100, 0.5);
    expect(passing(stage)).toBe(false);
  });

  it('is not shown as open if it is missing, until another one captures', () => {
    const stage = hold();
    stage.talk.onDeviceEvent('microphone', { kind: 'lost', error: appError('noMicrophone') });
    stage.talk.controls.press();
    // Silence replaces the lost microphone.
    stage.pass(100, 0);
    expect(passing(stage)).toBe(false);
    stage.talk.onDeviceEvent('microphone', { kind: 'using', device: 'Headset' });
    expect(passing(stage)).toBe(false);
    stage.pass(20, 0.5);
    expect(passing(stage)).toBe(true);
    stage.talk.onDeviceEvent('microphone', { kind: 'lost', error: appError('noMicrophone') });
    expect(passing(stage)).toBe(false);
  });

  it('is not shown as open while nothing reaches a server', () => {
    const stage = hold();
    stage.talk.controls.press();
    stage.pass(20, 0.5);
    stage.session.close(lost);
    expect([stage.state?.phase, passing(stage)]).toEqual(['reconnecting', false]);
    stage.pass(100, 0.5);
    expect(passing(stage)).toBe(false);
    stage.clock.advance(10_000);
    stage.live().pass(20, 0.5);
    expect(passing(stage)).toBe(true);
    stage.talk.setPaused(true);
    expect(passing(stage)).toBe(false);
    stage.talk.setPaused(false);
    stage.pass(20, 0.5);
    stage.talk.end();
    stage.session.enter('closing');
    expect(passing(stage)).toBe(false);
  });
});
