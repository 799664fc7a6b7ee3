import { expect, it } from 'vitest';
import { FrameBudget } from '../../../../electron/vision/frame-budget.ts';
import { documentedMemory } from '../../../../shared/vision/picture-memory.ts';
import { defaultVisionOptions } from '../../../../shared/vision/vision-options.ts';
import { draw, openPipeline } from './frame-pipeline-harness.ts';

const plan = { budget: 3, slices: 1, rate: 1, chunkMs: 1000 };
const silence = { userSpeaks: false, answerSounds: false };
const speech = { userSpeaks: true, answerSounds: false };

function openBudget(
  changes: Partial<typeof plan> = {},
  memory: Partial<typeof documentedMemory> = {},
) {
  const budget = new FrameBudget();
  budget.plan({ ...documentedMemory, ...memory }, { ...plan, ...changes });
  budget.begin(0, undefined);
  let at = 0;
  /** Offers a frame per second; returns how many were sent. */
  const seconds = (count: number, changed: boolean): number => {
    let sent = 0;
    for (let second = 0; second < count; second += 1) {
      at += 1000;
      if (!budget.takeIfWorth(at, changed)) continue;
      sent += 1;
      budget.spend(at);
    }
    return sent;
  };
  const attend = (attention: typeof silence): void => {
    budget.setAttention(at, attention);
  };
  return { budget, seconds, attend };
}

it('the frame budget sends every frame at the sharpest step, and if a legacy server’s pictures are already the smallest', () => {
  expect(openBudget({ budget: 5 }).seconds(60, false)).toBe(60);
  expect(openBudget({ budget: 1 }, { everyAppend: true }).seconds(60, false)).toBe(60);
});

it('the frame budget sends the first frame of a session in any case', () => {
  const { budget, seconds } = openBudget({ budget: 1 });
  expect([seconds(1, false), seconds(1, false)]).toEqual([1, 0]);
  budget.begin(2000, undefined);
  expect(seconds(1, false)).toBe(1);
});

it('the frame budget sends every frame of a question, even right after it and after long changes', () => {
  const { seconds, attend } = openBudget({ budget: 3 });
  seconds(60, true);
  attend(speech);
  expect(seconds(2, true)).toBe(2);
  attend(silence);
  expect(seconds(1, true)).toBe(1);
});

it('the frame budget repeats unchanged pictures at intervals, shorter during speech and answers', () => {
  const { seconds, attend } = openBudget({ budget: 3 });
  expect(seconds(40, false)).toBe(4);
  attend({ userSpeaks: false, answerSounds: true });
  expect(seconds(40, false)).toBe(8);
  attend(speech);
  expect(seconds(20, false)).toBe(7);
});

it('the frame budget keeps its average pace in the long run', () => {
  const { seconds, attend } = openBudget({ budget: 3 });
  attend(speech);
  seconds(60, true);
  // One every four seconds on average.
  expect(seconds(400, true)).toBe(100);
});

it('the frame budget is slower if memory fills faster than planned', () => {
  const { budget, seconds, attend } = openBudget({ budget: 3 });
  attend(speech);
  seconds(60, true);
  budget.setMemoryRoom(60_000, { tokensLeft: 4000, restPerSecond: 30 });
  expect(seconds(100, true)).toBeLessThan(15);
});

it('the frame budget returns to its pace if the server prunes', () => {
  const { budget, seconds, attend } = openBudget({ budget: 3 });
  attend(speech);
  seconds(60, true);
  budget.setMemoryRoom(60_000, { tokensLeft: undefined, restPerSecond: 17 });
  expect(seconds(400, true)).toBe(100);
});

it('the frame budget applies a changed setting at once', () => {
  const { budget, seconds } = openBudget({ budget: 1 });
  expect(seconds(30, false)).toBe(1);
  budget.plan(documentedMemory, { ...plan, budget: 5 });
  expect(seconds(30, false)).toBe(30);
});

it('the frame pipeline sends fewer frames if memory should last, and those of a question at once', async () => {
  const { offer, pipeline, talk, clock } = openPipeline();
  pipeline.setBudget(2);
  pipeline.budget.begin(clock.now(), undefined);
  const outcomes = async (count: number, grey: number): Promise<readonly string[]> => {
    const all: string[] = [];
    for (let second = 0; second < count; second += 1) {
      const { outcome } = await offer(draw(grey));
      all.push(outcome);
      if (outcome === 'taken') pipeline.frameSent();
    }
    return all;
  };
  expect(await outcomes(4, 50)).toEqual(['taken', 'overBudget', 'overBudget', 'overBudget']);
  expect(talk.seen.filter((frame) => frame !== undefined)).toHaveLength(1);
  pipeline.budget.setAttention(clock.now(), { userSpeaks: true, answerSounds: false });
  expect(await outcomes(2, 90)).toEqual(['taken', 'overBudget']);
  pipeline.setBudget(5);
  expect(await outcomes(2, 90)).toEqual(['taken', 'taken']);
});

it('the frame pipeline sends the first picture of another source or with other options at once', async () => {
  const { offer, pipeline, clock } = openPipeline();
  pipeline.setBudget(1);
  pipeline.budget.begin(clock.now(), undefined);
  const outcomes: string[] = [];
  const show = async (): Promise<void> => {
    outcomes.push((await offer(draw(50))).outcome);
    pipeline.frameSent();
  };
  await show();
  pipeline.setPermission({ open: 'screen' });
  await show();
  pipeline.setOptions({ ...defaultVisionOptions, mirror: false });
  await show();
  expect(outcomes).toEqual(['taken', 'taken', 'taken']);
  expect((await offer(draw(50))).outcome).toBe('overBudget');
});

it('the frame pipeline sends the least detail if every append carries a picture, and full detail for a change during a question', async () => {
  const { offer, pipeline, talk, clock } = openPipeline();
  pipeline.setOptions({ ...defaultVisionOptions, slices: 4 });
  pipeline.setMemory({ ...documentedMemory, everyAppend: true });
  pipeline.setBudget(2);
  pipeline.budget.begin(clock.now(), undefined);
  talk.slices.length = 0;
  for (const grey of [50, 50, 90]) {
    expect(await offer(draw(grey))).toEqual({ outcome: 'taken' });
    pipeline.frameSent();
    pipeline.budget.setAttention(clock.now(), { userSpeaks: grey === 50, answerSounds: false });
  }
  expect(talk.slices).toEqual([4, 1, 4]);
  expect(talk.seen.slice(-3)).toEqual([
    draw(50, 1194, 672),
    draw(50, 597, 336),
    draw(90, 1194, 672),
  ]);
});

it('the frame pipeline uses the server’s count of a picture’s tokens', async () => {
  const { offer, pipeline, talk } = openPipeline();
  expect([pipeline.frameTokens, pipeline.pictureScale]).toEqual([0, undefined]);
  await offer(draw(1));
  pipeline.frameSent();
  expect(pipeline.frameTokens).toBe(64);
  pipeline.stepCounted({ vision_tokens: 96 });
  expect([pipeline.frameTokens, pipeline.pictureScale]).toEqual([96, 1.5]);
  pipeline.attach(talk);
  expect(pipeline.pictureScale).toBeUndefined();
});
