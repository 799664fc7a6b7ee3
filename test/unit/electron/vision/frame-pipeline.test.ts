import { describe, expect, it } from 'vitest';
import { FramePipeline } from '../../../../electron/vision/frame-pipeline.ts';
import { appError, type AppError } from '../../../../shared/errors/app-error.ts';
import type {
  FrameOutcome,
  FrameCount,
  VisionFrame,
} from '../../../../shared/vision/vision-frame.ts';
import { defaultVisionOptions } from '../../../../shared/vision/vision-options.ts';
import { deferred } from '../../../fakes/promises.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeFrames } from '../../../fakes/fake-pictures.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { FrameBudget } from '../../../../electron/vision/frame-budget.ts';
import { documentedContext } from '../../../../shared/vision/context-facts.ts';

const changes: readonly (readonly [
  string,
  change: (pipeline: FramePipeline) => void,
  FrameOutcome['outcome'],
])[] = [
  ['switched off', (one) => one.setPermission({ open: 'nothing' }), 'notWanted'],
  ['opened for a screen', (one) => one.setPermission({ open: 'screen' }), 'notWanted'],
  ['set otherwise', (one) => one.setOptions({ ...defaultVisionOptions, slices: 2 }), 'replaced'],
  ['attached to another talk', (one) => void one.attach(frameSink()), 'notWanted'],
];

