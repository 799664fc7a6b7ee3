import { describe, expect, it } from 'vitest';
import { createI18n } from '../../../../renderer/i18n/page-language.ts';
import { shortcutList } from '../../../../renderer/keys/shortcuts-sheet.tsx';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const { keys } = defaultSettings;
const usual = { talkKey: 'Space', keys, platform: 'Linux x86_64', mini: true };

const words = { en: (await createI18n('en')).t, zh: (await createI18n('zh')).t };

function listed(
  language: keyof typeof words,
  facts: Partial<typeof usual & { readonly globalKey: string }> = {},
) {
  return shortcutList(words[language], { ...usual, ...facts });
}

function keysOf(groups: ReturnType<typeof listed>, name: string): readonly string[] | undefined {
  return groups.flatMap(({ lines }) => lines).find((line) => line.name === name)?.keys;
}

describe('the shortcut list', () => {
  it('shows the configured talk key, and Command on a Mac', () => {
    const groups = listed('en', { talkKey: 'Control+KeyT', platform: 'MacIntel' });
    expect(keysOf(groups, 'Hold or tap to talk')).toEqual(['Ctrl + T']);
    expect(keysOf(groups, 'Commands')).toEqual(['⌘K']);
    expect(keysOf(listed('en'), 'Commands')).toEqual(['Ctrl K']);
    expect(keysOf(listed('zh'), '打断')).toEqual(['Esc']);
  });

  it('shows configured keys and omits functions without a key', () => {
    const set = {
      ...keys,
      interrupt: 'F7',
      palette: 'Control+KeyP',
      pause: 'F6',
      shortcuts: 'none',
    };
    const groups = listed('en', { keys: set, globalKey: 'Control+F8' });
    expect(keysOf(groups, 'Interrupt')).toEqual(['F7']);
    expect(keysOf(groups, 'Commands')).toEqual(['Ctrl + P']);
    expect(keysOf(groups, 'Pause')).toEqual(['F6']);
    expect(keysOf(groups, 'Mute')).toEqual(['Ctrl Shift M']);
    expect(keysOf(groups, 'This list')).toBeUndefined();
    expect(keysOf(groups, 'The same from any program')).toEqual(['Ctrl + F8']);
    for (const name of ['Pause', 'Hold to mute', 'End', 'The same from any program'])
      expect(keysOf(listed('en'), name), name).toBeUndefined();
    expect(keysOf(listed('en'), 'This list')).toEqual(['?', 'F1']);
  });

  it('lists the mini window only if the host has one', () => {
    const names = (mini: boolean) => listed('en', { mini }).map(({ name }) => name);
    expect(names(true)).toContain('In the mini window');
    expect(names(false)).not.toContain('In the mini window');
  });

  it.each(['en', 'zh'] as const)('has no duplicate in a group, in %s', (language) => {
    for (const { lines } of listed(language)) {
      expect(new Set(lines.map(({ name }) => name)).size).toBe(lines.length);
      for (const { keys } of lines) expect(keys).not.toHaveLength(0);
    }
  });
});
