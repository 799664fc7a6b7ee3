import { expect, it } from 'vitest';
import { FrameBudget } from '../../../../electron/vision/frame-budget.ts';
import { documentedMemory } from '../../../../shared/vision/picture-memory.ts';

const plan = { budget: 3, slices: 1, rate: 1, chunkMs: 1000 };
const silence = { userSpeaks: false, answerSounds: false };
const speech = { userSpeaks: true, answerSounds: false };

function begun(changes: Partial<typeof plan> = {}, memory: Partial<typeof documentedMemory> = {}) {
  const budget = new FrameBudget();
  budget.plan({ ...documentedMemory, ...memory }, { ...plan, ...changes });
  budget.begin(0, undefined);
  let at = 0;
  /** Offers a frame per second; returns how many were sent. */
  const seconds = (count: number, changed: boolean): number => {
    let gone = 0;
    for (let second = 0; second < count; second += 1) {
      at += 1000;
      if (!budget.takeIfWorth(at, changed)) continue;
      gone += 1;
      budget.spend(at);
    }
    return gone;
  };
  const attend = (attention: typeof silence): void => {
    budget.setAttention(at, attention);
  };
  return { budget, seconds, attend };
}

it('the frame budget sends every frame at the sharpest step, and if a legacy server’s pictures are already the smallest', () => {
  expect(begun({ budget: 5 }).seconds(60, false)).toBe(60);
  expect(begun({ budget: 1 }, { everyAppend: true }).seconds(60, false)).toBe(60);
});

it('the frame budget sends the first frame of a session in any case', () => {
  const { budget, seconds } = begun({ budget: 1 });
  expect([seconds(1, false), seconds(1, false)]).toEqual([1, 0]);
  budget.begin(2000, undefined);
  expect(seconds(1, false)).toBe(1);
});

it('the frame budget sends every frame of a question, even right after it and after long changes', () => {
  const { seconds, attend } = begun({ budget: 3 });
  seconds(60, true);
  attend(speech);
  expect(seconds(2, true)).toBe(2);
  attend(silence);
  expect(seconds(1, true)).toBe(1);
});

it('the frame budget repeats unchanged pictures at intervals, shorter during speech and answers', () => {
  const { seconds, attend } = begun({ budget: 3 });
  expect(seconds(40, false)).toBe(4);
  attend({ userSpeaks: false, answerSounds: true });
  expect(seconds(40, false)).toBe(8);
  attend(speech);
  expect(seconds(20, false)).toBe(7);
});

it('the frame budget keeps its average pace in the long run', () => {
  const { seconds, attend } = begun({ budget: 3 });
  attend(speech);
  seconds(60, true);
  // One every four seconds on average.
  expect(seconds(400, true)).toBe(100);
});

it('the frame budget is slower if memory fills faster than planned', () => {
  const { budget, seconds, attend } = begun({ budget: 3 });
  attend(speech);
  seconds(60, true);
  budget.setMemoryRoom(60_000, { tokensLeft: 4000, restPerSecond: 30 });
  expect(seconds(100, true)).toBeLessThan(15);
});

it('the frame budget returns to its pace if the server prunes', () => {
  const { budget, seconds, attend } = begun({ budget: 3 });
  attend(speech);
  seconds(60, true);
  budget.setMemoryRoom(60_000, { tokensLeft: undefined, restPerSecond: 17 });
  expect(seconds(400, true)).toBe(100);
});

it('the frame budget applies a changed setting at once', () => {
  const { budget, seconds } = begun({ budget: 1 });
  expect(seconds(30, false)).toBe(1);
  budget.plan(documentedMemory, { ...plan, budget: 5 });
  expect(seconds(30, false)).toBe(30);
});
