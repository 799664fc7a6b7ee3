import { describe, expect, it } from 'vitest';
import { toSessionSettings } from '../../../../electron/settings/core-texts.ts';
import { englishPresets } from '../../../../shared/i18n/en/prompts.ts';
import { languageIds, languages } from '../../../../shared/i18n/languages.ts';
import { chinesePresets } from '../../../../shared/i18n/zh/prompts.ts';
import {
  encodeGeneration,
  generationFields,
  modes,
} from '../../../../shared/protocol/realtime-api.ts';
import { changedGeneration, withConfig } from '../../../../shared/settings/assistant-settings.ts';
import {
  modesForPreset,
  presetIds,
  resolveInstructions,
} from '../../../../shared/settings/preset.ts';
import { changeSettings } from '../../../../shared/settings/read-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import { availableAnswerSettings } from '../../../../shared/talk/talk-stats.ts';

const defaults = defaultSettings.assistant.generation;

it('the generation options that are sent are the changed ones', () => {
  expect(changedGeneration(defaults)).toEqual({});
  const chosen = { ...defaults, topK: 40, generateAudio: false, listenTopK: 3 };
  expect(changedGeneration(chosen)).toEqual({
    topK: 40,
    generateAudio: false,
    listenTopK: 3,
  });
});

it('every generation option of the wire has a setting', () => {
  expect(Object.keys(defaults).toSorted()).toEqual(
    generationFields.map(([name]) => name).toSorted(),
  );
});

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
    ['an unknown role', { clown: { a: 1 } }],
    ['a list', { coach: [1] }],
    ['4000 characters', { coach: { text: 'x'.repeat(4000) } }],
    ['a string', 'coach'],
  ])('are refused for %s', (_what, configs) => {
    expect(changeSettings(defaultSettings, { assistant: { configs } }).ok).toBe(false);
  });

  it('are dropped when empty', () => {
    const changed = changeSettings(defaultSettings, { assistant: { configs: { coach: {} } } });
    expect(changed.ok && changed.value.assistant.configs).toEqual({});
  });
});

describe('the settings that may make a model answer', () => {
  it('are none for a legacy server, and omit those that a unified endpoint sets itself', () => {
    expect(availableAnswerSettings('legacy')).toEqual([]);
    expect(availableAnswerSettings('unified')).toEqual(['listenProbScale', 'lengthPenalty']);
    expect(availableAnswerSettings('unified', { length_penalty: null })).toEqual([
      'listenProbScale',
    ]);
    expect(availableAnswerSettings('unified', { listen_prob_scale: 0.5, top_k: 3 })).toEqual([
      'lengthPenalty',
    ]);
  });
});

describe('presets', () => {
  it('cover every mode, and each has a mode', () => {
    for (const mode of modes) {
      expect(
        presetIds.filter((id) => modesForPreset(id).includes(mode)).length,
      ).toBeGreaterThanOrEqual(3);
    }
    for (const id of presetIds) expect(modesForPreset(id), id).not.toEqual([]);
  });

  it.each(presetIds)('have texts in every language: %s', async (id) => {
    for (const text of Object.values(englishPresets[id]))
      expect(text).not.toMatch(/\p{Script=Han}/u);
    for (const text of Object.values(chinesePresets[id])) expect(text).toMatch(/\p{Script=Han}/u);
    const lines = (text: string) => text.split('\n').length;
    for (const language of languageIds) {
      const { presets } = await languages[language].core();
      const { title, summary, instructions } = presets[id];
      expect(lines(instructions)).toBe(lines(englishPresets[id].instructions));
      expect(title.length).toBeLessThan(40);
      expect(summary.length).toBeLessThan(80);
      // Instructions use up context of the conversation.
      expect(instructions.length).toBeLessThan(1000);
    }
  });

  it('give the model their text, or the user’s own', () => {
    const assistant = { preset: 'companion', instructions: 'Mine.' } as const;
    expect(resolveInstructions(assistant, englishPresets)).toContain('keep somebody company');
    expect(resolveInstructions(assistant, chinesePresets)).toContain('陪在旁边');
    expect(resolveInstructions({ ...assistant, preset: 'own' }, chinesePresets)).toBe('Mine.');
  });
});
