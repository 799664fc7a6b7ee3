import { describe, expect, it } from 'vitest';
import { fakeBuiltIn, fakeHeadset } from '../../../../fakes/fake-sound-driver.ts';
import { numbered, SoundStage } from '../devices/sound-stage.ts';

const headset = { name: 'Headset' };

const heardSamples = (stage: SoundStage): number[] =>
  stage.driver.speakers.flatMap(({ sound }) => sound);

describe('a speaker’s device', () => {
  it('is the last choice when the choice changes during an open', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    stage.driver.openingMs = 100;
    const choosing = speaker.choose(headset);
    await stage.pass(50);
    await speaker.choose('default');
    await stage.pass(500);
    await choosing;
    expect(stage.driver.opened).toBe(1);
    expect(stage.kinds.at(-1)).toBe('Built-in');
    await speaker.end();
  });

  it('is the last choice when the choice changes while the former device is restored', async () => {
    const stage = new SoundStage([fakeBuiltIn]);
    const speaker = await stage.speaker(headset);
    stage.driver.closingMs = 200;
    stage.driver.plug(fakeHeadset);
    await stage.pass(300);
    expect(stage.driver.speakers).toHaveLength(2);
    const choosing = speaker.choose('default');
    await stage.pass(1500);
    await choosing;
    expect(stage.kinds.at(-1)).toBe('Built-in');
    expect(stage.driver.opened).toBe(1);
    const ending = speaker.end();
    await stage.pass(500);
    await ending;
  });

  it('is closed when the speaker ends while opening', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    stage.driver.openingMs = 100;
    const choosing = speaker.choose(headset);
    await stage.pass(50);
    const ending = speaker.end();
    await stage.pass(1000);
    await Promise.all([choosing, ending]);
    expect(stage.driver.opened).toBe(0);
    speaker.write(numbered(0, 10));
    await stage.pass(1000);
    expect([stage.driver.opened, speaker.queued()]).toEqual([0, 0]);
  });

  it('can be dead when the speaker ends', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    stage.driver.unplug('Built-in');
    await speaker.end();
    await stage.pass(2000);
    expect(stage.driver.opened).toBe(0);
  });

  it('opens once it is free, after it reported why it failed', async () => {
    const stage = new SoundStage([fakeBuiltIn]);
    stage.driver.occupy('Built-in', true);
    const speaker = await stage.speaker('default');
    expect(stage.kinds).toEqual(['lost']);
    stage.driver.occupy('Built-in', false);
    await stage.pass(600);
    expect(stage.kinds).toEqual(['lost', 'Built-in']);
    await speaker.end();
  });

  it('opens on sound to play and closes a while after', async () => {
    const stage = new SoundStage();
    const speaker = stage.lazySpeaker('default', 4000);
    await stage.pass(1000);
    expect(stage.driver.opened).toBe(0);
    speaker.write(numbered(0, 2400));
    await stage.pass(3000);
    speaker.write(numbered(2400, 2400));
    await stage.pass(3500);
    expect([stage.driver.opened, speaker.heard()]).toEqual([1, 4800]);
    await stage.pass(1000);
    expect(stage.driver.opened).toBe(0);
    speaker.write(numbered(4800, 100));
    await stage.pass(500);
    expect([stage.driver.opened, speaker.heard(), speaker.counters().devices]).toEqual([
      1, 4900, 2,
    ]);
    expect(heardSamples(stage)).toEqual([...numbered(0, 4900)]);
    await speaker.end();
  });

  it('opens again for sound that is written while it closes', async () => {
    const stage = new SoundStage();
    const speaker = stage.lazySpeaker('default', 0);
    speaker.write(numbered(0, 240));
    await stage.pass(200);
    stage.driver.closingMs = 300;
    await stage.pass(200);
    speaker.write(numbered(240, 240));
    await stage.pass(1000);
    expect(heardSamples(stage)).toEqual([...numbered(0, 480)]);
    const closing = speaker.close();
    speaker.write(numbered(480, 240));
    await stage.pass(500);
    await closing;
    expect(heardSamples(stage)).toEqual([...numbered(0, 720)]);
    await speaker.end();
  });

  it('closes once everything was heard, unless it is opened again', async () => {
    const stage = new SoundStage();
    const speaker = await stage.speaker('default');
    speaker.write(numbered(0, 24_000));
    speaker.closeWhenHeard();
    await stage.pass(900);
    expect(stage.driver.opened).toBe(1);
    const opening = speaker.open();
    await stage.pass(1000);
    await opening;
    expect(stage.driver.opened).toBe(1);
    speaker.closeWhenHeard();
    await stage.pass(300);
    expect([stage.driver.opened, speaker.heard()]).toEqual([0, 24_000]);
    await speaker.end();
  });
});
