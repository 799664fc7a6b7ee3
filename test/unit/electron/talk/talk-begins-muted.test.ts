import { beforeEach, describe, expect, it } from 'vitest';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import { noPage } from '../../../../shared/ipc/page.ts';
import { lost } from './stage.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

let stage: TalkControllerHarness;

beforeEach(() => {
  stage = new TalkControllerHarness();
});

describe('a talk', () => {
  it('begins muted if set so, continues as the user left it, and the next one is muted again', async () => {
    stage.settings.change({ talking: { startMuted: true } });
    await stage.live('audio');
    expect(stage.controller.view.controls).toMatchObject({ muted: true, transmitting: false });
    expect(stage.posted('talkControls').at(-1)).toMatchObject({ muted: true });
    void stage.controller.handlers.setMuted({ muted: false }, noPage);
    stage.session.close(timeout);
    await stage.controller.continue({ carry: 'transcript' });
    expect(stage.controller.view.controls).toMatchObject({ muted: false, transmitting: true });
    stage.session.enter('connecting', 'configuring', 'live').close(timeout);
    await stage.controller.start('audio');
    expect(stage.controller.view.controls.muted).toBe(true);
  });

  it('is not muted if it has a talk key, so that the key works', async () => {
    stage.settings.change({ talking: { startMuted: true, mode: 'hold' } });
    await stage.live('audio');
    expect(stage.controller.view.controls).toMatchObject({ muted: false, transmitting: false });
    stage.controller.talkKey.handle(noPage, 'press');
    expect(stage.controller.view.controls.transmitting).toBe(true);
  });
});
