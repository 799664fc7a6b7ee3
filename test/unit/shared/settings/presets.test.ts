import { describe, expect, it } from 'vitest';
import { englishPresets } from '../../../../shared/i18n/en/prompts.ts';
import { languageIds, languages } from '../../../../shared/i18n/languages.ts';
import { chinesePresets } from '../../../../shared/i18n/zh/prompts.ts';
import { modes } from '../../../../shared/protocol/realtime-api.ts';
import {
  resolveInstructions,
  modesForPreset,
  presetIds,
} from '../../../../shared/settings/preset.ts';

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
