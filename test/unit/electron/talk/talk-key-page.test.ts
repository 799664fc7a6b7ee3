import { beforeEach, describe, expect, it } from 'vitest';
import { noPage, OpenPage } from '../../../../shared/ipc/page.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

let stage: TalkControllerHarness;

beforeEach(() => {
  stage = new TalkControllerHarness();
});

async function talkIn(mode: 'hold' | 'holdOrTap' | 'tap') {
  stage.settings.change({ talking: { mode } });
  await stage.controller.start('audio');
  const page = new OpenPage();
  return {
    page,
    key: (key: 'press' | 'release', by = page) => stage.controller.handlers.talkKey({ key }, by),
    transmitting: () => stage.controller.view.controls.transmitting,
  };
}

describe('a page that closes while it holds the talk key', () => {
  it.each(['hold', 'holdOrTap'] as const)('releases the key at once, in %s', async (mode) => {
    const { page, key, transmitting } = await talkIn(mode);
    void key('press');
    expect(transmitting()).toBe(true);
    page.gone();
    expect(transmitting()).toBe(false);
  });

  it('does not release a key held elsewhere, or one released before', async () => {
    const { page, key, transmitting } = await talkIn('hold');
    void key('press');
    void key('release');
    stage.clock.advance(100);
    void stage.controller.handlers.talkKey({ key: 'press' }, noPage);
    page.gone();
    expect(transmitting()).toBe(true);
  });
});
