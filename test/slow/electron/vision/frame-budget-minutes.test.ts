import { describe, expect, it } from 'vitest';
import { TalkVision } from '../../../../electron/talk/active-talk.ts';
import { ServerLimits } from '../../../../electron/talk/server-limits.ts';
import { FramePipeline } from '../../../../electron/vision/frame-pipeline.ts';
import type { DialectName } from '../../../../shared/protocol/realtime-api.ts';
import {
  documentedContext,
  type ContextFacts,
  secondsWithPictures,
} from '../../../../shared/vision/context-facts.ts';
import { defaultVisionOptions } from '../../../../shared/vision/vision-options.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeFrames } from '../../../fakes/fake-pictures.ts';
import { fakeServerFacts } from '../../../fakes/fake-server-facts.ts';
import { fakeSpeech } from '../../../fakes/fake-speech.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { gatewayHarness } from '../../../unit/electron/talk/gateway-harness.ts';

interface Setting {
  readonly budget: number;
  readonly dialect?: DialectName;
  readonly slices?: number;
  readonly isLively?: boolean;
  readonly contextTokens?: number;
  /** The facts about the server's context that Parley knows before the session; by default those of the demonstration. */
  readonly facts?: ContextFacts;
}

const demonstrated = new ServerLimits(fakeServerFacts(), new FakeClock()).contextFacts(undefined);

/** A talk with the embedded gateway until its context is full, second by second; a picture is captured in each. */
async function talkUntilFull(setting: Setting) {
  const {
    budget,
    dialect = 'unified',
    slices = 1,
    isLively = true,
    contextTokens = 8192,
  } = setting;
  const facts: ContextFacts = {
    ...(setting.facts ?? demonstrated),
    contextTokens,
    sessionSeconds: 3600,
    everyAppend: dialect === 'legacy',
  };
  const harness = gatewayHarness(
    { dialect, profile: 'documented', contextTokens, sessionSeconds: { audio: 3600, video: 3600 } },
    { mode: 'video', dialect, contextTokens, sessionSeconds: 3600, handsOver: false },
    fakeSpeech,
  );
  const { clock } = harness;
  const frames = new FakeFrames();
  const pipeline = new FramePipeline({
    clock,
    frames,
    onSent: () => undefined,
    onCounted: () => undefined,
    onRefused: () => undefined,
  });
  pipeline.setOptions({ ...defaultVisionOptions, slices });
  pipeline.setBudget(budget);
  pipeline.setPermission({ open: 'camera' });
  pipeline.attach(harness.talk);
  const vision = new TalkVision('video', {
    clock,
    framePipeline: pipeline,
    contextFacts: () => facts,
  });
  const random = seeded(7);
  const session: { liveAt?: number; fullAt?: number } = {};
  let pictures = 0;
  const hear = (): void => {
    for (const event of harness.emitted.splice(0)) {
      vision.onEvent(event);
      if (event.event === 'state' && event.state === 'live') session.liveAt = clock.now();
      if (event.event === 'sent' && event.frames > 0) {
        pictures += 1;
        pipeline.frameSent();
      }
      if (event.event === 'metrics') pipeline.stepCounted(event.metrics.values);
      if (event.event === 'closed') session.fullAt = clock.now();
    }
  };
  let speaking = 0;
  for (let second = 0; second < 3600 && session.fullAt === undefined; second += 1) {
    const speaks = isLively && speaking > 0;
    // A question of some seconds, an answer, and a pause.
    if (isLively) speaking = speaking > -8 ? speaking - 1 : Math.ceil(random() * 4);
    for (let block = 0; block < 50; block += 1) {
      harness.pass(20, speaks ? 0.3 : 0);
      hear();
    }
    const grey = isLively ? Math.floor(random() * 255) : 40;
    const jpeg = FakeFrames.draw({ width: 1280, height: 720, grey });
    await pipeline.offer({ jpeg });
  }
  const told = secondsWithPictures(facts, { budget, slices, rate: 1, chunkMs: 1000 });
  const got = ((session.fullAt ?? Infinity) - (session.liveAt ?? 0)) / 1000;
  return { told, got, pictures };
}

const lively: readonly Setting[] = [
  ...[1, 2, 3, 4, 5].map((budget) => ({ budget })),
  { budget: 3, slices: 4 },
  { budget: 2, contextTokens: 4096 },
  // The demonstration uses other amounts than the documents state, and the pace follows its reports.
  ...[1, 3].map((budget) => ({ budget, facts: documentedContext })),
  // Legacy sends a picture with every append, so a small budget saves detail.
  { budget: 2, dialect: 'legacy', slices: 4 },
  { budget: 1, dialect: 'legacy' },
];

describe('the minutes of a picture budget with the embedded gateway', () => {
  it.each(lively)('match the estimate in a lively talk: %o', async (setting) => {
    const { told, got } = await talkUntilFull(setting);
    expect(got / told).toBeGreaterThan(0.9);
    expect(got / told).toBeLessThan(1.1);
  });

  it('exceed the estimate in a quiet scene, which still gets a picture every ten seconds', async () => {
    const { told, got, pictures } = await talkUntilFull({ budget: 3, isLively: false });
    expect(got).toBeGreaterThan(told * 1.5);
    expect(got / pictures).toBeLessThanOrEqual(10.1);
  });
});
