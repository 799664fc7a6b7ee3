import { describe, expect, it } from 'vitest';
import { findSettings, loadSettingsIndex } from '../../../../renderer/settings/find-settings.ts';
import { settingsSections } from '../../../../renderer/settings/settings-ui-state.ts';
import { englishSettingsRows } from '../../../../shared/i18n/en/settings-rows.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const settingRows: Readonly<Record<string, object>> = englishSettingsRows;
await loadSettingsIndex();

const found = (typed: string): readonly string[] => findSettings(typed).map(({ id }) => id);

describe('the settings search', () => {
  it.each([
    ['volume', 'audio.playbackVolume'],
    ['音量', 'audio.playbackVolume'],
    ['PUSH  to talk', 'talking.mode'],
    ['按键说话', 'talking.mode'],
    ['dark', 'appearance.theme'],
    ['深色', 'appearance.theme'],
    ['temperature', 'assistant.temperature'],
    ['温度', 'assistant.temperature'],
    ['token password', 'endpoints.token'],
    ['proxy', 'endpoints.proxy'],
    ['代理', 'endpoints.proxy'],
  ])('finds with “%s” the setting %s', (typed, id) => {
    expect(found(typed)).toContain(id);
  });

  it('ranks names before hints', () => {
    expect(found('volume').slice(0, 2)).toEqual(['audio.playbackVolume', 'audio.inputVolume']);
    expect(found('麦克风音量')[0]).toBe('audio.inputVolume');
    // The hint of a different setting has this word too.
    expect(found('louder')[0]).toBe('audio.playbackVolume');
    expect(found('record voice')[0]).toBe('voices.take');
    expect(found('  ')).toEqual([]);
    expect(found('xyzzy')).toEqual([]);
  });

  it('has a row for every setting', () => {
    const parts = (settingsSections as readonly string[]).filter((name) => name in defaultSettings);
    const { generation, ...assistant } = defaultSettings.assistant;
    const { overlap, ...talking } = defaultSettings.talking;
    const groups = {
      ...defaultSettings,
      assistant: { ...assistant, ...generation },
      talking: { ...talking, overlap, shortMs: overlap.shortMs },
      endpoints: { list: [] },
    };
    for (const name of parts) {
      const rows = Object.keys(settingRows[name] ?? {});
      expect(rows, name).toEqual(
        expect.arrayContaining(Object.keys(groups[name as keyof typeof groups])),
      );
    }
    // Chat shows its own options, and the Servers section those of proxy and model. Parley itself sets `firstRun` and `told`.
    const elsewhere = new Set(['chat', 'firstRun', 'told', 'proxy', 'model']);
    expect(parts.toSorted()).toEqual(
      Object.keys(defaultSettings)
        .filter((name) => !elsewhere.has(name))
        .toSorted(),
    );
  });
});
