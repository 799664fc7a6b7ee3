import { describe, expect, it } from 'vitest';
import { toSessionSettings } from '../../../../electron/settings/spoken-texts.ts';
import { englishPresets } from '../../../../shared/i18n/en/prompts.ts';
import { encodeGeneration } from '../../../../shared/protocol/client-event.ts';
import { withConfig } from '../../../../shared/settings/assistant-settings.ts';
import { changeSettings } from '../../../../shared/settings/read-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const sent = (...given: Parameters<typeof withConfig>) =>
  encodeGeneration(withConfig(...given) ?? {});

describe('extra config fields', () => {
  it('override options, and null removes an option', () => {
    const generation = { topK: 5, temperature: 1, other: { a: 1, b: 1, kept: null } };
    expect(sent(generation, { top_k: 7, a: 2 })).toEqual({
      top_k: 7,
      temperature: 1,
      a: 2,
      b: 1,
      kept: null,
    });
    expect(sent(generation, { top_k: null, a: null, unknown: null })).toEqual({
      temperature: 1,
      b: 1,
      kept: null,
    });
    expect(withConfig({ topK: 5 }, { top_k: null })).toBeUndefined();
    expect(withConfig(undefined, undefined)).toBeUndefined();
  });

  it('apply only to their preset, and those of the server override them', () => {
    const configs = { coach: { style: 'warm', top_k: 9, a: null }, own: { style: 'mine' } };
    const changed = changeSettings(defaultSettings, {
      assistant: { preset: 'coach', configs, generation: { topK: 3 } },
    });
    if (!changed.ok) throw new Error('refused');
    const of = (preset: 'coach' | 'everyday') =>
      toSessionSettings(
        { ...changed.value, assistant: { ...changed.value.assistant, preset } },
        englishPresets,
        {},
      ).generation;
    expect(sent(of('everyday'), undefined)).toEqual({ top_k: 3 });
    expect(sent(of('coach'), undefined)).toEqual({ style: 'warm', top_k: 9 });
    expect(sent(of('coach'), { style: null, top_k: 1, a: 4 })).toEqual({ top_k: 1, a: 4 });
  });

  it.each([
    ['a role that there is not', { clown: { a: 1 } }],
    ['a list', { coach: [1] }],
    ['a book', { coach: { text: 'x'.repeat(4000) } }],
    ['a word', 'coach'],
  ])('are refused for %s', (_what, configs) => {
    expect(changeSettings(defaultSettings, { assistant: { configs } }).ok).toBe(false);
  });

  it('are dropped when empty', () => {
    const changed = changeSettings(defaultSettings, { assistant: { configs: { coach: {} } } });
    expect(changed.ok && changed.value.assistant.configs).toEqual({});
  });
});
