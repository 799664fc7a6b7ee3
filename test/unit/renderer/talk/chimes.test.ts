import { describe, expect, it } from 'vitest';
import { firstView } from '../../../../renderer/store/view.ts';
import { createStore } from '../../../../renderer/store/store.ts';
import { chimeFor } from '../../../../renderer/talk/chime.ts';
import { ringChimes } from '../../../../renderer/talk/ring-chimes.ts';
import { defaultSettings } from '../../../../shared/settings/default-settings.ts';
import { showSettings } from '../../../../shared/settings/shown-settings.ts';
import type { TalkState } from '../../../../shared/talk/talk-state.ts';

const queued = (position: number | undefined): TalkState => ({
  phase: 'queued',
  position,
  length: 4,
  etaSeconds: undefined,
});

describe('the chimes of a queue', () => {
  it('tell of moving up and of one’s turn, and of nothing else', () => {
    expect(chimeFor(queued(3), queued(2))).toBe('moved');
    expect(chimeFor(queued(1), { phase: 'live' })).toBe('turn');
    expect(chimeFor(queued(1), { phase: 'connecting' })).toBe('turn');
    expect(chimeFor(queued(undefined), queued(3))).toBeUndefined();
    expect(chimeFor(queued(2), queued(3))).toBeUndefined();
    expect(chimeFor(queued(2), { phase: 'ending' })).toBeUndefined();
    expect(chimeFor({ phase: 'connecting' }, { phase: 'live' })).toBeUndefined();
  });

  it('ring once for a change, and not when they are turned off', () => {
    const store = createStore({ ...firstView, state: { value: queued(2), at: 0 } });
    const rung: string[] = [];
    ringChimes(store, (chime) => rung.push(chime));
    store.change({ state: { value: queued(1), at: 1 } });
    store.change({ floor: 'you' });
    const audio = { ...defaultSettings.audio, chimes: false };
    store.change({ settings: showSettings({ ...defaultSettings, audio }) });
    store.change({ state: { value: { phase: 'live' }, at: 2 } });
    expect(rung).toEqual(['moved']);
  });
});
