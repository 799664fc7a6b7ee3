import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../renderer/app/app-context.ts';
import { initialUiState, stageState } from '../../../../renderer/app/ui-state.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { computerProfile } from '../../../../shared/settings/endpoint-profile.ts';
import type { TalkState } from '../../../../shared/talk/talk-state.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';

const ended: TalkState = {
  phase: 'ended',
  ending: { error: appError('endedByPerson'), by: 'client', orderly: true },
  offer: 'none',
};

describe('an ended talk', () => {
  it('is replaced by the start view after dismissal, until the next talk', async () => {
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
    actions.dismissEnded();
    expect(shown()).toBe('idle');
    // Posted again, for example after a reconnect.
    notice({ name: 'talkState', payload: ended });
    expect(shown()).toBe('idle');
    notice({ name: 'talkState', payload: { phase: 'connecting' } });
    expect(shown()).toBe('connecting');
    notice({ name: 'talkState', payload: ended });
    expect(shown()).toBe('ended');
  });
});

it('a talk that waits for the model on this computer shows as connecting, not as queued', () => {
  const queued = { phase: 'queued', position: 1, length: 1, etaSeconds: undefined } as const;
  const state = {
    ...initialUiState,
    talkState: { value: queued, at: 0 },
    facts: { mode: 'audio', endpoint: computerProfile.name } as const,
  };
  expect(stageState(state).phase).toBe('connecting');
  const elsewhere = { ...state, facts: { mode: 'audio', endpoint: 'studio' } as const };
  expect(stageState(elsewhere).phase).toBe('queued');
});
