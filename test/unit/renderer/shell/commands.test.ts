import { describe, expect, it } from 'vitest';
import { commandsFor, findCommands } from '../../../../renderer/shell/commands.ts';
import { joinBridge } from '../../../../renderer/store/join-bridge.ts';
import { firstView } from '../../../../renderer/store/view.ts';
import type { View } from '../../../../renderer/store/view.ts';
import { openWords } from '../../../../renderer/words/open-words.ts';
import { fakeBridge, fakeEye } from '../../../fakes/fake-bridge.ts';

function namesIn(part: Partial<View>): readonly string[] {
  const { bridge } = fakeBridge();
  const { actions } = joinBridge({ bridge, eye: fakeEye().eye, now: () => 0 });
  return commandsFor({ ...firstView, ...part }, actions, openWords('en').t).map(({ name }) => name);
}

describe('the commands', () => {
  it('are what can be done now', () => {
    const idle = namesIn({});
    const live = namesIn({ state: { value: { phase: 'live' }, at: 0 } });
    const queued = namesIn({ state: { value: { phase: 'queued' } as never, at: 0 } });
    expect(idle).toContain('Start talking');
    expect(idle).not.toContain('Interrupt');
    expect(live.slice(0, 4)).toEqual(['Interrupt', 'Mute', 'Pause', 'End']);
    expect(live).not.toContain('Talking: Open microphone');
    expect(queued[0]).toBe('End');
    expect(idle).toEqual(
      expect.arrayContaining(['Settings: Servers', 'Theme: Ink', 'Language: 中文']),
    );
    expect(idle).not.toContain('Talk');
  });

  it('have names of their own, as they are found by them', () => {
    const live = namesIn({ state: { value: { phase: 'live' }, at: 0 } });
    expect(new Set(live).size).toBe(live.length);
  });

  it('are found by any of their words', () => {
    const commands = ['Theme: Ink', 'Theme: Paper', 'End'].map((name) => ({
      name,
      run: () => undefined,
    }));
    const found = (typed: string) => findCommands(commands, typed).map(({ name }) => name);
    expect(found('ink the')).toEqual(['Theme: Ink']);
    expect(found(' ')).toHaveLength(3);
    expect(found('nothing')).toEqual([]);
  });
});
