import { describe, expect, it } from 'vitest';
import { ClockedPlayback, SilentSpeaker } from '../../../../../electron/audio/playback/playback.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { numbered } from '../devices/sound-harness.ts';

function playback() {
  const heard: number[] = [];
  const paced = new ClockedPlayback({ rate: 1000, onHeard: (samples) => heard.push(...samples) });
  return { paced, heard };
}

const sound = (...samples: readonly number[]) => Float32Array.from(samples);

describe('ClockedPlayback', () => {
  it('emits silence, then the sound, then silence', () => {
    const { paced, heard } = playback();
    paced.advanceTo(2);
    paced.write(sound(1, 2, 3), 1);
    paced.write(sound(4), 1);
    expect([paced.queued, paced.isDrained]).toEqual([4, false]);
    paced.advanceTo(4);
    paced.advanceTo(8);
    expect(heard).toEqual([0, 0, 1, 2, 3, 4, 0, 0]);
    expect([paced.queued, paced.isDrained, paced.playhead]).toEqual([0, true, 4]);
  });

  it('ends at a flush', () => {
    const { paced, heard } = playback();
    paced.write(sound(1, 2, 3, 4), 1);
    paced.write(sound(5, 6), 2);
    paced.advanceTo(3);
    expect([paced.samplesOf(1), paced.samplesOf(2)]).toEqual([4, 2]);
    expect(paced.flush()).toBe(3);
    expect([paced.samplesOf(1), paced.samplesOf(2)]).toEqual([3, 0]);
    paced.advanceTo(5);
    paced.write(sound(7), 3);
    paced.advanceTo(6);
    expect(heard).toEqual([1, 2, 3, 0, 0, 7]);
    expect(paced.flush()).toBe(0);
  });

  it('never goes back', () => {
    const { paced, heard } = playback();
    paced.advanceTo(3);
    paced.advanceTo(1);
    paced.advanceTo(3);
    expect(heard.length).toBe(3);
  });

  it('emits exactly the elapsed time, in order', () => {
    const random = seeded(3);
    const { paced, heard } = playback();
    let next = 1;
    let time = 0;
    for (let step = 0; step < 300; step += 1) {
      if (random() < 0.4) {
        const length = Math.floor(random() * 40);
        paced.write(
          Float32Array.from({ length }, () => next++),
          step,
        );
      }
      time += random() * 25;
      paced.advanceTo(time);
    }
    expect(heard.length).toBe(Math.round(time));
    const spoken = heard.filter((sample) => sample !== 0);
    expect(spoken).toEqual(Array.from({ length: next - 1 - paced.queued }, (_, n) => n + 1));
  });
});

function open() {
  const clock = { time: 700, now: () => clock.time };
  const speaker = new SilentSpeaker(clock);
  const heard: number[] = [];
  speaker.buffer.listen((samples) => heard.push(...samples));
  return { clock, speaker, heard };
}

it('a silent speaker consumes sound in real time from the first write', () => {
  const { clock, speaker, heard } = open();
  speaker.buffer.write(numbered(0, 4800), 1);
  speaker.send();
  expect(heard).toHaveLength(0);
  clock.time += 50;
  speaker.follow();
  expect(heard).toEqual([...numbered(0, 1200)]);
  clock.time += 100;
  speaker.follow();
  expect(heard).toHaveLength(3600);
  clock.time += 100;
  speaker.follow();
  expect(heard).toHaveLength(4800);
});

it('a silent speaker stands still when its clock goes back', () => {
  const { clock, speaker, heard } = open();
  speaker.buffer.write(numbered(0, 4800), 1);
  speaker.send();
  clock.time -= 100;
  speaker.follow();
  clock.time += 10;
  speaker.follow();
  expect(heard).toHaveLength(240);
});

it('a silent speaker reports the heard samples at a flush', () => {
  const { clock, speaker, heard } = open();
  speaker.buffer.write(numbered(0, 4800), 1);
  speaker.send();
  clock.time += 50;
  expect(speaker.flush()).toEqual({ dropped: 3600, answer: 3600, heard: 1200 });
  clock.time += 50;
  speaker.follow();
  expect(heard).toHaveLength(1200);
});