describe('the frame pipeline', () => {
  it('accepts no frame until the camera is on', async () => {
    const { pipeline, frames, offer } = openPipeline();
    pipeline.setPermission({ open: 'nothing' });
    expect(await offer(draw(1))).toEqual({ outcome: 'notWanted' });
    expect(frames.prepared).toEqual([]);
  });

  it('sends one picture to the talk when the user asks for it, with the camera off', async () => {
    const { pipeline, talk, sent, detach } = openPipeline();
    pipeline.setPermission({ open: 'nothing' });
    expect(await pipeline.showOnce(draw(1))).toEqual({ ok: true });
    pipeline.frameSent();
    // The picture is withdrawn afterwards, because the legacy dialect repeats the newest one.
    expect(talk.seen.slice(-2)).toEqual([...sent.map(({ jpeg }) => jpeg), undefined]);
    detach();
    expect(await pipeline.showOnce(draw(1))).toMatchObject({ error: { code: 'cursorNoTalk' } });
  });

  it('sends the picture that the user shows before any other, in the next session if the current one ends', async () => {
    const { offer, pipeline, talk, sent } = openPipeline();
    await pipeline.showOnce(draw(7));
    expect(await offer(draw(1))).toEqual({ outcome: 'replaced' });
    pipeline.setContext(documentedContext);
    expect(talk.seen).toEqual([draw(7, 597, 336), draw(7, 597, 336)]);
    pipeline.frameSent();
    expect(sent.map(({ jpeg }) => jpeg)).toEqual([draw(7, 597, 336)]);
    expect(await offer(draw(1))).toEqual({ outcome: 'taken' });
  });

  it('gives frames to the talk, and reports the frame that was sent', async () => {
    const { clock, offer, sent, pipeline } = openPipeline();
    const talk = frameSink();
    pipeline.setOptions({ ...defaultVisionOptions, slices: 4 });
    pipeline.attach(talk);
    await offer(draw(1));
    await offer(draw(2));
    expect(sent).toEqual([]);
    clock.advance(300);
    pipeline.frameSent();
    pipeline.frameSent();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.jpeg).toBe(talk.seen[1]);
    expect(sent[0]?.facts).toMatchObject({
      at: 2300,
      width: 1194,
      height: 672,
      slices: 4,
      tokens: 192,
    });
    expect(talk.slices).toEqual([4]);
    pipeline.setOptions({ ...defaultVisionOptions, slices: 2 });
    expect(talk.slices).toEqual([4, 2]);
  });

  it('reports the server’s token count for the newest sent frame, only once', async () => {
    const { offer, counts, pipeline, detach } = openPipeline();
    pipeline.stepCounted({ vision_tokens: 64 });
    await offer(draw(1));
    pipeline.stepCounted({ vision_tokens: 64 });
    pipeline.frameSent();
    pipeline.stepCounted({ kv_cache_length: 9 });
    pipeline.stepCounted({ vision_tokens: 0, vision_slices: 0 });
    expect(counts).toEqual([]);
    pipeline.stepCounted({ vision_tokens: 66, vision_slices: 1 });
    pipeline.stepCounted({ vision_tokens: 66, vision_slices: 1 });
    pipeline.stepCounted({ vision_tokens: 130, vision_slices: 2 });
    expect(counts).toEqual([
      { at: 1000, tokens: 66, slices: 1 },
      { at: 1000, tokens: 130, slices: 2 },
    ]);
    detach();
    pipeline.stepCounted({ vision_tokens: 64 });
    expect(counts).toHaveLength(2);
  });

  it('withdraws an unsent frame when the camera is turned off', async () => {
    const { offer, sent, pipeline, talk } = openPipeline();
    await offer(draw(1));
    pipeline.setPermission({ open: 'nothing' });
    pipeline.setPermission({ open: 'nothing' });
    pipeline.frameSent();
    expect(talk.seen).toEqual([draw(1, 597, 336), undefined, undefined]);
    expect(sent).toEqual([]);
  });

  it('drops a frame that comes within half a chunk of the one before', async () => {
    const { clock, pipeline, frames } = openPipeline();
    pipeline.attach(frameSink(500));
    const outcomes: string[] = [];
    for (let at = 0; at < 2000; at += 100) {
      outcomes.push((await pipeline.offer({ jpeg: draw(at / 100) })).outcome);
      clock.advance(100);
    }
    expect(frames.prepared.length).toBe(5);
    expect(outcomes.slice(0, 4)).toEqual(['taken', 'early', 'early', 'taken']);
  });

  it.each([3.8, 4, 4.2, 5, 7.5, 10, 15, 24, 30, 60])(
    'keeps within a tenth of 4 pictures a second from a source of about %s a second',
    async (perSecond) => {
      for (const jitter of [0, 0.2]) {
        const { clock, pipeline, frames } = openPipeline();
        pipeline.attach(frameSink(250));
        pipeline.setOptions({ ...defaultVisionOptions, rate: { framesPerSecond: 4 } });
        const intervalMs = 1000 / perSecond;
        const seconds = 60;
        const random = seeded(7);
        let passedMs = 0;
        for (let at = 1; at <= seconds * perSecond; at += 1) {
          const nextMs = (at + jitter * (2 * random() - 1)) * intervalMs;
          clock.advance(nextMs - passedMs);
          passedMs = nextMs;
          await pipeline.offer({ jpeg: draw(at % 200) });
        }
        const wanted = Math.min(perSecond, 4) * seconds;
        expect(Math.abs(frames.prepared.length / wanted - 1)).toBeLessThan(0.1);
      }
    },
  );

  it('leaves out pictures as long as the server is too slow for them', async () => {
    const { offer, frames, pipeline } = openPipeline();
    let pauseMs = 2000;
    pipeline.attach(frameSink(), () => pauseMs);
    for (let second = 0; second < 6; second += 1) await offer(draw(second));
    expect(frames.prepared).toEqual([draw(0), draw(2), draw(4)]);
    pauseMs = 0;
    for (let second = 6; second < 8; second += 1) await offer(draw(second));
    expect(frames.prepared.slice(3)).toEqual([draw(6), draw(7)]);
  });

  it('forgets the frames of a talk that was detached', async () => {
    const { offer, sent, pipeline, detach } = openPipeline();
    await offer(draw(1));
    detach();
    detach();
    pipeline.frameSent();
    const next = frameSink();
    pipeline.attach(next);
    pipeline.frameSent();
    expect(sent).toEqual([]);
    await offer(draw(2));
    expect(next.seen).toHaveLength(1);
  });

  it('accepts fewer frames at a lower rate', async () => {
    const { offer, frames, pipeline } = openPipeline();
    pipeline.setOptions({ ...defaultVisionOptions, rate: { framesPerSecond: 0.25 } });
    for (let second = 0; second < 40; second += 1) await offer(draw(second));
    // The second frame is early, and those after it are 4 s apart.
    expect(frames.prepared).toHaveLength(11);
  });

  it('prepares one frame at a time, then the newest', async () => {
    const { offer, frames, talk } = openPipeline();
    const preparation = deferred();
    frames.gate = preparation.promise;
    const outcomes = [1, 2, 3, 4].map((grey) => offer(draw(grey)));
    expect(frames.prepared).toEqual([draw(1)]);
    preparation.resolve();
    expect((await Promise.all(outcomes)).map(({ outcome }) => outcome)).toEqual([
      'taken',
      'replaced',
      'replaced',
      'taken',
    ]);
    expect(frames.prepared).toEqual([draw(1), draw(4)]);
    expect(talk.seen).toEqual([draw(1, 597, 336), draw(4, 597, 336)]);
  });

  it.each(changes)(
    'drops a frame that was begun before the pipeline was %s',
    async (_what, change, outcome) => {
      const { offer, frames, talk, pipeline } = openPipeline();
      const preparation = deferred();
      frames.gate = preparation.promise;
      const offered = offer(draw(1));
      change(pipeline);
      preparation.resolve();
      expect(await offered).toEqual({ outcome });
      expect(talk.seen.filter((frame) => frame !== undefined)).toEqual([]);
    },
  );

  it('reports a refused frame once per series, and accepts the next', async () => {
    const { offer, problems } = openPipeline();
    const error = appError('frameNotJpeg');
    for (let second = 0; second < 3; second += 1)
      expect(await offer(new Uint8Array(9))).toEqual({ outcome: 'refused' });
    expect(await offer(draw(1))).toEqual({ outcome: 'taken' });
    await offer(new Uint8Array(9));
    expect(problems).toEqual([error, error]);
  });

  it('sends every frame of a still scene, or one every five seconds if the user chose that', async () => {
    const { outcomes, pipeline } = openPipeline();
    expect(await outcomes(3, 50)).toEqual(['taken', 'taken', 'taken']);
    pipeline.setOptions({ ...defaultVisionOptions, skipStill: true });
    const still = ['taken', 'unchanged', 'unchanged', 'unchanged', 'unchanged'];
    expect(await outcomes(7, 50)).toEqual([...still, 'taken', 'unchanged']);
    // The talk's next session begins, and its model has seen no picture.
    pipeline.setContext(documentedContext);
    expect([await outcomes(2, 50), await outcomes(1, 90)]).toEqual([still.slice(0, 2), ['taken']]);
  });

  it('crops within the shared region', async () => {
    const { offer, talk, pipeline } = openPipeline();
    const half = { left: 0, top: 0, width: 0.5, height: 0.5 };
    pipeline.setOptions({
      ...defaultVisionOptions,
      slices: 9,
      source: { kind: 'region', area: half },
      crop: half,
    });
    await offer(draw(1, 4000, 2000));
    expect(talk.seen).toEqual([draw(1, 1000, 500)]);
  });
});

