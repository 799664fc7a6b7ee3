import { describe, expect, it } from 'vitest';
import {
  type ServerPace,
  ServerPaceTracker,
} from '../../../../../electron/audio/playback/server-pace.ts';

const known: ServerPace = { stepMs: 1000, typicalMs: 1000, spreadMs: 10, maxMs: 1000 };

/** What comes when, and how long it is, in milliseconds. */
type Sounds = readonly (readonly [at: number, ms: number])[];

/** A turn that began at 5000, of which more has come. */
function amid(sounds: Sounds, learned: ServerPace = known): ServerPaceTracker {
  const pace = new ServerPaceTracker(1000, learned);
  pace.begin(5000);
  for (const [at, ms] of sounds) pace.addSound(5000 + at, ms);
  return pace;
}

function learnedOf(sounds: Sounds, learned: ServerPace = known): ServerPace {
  const pace = amid(sounds, learned);
  pace.end();
  return pace.learned;
}

/** So many steps in time, the last of them later by 100 ms. */
const steps = (count: number): Sounds =>
  Array.from({ length: count }, (_, n) => [(n + 1) * 1000 + (n + 1 === count ? 100 : 0), 1000]);

describe('a server that nobody knows', () => {
  it('is thought to be in time, and up to 160 ms late', () => {
    const pace = new ServerPaceTracker(1000);
    expect([pace.coverMs, pace.marginMs, pace.limitMs]).toEqual([1200, 200, 2000]);
  });

  it('is nobody that was known with other steps', () => {
    expect(new ServerPaceTracker(500, known).learned.typicalMs).toBe(500);
    expect(new ServerPaceTracker(1000, known).learned).toEqual(known);
  });
});

describe('what is learned of a turn', () => {
  it('is how long its first sound had to last, the more of it the more steps it had', () => {
    expect(learnedOf([[500, 1000]]).typicalMs).toBeCloseTo(1000 - 500 * 0.3);
    const two = learnedOf([
      [500, 1000],
      [1500, 1000],
    ]);
    expect(two.typicalMs).toBeCloseTo(1000 - 500 * 0.51);
  });

  it('is the longest that it had to last: more at once, less little by little', () => {
    expect(learnedOf(steps(2)).maxMs).toBe(1100);
    const before = { ...known, maxMs: 1800 };
    expect(learnedOf([[1000, 1000]], before).maxMs).toBeCloseTo(1800 - 800 * 0.07);
  });

  it('is by how much steps were late, and somewhat more while there were few', () => {
    expect(learnedOf(steps(5)).spreadMs).toBeCloseTo(125);
    expect(learnedOf(steps(6)).spreadMs).toBeCloseTo(110);
    const before = { ...known, spreadMs: 300 };
    expect(learnedOf([[1000, 1000]], before).spreadMs).toBeCloseTo(300 - 300 * 0.07);
  });

  it('counts while the turn goes on', () => {
    expect(amid([[1000, 1000]]).marginMs).toBe(50);
    expect(amid(steps(2)).marginMs).toBeCloseTo(165);
    expect(amid(steps(2), { ...known, spreadMs: 300 }).marginMs).toBe(340);
  });

  it('is no mishap: half a step beyond what is known is the most', () => {
    expect(learnedOf([[9000, 1000]]).maxMs).toBe(1500);
    expect(learnedOf([[9000, 1000]], { ...known, typicalMs: 1400 }).maxMs).toBe(1900);
  });

  it('is nothing where nothing more has come', () => {
    expect(learnedOf([])).toEqual(known);
  });
});

describe('parts of a step', () => {
  const typicalOf = (sounds: Sounds): number => learnedOf(sounds).typicalMs;
  const [one, two] = [1000 - 500 * 0.3, 1000 - 500 * 0.51];

  it('are one step where they come within 100 ms', () => {
    const parts: Sounds = [
      [500, 300],
      [600, 300],
      [660, 300],
    ];
    expect(typicalOf(parts)).toBeCloseTo(one);
    const apart: Sounds = [
      [500, 300],
      [801, 300],
    ];
    expect(typicalOf(apart)).toBeCloseTo(two, 0);
  });

  it('are more than one where they are longer together than a step and a quarter', () => {
    const much = (second: number): Sounds => [
      [500, 700],
      [500, second],
    ];
    expect(typicalOf(much(550))).toBeCloseTo(one);
    // It came too early to be waited for: nothing had to last for it.
    expect(typicalOf(much(551))).toBeCloseTo(1000 - 750 * 0.51);
  });
});

it('knows another server from the next turn on, and learns nothing of the one under way', () => {
  const pace = amid(steps(2));
  const other = { ...known, typicalMs: 700 };
  pace.relearn(other);
  pace.addSound(9000, 1000);
  pace.end();
  expect(pace.learned).toEqual(other);
  pace.relearn(undefined);
  expect(pace.learned.spreadMs).toBe(160);
});
