import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../renderer/app/app-context.ts';
import { stageState } from '../../../../renderer/app/ui-state.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { TalkState } from '../../../../shared/talk/talk-state.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';

const ended: TalkState = {
  phase: 'ended',
  ending: { error: appError('endedByPerson'), by: 'client', orderly: true },
  offer: 'none',
};

describe('a talk that has ended', () => {
  it('gives way to what stands before a talk when it is put away, until the next one', async () => {
    const { bridge, notice } = fakeBridge();
    const { store, actions } = createAppContext({
      bridge,
      capture: fakeCapture().capture,
      now: () => 0,
    });
    await flushPromises();
    const shown = () => stageState(store.getState()).phase;
    notice({ name: 'talkState', payload: ended });
    expect(shown()).toBe('ended');
    actions.putEndedAway();
    expect(shown()).toBe('idle');
    // Told once more, for example to a page that has lost its connection.
    notice({ name: 'talkState', payload: ended });
    expect(shown()).toBe('idle');
    notice({ name: 'talkState', payload: { phase: 'connecting' } });
    expect(shown()).toBe('connecting');
    notice({ name: 'talkState', payload: ended });
    expect(shown()).toBe('ended');
  });
});
