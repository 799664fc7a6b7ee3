import { describe, expect, it } from 'vitest';
import {
  paletteCommands,
  findPaletteCommands,
} from '../../../../renderer/shell/palette-commands.ts';
import { createAppContext } from '../../../../renderer/store/app-context.ts';
import { initialUiState } from '../../../../renderer/store/ui-state.ts';
import type { UiState } from '../../../../renderer/store/ui-state.ts';
import { createI18n } from '../../../../renderer/i18n/create-i18n.ts';
import { sampleReplay } from '../replay/sample-replay.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';

const { t } = await createI18n('en');

function namesIn(part: Partial<UiState>): readonly string[] {
  const { bridge } = fakeBridge();
  const { actions } = createAppContext({ bridge, capture: fakeCapture().capture, now: () => 0 });
  return paletteCommands({ ...initialUiState, ...part }, actions, t).map(({ name }) => name);
}

describe('the commands', () => {
  it('are what can be done now', () => {
    const idle = namesIn({});
    const live = namesIn({ talkState: { value: { phase: 'live' }, at: 0 } });
    const place = { position: 2, length: 5, etaSeconds: undefined };
    const queued = namesIn({ talkState: { value: { phase: 'queued', ...place }, at: 0 } });
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
    const live = namesIn({ talkState: { value: { phase: 'live' }, at: 0 } });
    expect(new Set(live).size).toBe(live.length);
  });

  it('have those of a replay where it is looked at, beside those of a talk that goes on', () => {
    const talkState = { value: { phase: 'live' }, at: 0 } as const;
    const replayed = namesIn({ talkState, screen: 'replay', replay: sampleReplay });
    expect(replayed.slice(0, 4)).toEqual([
      'Replay: Play',
      'Replay: Next event',
      'Replay: Previous event',
      'Close the replay',
    ]);
    expect(replayed).toContain('Pause');
    expect(new Set(replayed).size).toBe(replayed.length);
    expect(namesIn({ replay: sampleReplay })[0]).toBe('Replay');
    expect(namesIn({})).not.toContain('Replay');
    expect(namesIn({})).toContain('See an example: A talk with pictures');
  });

  it('are found by any of their words', () => {
    const commands = ['Theme: Ink', 'Theme: Paper', 'End'].map((name) => ({
      name,
      run: () => undefined,
    }));
    const found = (typed: string) => findPaletteCommands(commands, typed).map(({ name }) => name);
    expect(found('ink the')).toEqual(['Theme: Ink']);
    expect(found(' ')).toHaveLength(3);
    expect(found('nothing')).toEqual([]);
  });
});
