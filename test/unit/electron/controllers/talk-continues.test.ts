import { failure } from '../../../../shared/errors/app-error.ts';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { deferred } from '../../../fakes/deferred.ts';
import { lost } from '../conversation/stage.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

let stage: TalkControllerHarness;

beforeEach(() => {
  stage = new TalkControllerHarness();
});

describe('a talk that goes on', () => {
  it('does not where another one was begun while the devices were being let go', async () => {
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

  it('goes on once, however often it is asked', async () => {
    await stage.live();
    stage.session.close(timeout);
    const asked = [1, 2].map(() => stage.controller.continue({ carry: 'nothing' }));
    expect(await Promise.all(asked)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(stage.sessions).toHaveLength(2);
  });
});
