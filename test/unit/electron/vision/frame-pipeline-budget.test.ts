import { expect, it } from 'vitest';
import { documentedMemory } from '../../../../shared/vision/picture-memory.ts';
import { defaultVisionOptions } from '../../../../shared/vision/vision-options.ts';
import { draw, openPipeline } from './frame-pipeline-stage.ts';

it('the frame pipeline sends fewer frames if memory should last, and those of a question at once', async () => {
  const { offer, pipeline, talk, clock } = openPipeline();
  pipeline.setBudget(2);
  pipeline.budget.begin(clock.now(), undefined);
  const fates = async (count: number, grey: number): Promise<readonly string[]> => {
    const all: string[] = [];
    for (let second = 0; second < count; second += 1) {
      const { outcome } = await offer(draw(grey));
      all.push(outcome);
      if (outcome === 'taken') pipeline.frameSent();
    }
    return all;
  };
  expect(await fates(4, 50)).toEqual(['taken', 'overBudget', 'overBudget', 'overBudget']);
  expect(talk.seen.filter((frame) => frame !== undefined)).toHaveLength(1);
  pipeline.budget.setAttention(clock.now(), { userSpeaks: true, answerSounds: false });
  expect(await fates(2, 90)).toEqual(['taken', 'overBudget']);
  pipeline.setBudget(5);
  expect(await fates(2, 90)).toEqual(['taken', 'taken']);
});

it('the frame pipeline sends the first picture of another source, crop or detail at once', async () => {
  const { offer, pipeline, clock } = openPipeline();
  pipeline.setBudget(1);
  pipeline.budget.begin(clock.now(), undefined);
  const fates: string[] = [];
  const show = async (): Promise<void> => {
    fates.push((await offer(draw(50))).outcome);
    pipeline.frameSent();
  };
  await show();
  pipeline.setPermission({ open: 'screen' });
  await show();
  pipeline.setOptions({ ...defaultVisionOptions, mirror: false });
  await show();
  expect(fates).toEqual(['taken', 'taken', 'taken']);
  expect((await offer(draw(50))).outcome).toBe('overBudget');
});

it('the frame pipeline sends the least detail if every append carries a picture, and full detail for a question', async () => {
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