const draw = (grey: number, width = 1280, height = 720) => FakeFrames.draw({ width, height, grey });

function openPipeline() {
  const clock = new FakeClock();
  const frames = new FakeFrames();
  const sent: VisionFrame[] = [];
  const counts: FrameCount[] = [];
  const problems: AppError[] = [];
  const pipeline = new FramePipeline({
    clock,
    frames,
    onSent: (frame) => sent.push(frame),
    onCounted: (count) => counts.push(count),
    onRefused: (problem) => problems.push(problem),
  });
  pipeline.setPermission({ open: 'camera' });
  const talk = frameSink();
  const detach = pipeline.attach(talk);
  /** A second later, so that the frame is not early. */
  const offer = (jpeg: Uint8Array, signature?: Uint8Array): Promise<FrameOutcome> => {
    clock.advance(1000);
    return pipeline.offer({ jpeg, signature });
  };
  /** Offers the same picture for some seconds. */
  const outcomes = async (seconds: number, grey: number): Promise<readonly string[]> => {
    const all: string[] = [];
    for (let second = 0; second < seconds; second += 1) {
      const { outcome } = await offer(draw(grey));
      all.push(outcome);
      if (outcome === 'taken') pipeline.frameSent();
    }
    return all;
  };
  return { clock, frames, problems, counts, sent, pipeline, talk, detach, offer, outcomes };
}

function frameSink(chunkMs = 1000) {
  const seen: (Uint8Array | undefined)[] = [];
  const slices: number[] = [];
  return {
    seen,
    slices,
    chunkMs,
    pushFrame: (jpeg: Uint8Array | undefined) => void seen.push(jpeg),
    setMaxSlices: (count: number) => void slices.push(count),
  };
}

const plan = { budget: 3, slices: 1, rate: 1, chunkMs: 1000 };
const silence = { userSpeaks: false, answerSounds: false };
const speech = { userSpeaks: true, answerSounds: false };

