import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionPhase } from '../../../../electron/talk/session/session-event.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { settled } from './manual-devices.ts';
import { lost } from './stage.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

let stage: TalkControllerHarness;

beforeEach(() => {
  stage = new TalkControllerHarness();
});

describe('a continued talk', () => {
  it('is refused if another one began while the devices were released', async () => {
    const letGo = deferred();
    let asked = 0;
    stage = new TalkControllerHarness({
      acquireSound: () => {
        asked += 1;
        return asked === 2 ? letGo.promise : Promise.resolve();
      },
    });
    await stage.live();
    stage.session.close(timeout);
    const goingOn = stage.controller.continue({ carry: 'nothing' });
    const opened = stage.hand.chosen.length;
    await stage.live('video');
    const { taker } = stage;
    letGo.resolve();
    expect(await goingOn).toMatchObject(failure('talkStartingAlready'));
    expect(stage.taker).toBe(taker);
    expect(stage.hand.chosen.length - opened).toBe(2);
  });

  it('continues once, even if requested repeatedly', async () => {
    await stage.live();
    stage.session.close(timeout);
    const asked = [1, 2].map(() => stage.controller.continue({ carry: 'nothing' }));
    expect(await Promise.all(asked)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(stage.sessions).toHaveLength(2);
  });
});

describe('the microphone of a talk', () => {
  it('is closed in a queue, and its state is shown when it is open', async () => {
    await stage.controller.start('audio');
    const enter = async (...phases: readonly SessionPhase[]) => {
      stage.session.enter(...phases);
      await settled();
      if (stage.hand.open[1] === 1)
        stage.hand.microphone.emit({ kind: 'using', device: 'Built-in' });
      return [stage.hand.open[1], stage.controller.view.devices.microphone.kind];
    };
    expect(await enter('connecting', 'queued')).toEqual([0, 'unknown']);
    expect(await enter('configuring')).toEqual([1, 'using']);
    expect(stage.controller.view.state.phase).toBe('connecting');
    expect(await enter('live')).toEqual([1, 'using']);
    stage.session.close(lost);
    stage.clock.advance(10_000);
    // Speech during a reconnect is sent later, so the microphone stays open.
    expect(stage.hand.open[1]).toBe(1);
    stage.session.enter('connecting', 'queued');
    await settled();
    expect(stage.hand.open[1]).toBe(0);
    expect(stage.controller.view.devices.microphone.kind).toBe('unknown');
  });
});
