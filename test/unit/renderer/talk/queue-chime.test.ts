import { describe, expect, it } from 'vitest';
import { createStore } from '../../../../renderer/app/store.ts';
import { initialUiState } from '../../../../renderer/app/ui-state.ts';
import { chimeFor, playQueueChimes } from '../../../../renderer/talk/queue-chime.ts';
import { redactSettings } from '../../../../shared/settings/redacted-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import type { TalkState } from '../../../../shared/talk/talk-state.ts';

const queued = (position: number | undefined): TalkState => ({
  phase: 'queued',
  position,
  length: 4,
  etaSeconds: undefined,
});

describe('queue chimes', () => {
  it('sound only for moving up and for the user’s turn', () => {
    expect(chimeFor(queued(3), queued(2))).toBe('moved');
    expect(chimeFor(queued(1), { phase: 'live' })).toBe('turn');
    expect(chimeFor(queued(1), { phase: 'connecting' })).toBe('turn');
    expect(chimeFor(queued(undefined), queued(3))).toBeUndefined();
    expect(chimeFor(queued(2), queued(3))).toBeUndefined();
    expect(chimeFor(queued(2), { phase: 'ending' })).toBeUndefined();
    expect(chimeFor({ phase: 'connecting' }, { phase: 'live' })).toBeUndefined();
  });

  it('sound once per change while turned on', () => {
    const store = createStore({ ...initialUiState, talkState: { value: queued(2), at: 0 } });
    const played: string[] = [];
    playQueueChimes(store, (chime) => played.push(chime));
    store.setState({ talkState: { value: queued(1), at: 1 } });
    store.setState({ floor: 'you' });
    const audio = { ...defaultSettings.audio, chimes: false };
    store.setState({ settings: redactSettings({ ...defaultSettings, audio }) });
    store.setState({ talkState: { value: { phase: 'live' }, at: 2 } });
    expect(played).toEqual(['moved']);
  });
});
