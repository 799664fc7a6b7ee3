import { describe, expect, it } from 'vitest';
import {
  ServerPaceTracker,
  type ServerPace,
} from '../../../../../electron/audio/playback/server-pace.ts';
import { ClockedPlayback, SilentSpeaker } from '../../../../../electron/audio/playback/playback.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { numbered } from '../devices/sound-harness.ts';

const known: ServerPace = { stepMs: 1000, typicalMs: 1000, spreadMs: 10, maxMs: 1000 };

/** Arrival times and lengths, in milliseconds. */
type Sounds = readonly (readonly [at: number, ms: number])[];

/** A turn that began at 5000 and has received these sounds. */
function amid(sounds: Sounds, learned: ServerPace = known): ServerPaceTracker {
  const pace = new ServerPaceTracker(1000, learned);
  pace.begin(5000);
  for (const [at, ms] of sounds) pace.addSound(5000 + at, ms);
  return pace;
}

function learnFrom(sounds: Sounds, learned: ServerPace = known): ServerPace {
  const pace = amid(sounds, learned);
  pace.end();
  return pace.learned;
}

/** Steps of a second, of which all but the last arrive in time. The last is 100 ms late. */
const steps = (count: number): Sounds =>
  Array.from({ length: count }, (_, n) => [(n + 1) * 1000 + (n + 1 === count ? 100 : 0), 1000]);

describe('an unknown server', () => {
  it('is assumed to be in time, with up to 160 ms of lateness', () => {
    const pace = new ServerPaceTracker(1000);
    expect([pace.coverMs, pace.marginMs, pace.limitMs]).toEqual([1200, 200, 2000]);
  });

  it('takes over no pace that was learned from steps of another length', () => {
    expect(new ServerPaceTracker(500, known).learned.typicalMs).toBe(500);
    expect(new ServerPaceTracker(1000, known).learned).toEqual(known);
  });
});

describe('the pace learned from a turn', () => {
  it('moves towards the pace of the turn, further with more steps', () => {
    expect(learnFrom([[500, 1000]]).typicalMs).toBeCloseTo(1000 - 500 * 0.3);
    const two = learnFrom([
      [500, 1000],
      [1500, 1000],
    ]);
    expect(two.typicalMs).toBeCloseTo(1000 - 500 * 0.51);
  });

  it('raises its maximum at once and lowers it slowly', () => {
    expect(learnFrom(steps(2)).maxMs).toBe(1100);
    const before = { ...known, maxMs: 1800 };
    expect(learnFrom([[1000, 1000]], before).maxMs).toBeCloseTo(1800 - 800 * 0.07);
  });

  it('includes the lateness of steps, with a margin while there are few', () => {
    expect(learnFrom(steps(5)).spreadMs).toBeCloseTo(125);
    expect(learnFrom(steps(6)).spreadMs).toBeCloseTo(110);
    const before = { ...known, spreadMs: 300 };
    expect(learnFrom([[1000, 1000]], before).spreadMs).toBeCloseTo(300 - 300 * 0.07);
  });

  it('applies during the turn', () => {
    expect(amid([[1000, 1000]]).marginMs).toBe(50);
    expect(amid(steps(2)).marginMs).toBeCloseTo(165);
    expect(amid(steps(2), { ...known, spreadMs: 300 }).marginMs).toBe(340);
  });

  it('ignores incidents beyond half a step', () => {
    expect(learnFrom([[9000, 1000]]).maxMs).toBe(1500);
    expect(learnFrom([[9000, 1000]], { ...known, typicalMs: 1400 }).maxMs).toBe(1900);
  });

  it('stays the same without further steps', () => {
    expect(learnFrom([])).toEqual(known);
  });
});

describe('parts of a step', () => {
  const learnTypicalMs = (sounds: Sounds): number => learnFrom(sounds).typicalMs;
  const [one, two] = [1000 - 500 * 0.3, 1000 - 500 * 0.51];

  it('count as one step within 100 ms', () => {
    const parts: Sounds = [
      [500, 300],
      [600, 300],
      [660, 300],
    ];
    expect(learnTypicalMs(parts)).toBeCloseTo(one);
    const apart: Sounds = [
      [500, 300],
      [801, 300],
    ];
    expect(learnTypicalMs(apart)).toBeCloseTo(two, 0);
  });

  it('count as several if they are longer than a step and a quarter', () => {
    const much = (second: number): Sounds => [
      [500, 700],
      [500, second],
    ];
    expect(learnTypicalMs(much(550))).toBeCloseTo(one);
    // The second part came before it was due, so playback need not have waited for it.
    expect(learnTypicalMs(much(551))).toBeCloseTo(1000 - 750 * 0.51);
  });
});

it('the tracker uses another server’s pace from the next turn on, and learns nothing from the current turn', () => {
  const pace = amid(steps(2));
  const other = { ...known, typicalMs: 700 };
  pace.relearn(other);
  pace.addSound(9000, 1000);
  pace.end();
  expect(pace.learned).toEqual(other);
  pace.relearn(undefined);
  expect(pace.learned.spreadMs).toBe(160);
});

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

  it('emits nothing again when its clock goes back', () => {
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
