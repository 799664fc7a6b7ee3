import { describe, expect, it } from 'vitest';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { SoundStage } from './sound-stage.ts';

const headset = { name: 'Headset' };

describe('StreamSupervisor', () => {
  it('follows the system from one default device to the next, and emits it', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    await stage.pass(4000);
    expect([stage.kinds, speaker.counters().devices]).toEqual([['Built-in'], 1]);
    stage.driver.makeDefault('Headset');
    await stage.pass(4000);
    expect(stage.kinds).toEqual(['Built-in', 'Headset']);
    expect(stage.driver.opened).toBe(1);
    await speaker.end();
  });

  it('emits the loss of a device that hangs and cannot be closed, within a second', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker(headset);
    stage.driver.openingMs = 4000;
    stage.driver.closingMs = 1000;
    stage.driver.unplug('Headset');
    await stage.pass(1000);
    expect(stage.kinds).toEqual(['Headset', 'lost']);
    expect(stage.events[1]).toEqual({
      kind: 'lost',
      error: appError('deviceSilent', { device: 'Headset' }),
    });
    const ending = speaker.end();
    await stage.pass(9000);
    await ending;
    expect(stage.driver.opened).toBe(0);
  });
});
