import { describe, expect, it } from 'vitest';
import { applyLook, languageOf } from '../../../../renderer/shell/apply-look.ts';
import { keepLook } from '../../../../renderer/shell/keep-look.ts';
import { usualLook } from '../../../../renderer/store/look.ts';
import { createStore } from '../../../../renderer/store/store.ts';
import { firstView } from '../../../../renderer/store/view.ts';
import type { View } from '../../../../renderer/store/view.ts';
import { defaultSettings } from '../../../../shared/settings/default-settings.ts';
import { showSettings } from '../../../../shared/settings/shown-settings.ts';

function storage(kept?: string) {
  const values = new Map(kept === undefined ? [] : [['parley.look', kept]]);
  let writes = 0;
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      writes += 1;
      values.set(key, value);
    },
    writes: () => writes,
  };
}

describe('the look of the last time', () => {
  it('is the usual one at first, and where it cannot be read', () => {
    const broken = ['{', 'null', '[]', '{"appearance":7}', '{"appearance":{"theme":"pink"}}'];
    for (const kept of [undefined, ...broken]) {
      expect(keepLook(storage(kept)).before, kept).toEqual(usualLook);
    }
  });

  it('is what the settings said, kept once for each change', () => {
    const place = storage();
    const store = createStore<View>(firstView);
    keepLook(place).follow(store);
    store.change({ paletteOpen: true });
    expect(place.writes()).toBe(0);
    const settings = showSettings({
      ...defaultSettings,
      appearance: { theme: 'dark', textSize: 150, language: 'zh' },
    });
    store.change({ settings });
    store.change({ paletteOpen: false });
    expect(place.writes()).toBe(1);
    expect(keepLook(place).before.appearance).toEqual(settings.appearance);
  });

  it('is put where the style looks, every length in proportion', () => {
    const properties = new Map<string, string>();
    const page = {
      dataset: {} as Record<string, string>,
      style: {
        fontSize: '',
        setProperty: (name: string, value: string) => properties.set(name, value),
      },
    };
    const look = {
      appearance: { theme: 'dark', textSize: 200, language: 'zh' },
      captions: { size: 42, contrast: 'high' },
    } as const;
    applyLook(look, page as unknown as HTMLElement);
    expect(page.dataset).toEqual({ theme: 'dark', contrast: 'high' });
    expect(page.style.fontSize).toBe('200%');
    expect(properties.get('--caption-scale')).toBe('1.5');
    expect(languageOf(look.appearance, ['en'])).toBe('zh');
    expect(languageOf(usualLook.appearance, ['zh-TW'])).toBe('zh');
  });
});
