import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionPhase } from '../../../../electron/talk/session/session-event.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { ConversationHarness, endedByUser, lost } from './conversation-harness.ts';
import { settled } from './manual-devices.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

describe('the end of a talk', () => {
  it('lets the answer play out at the time limit, and offers to continue', () => {
    const harness = new ConversationHarness().live().says('one two', 2).ends().pass(500);
    harness.session.enter('closing').close(timeout);
    expect(harness.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    harness.pass(3000);
    expect(harness.shown(1)).toBe('one two|');
    harness.talk.continueTalk('transcript');
    expect(harness.session.options.settings.instructions).toContain('one two');
    expect(harness.live().phases.slice(-2)).toEqual(['connecting', 'live']);
  });

  it('may be followed by a talk without the transcript', () => {
    const harness = new ConversationHarness({ settings: { instructions: 'Be kind.' } }).live();
    harness.says('one two', 1).ends().pass(2000).session.close(timeout);
    harness.talk.continueTalk('nothing');
    expect(harness.session.options.settings.instructions).toBe('Be kind.');
    harness.talk.continueTalk('nothing');
    expect(harness.sessions).toHaveLength(2);
  });

  it('silences at once if the user requests it, even repeatedly', () => {
    const harness = new ConversationHarness().live().says('one two', 5);
    harness.talk.end();
    harness.talk.end();
    expect(harness.speaker.queued()).toBe(0);
    harness.session.enter('closing').close(endedByUser);
    harness.talk.end();
    expect(harness.phases.filter((phase) => phase === 'ended')).toHaveLength(1);
  });

  it('closes after its session, and leaves no events or timers', async () => {
    const harness = new ConversationHarness().live().says('one two', 5);
    const closing = harness.talk.close();
    expect(harness.talk.close()).toBe(closing);
    harness.session.enter('closing').close(endedByUser);
    await closing;
    const before = harness.emitted.length;
    harness.pass(60_000);
    harness.talk.continueTalk('nothing');
    harness.talk.interrupt();
    expect(harness.emitted).toHaveLength(before);
    expect(harness.sessions).toHaveLength(1);
  });

  it('closes at once after an end or during a backoff', async () => {
    const over = new ConversationHarness().live();
    over.session.close(timeout);
    await over.talk.close();
    const waiting = new ConversationHarness().live();
    waiting.session.close(lost);
    await waiting.talk.close();
    expect(waiting.pass(20_000).sessions).toHaveLength(1);
  });
});

let harness: TalkControllerHarness;

beforeEach(() => {
  harness = new TalkControllerHarness();
});

describe('a continued talk', () => {
  it('is refused if another one began while the devices were released', async () => {
    const letGo = deferred();
    let asked = 0;
    harness = new TalkControllerHarness({
      acquireSound: () => {
        asked += 1;
        return asked === 2 ? letGo.promise : Promise.resolve();
      },
    });
    await harness.live();
    harness.session.close(timeout);
    const goingOn = harness.controller.continue({ carry: 'nothing' });
    const opened = harness.devices.chosen.length;
    await harness.live('video');
    const { frameSink } = harness;
    letGo.resolve();
    expect(await goingOn).toMatchObject(failure('talkStartingAlready'));
    expect(harness.frameSink).toBe(frameSink);
    expect(harness.devices.chosen.length - opened).toBe(2);
  });

  it('continues once, even if requested repeatedly', async () => {
    await harness.live();
    harness.session.close(timeout);
    const asked = [1, 2].map(() => harness.controller.continue({ carry: 'nothing' }));
    expect(await Promise.all(asked)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(harness.sessions).toHaveLength(2);
  });
});

describe('the microphone of a talk', () => {
  it('is closed in a queue, and its state is shown when it is open', async () => {
    await harness.controller.start('audio');
    const enter = async (...phases: readonly SessionPhase[]) => {
      harness.session.enter(...phases);
      await settled();
      if (harness.devices.open[1] === 1)
        harness.devices.microphone.emit({ kind: 'using', device: 'Built-in' });
      return [harness.devices.open[1], harness.controller.view.devices.microphone.kind];
    };
    expect(await enter('connecting', 'queued')).toEqual([0, 'unknown']);
    expect(await enter('configuring')).toEqual([1, 'using']);
    expect(harness.controller.view.state.phase).toBe('connecting');
    expect(await enter('live')).toEqual([1, 'using']);
    harness.session.close(lost);
    harness.clock.advance(10_000);
    // Speech during a reconnect is sent later, so the microphone stays open.
    expect(harness.devices.open[1]).toBe(1);
    harness.session.enter('connecting', 'queued');
    await settled();
    expect(harness.devices.open[1]).toBe(0);
    expect(harness.controller.view.devices.microphone.kind).toBe('unknown');
  });
});