function openBudget(
  changes: Partial<typeof plan> = {},
  facts: Partial<typeof documentedContext> = {},
) {
  const budget = new FrameBudget();
  budget.plan({ ...documentedContext, ...facts }, { ...plan, ...changes });
  budget.begin(0, undefined);
  let at = 0;
  /** Offers a frame per second; returns how many were sent. */
  const seconds = (count: number, changed: boolean): number => {
    let sent = 0;
    for (let second = 0; second < count; second += 1) {
      at += 1000;
      if (!budget.admit(at, changed)) continue;
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

it('the frame budget sends every frame at the highest setting, and also if a legacy server’s pictures are already the smallest', () => {
  expect(openBudget({ budget: 5 }).seconds(60, false)).toBe(60);
  expect(openBudget({ budget: 1 }, { everyAppend: true }).seconds(60, false)).toBe(60);
});

it('the frame budget sends the first frame of a session in any case', () => {
  const { budget, seconds } = openBudget({ budget: 1 });
  expect([seconds(1, false), seconds(1, false)]).toEqual([1, 0]);
  budget.begin(2000, undefined);
  expect(seconds(1, false)).toBe(1);
});

it('the frame budget sends every frame during and right after a question, even after long changes', () => {
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

it('the frame budget is slower if the context fills faster than planned', () => {
  const { budget, seconds, attend } = openBudget({ budget: 3 });
  attend(speech);
  seconds(60, true);
  budget.setContextRoom(60_000, { tokensLeft: 4000, otherTokensPerSecond: 30 });
  expect(seconds(100, true)).toBeLessThan(15);
});

it('the frame pipeline sends fewer frames if the context should last, and each frame of a question at once', async () => {
  const { outcomes, pipeline, talk, clock } = openPipeline();
  pipeline.setBudget(2);
  pipeline.budget.begin(clock.now(), undefined);
  expect(await outcomes(4, 50)).toEqual(['taken', 'overBudget', 'overBudget', 'overBudget']);
  expect(talk.seen.filter((frame) => frame !== undefined)).toHaveLength(1);
  pipeline.budget.setAttention(clock.now(), { userSpeaks: true, answerSounds: false });
  expect(await outcomes(2, 90)).toEqual(['taken', 'overBudget']);
  pipeline.setBudget(5);
  expect(await outcomes(2, 90)).toEqual(['taken', 'taken']);
});

it('the frame pipeline sends the first picture of another source or with other options at once', async () => {
  const { outcomes, pipeline, clock } = openPipeline();
  pipeline.setBudget(1);
  pipeline.budget.begin(clock.now(), undefined);
  expect(await outcomes(1, 50)).toEqual(['taken']);
  pipeline.setPermission({ open: 'screen' });
  expect(await outcomes(1, 50)).toEqual(['taken']);
  pipeline.setOptions({ ...defaultVisionOptions, mirror: false });
  expect(await outcomes(2, 50)).toEqual(['taken', 'overBudget']);
});

it('the frame pipeline sends the least detail if every append carries a picture, and full detail for a change during a question', async () => {
  const { offer, pipeline, talk, clock } = openPipeline();
  pipeline.setOptions({ ...defaultVisionOptions, slices: 4 });
  pipeline.setContext({ ...documentedContext, everyAppend: true });
  pipeline.setBudget(2);
  pipeline.budget.begin(clock.now(), undefined);
  talk.slices.length = 0;
  for (const grey of [50, 50, 90]) {
    expect(await offer(draw(grey))).toEqual({ outcome: 'taken' });
    pipeline.frameSent();
    pipeline.budget.setAttention(clock.now(), { userSpeaks: grey === 50, answerSounds: false });
  }
  expect(talk.seen.slice(-3)).toEqual([
    draw(50, 1194, 672),
    draw(50, 597, 336),
    draw(90, 1194, 672),
  ]);
  await offer(draw(90));
  // The next talk's server needs no picture in every append.
  pipeline.setContext(documentedContext);
  expect(talk.slices).toEqual([4, 1, 4, 1, 4]);
});

it('the frame pipeline compares the server’s count with the picture that was sent, not with the next one', async () => {
  const { offer, outcomes, pipeline, clock } = openPipeline();
  pipeline.setOptions({ ...defaultVisionOptions, slices: 4 });
  pipeline.setContext({ ...documentedContext, everyAppend: true });
  pipeline.setBudget(2);
  pipeline.budget.begin(clock.now(), undefined);
  await outcomes(2, 50);
  pipeline.budget.setAttention(clock.now(), { userSpeaks: true, answerSounds: false });
  // The count of the coarse picture comes after a sharp one was given to the talk.
  await offer(draw(90));
  pipeline.stepCounted({ vision_tokens: 64 });
  expect(pipeline.pictureScale).toBeUndefined();
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
