import { describe, expect, it } from 'vitest';
import { modes } from '../../../../shared/protocol/dialect-and-mode.ts';
import { presetIds } from '../../../../shared/presets/preset.ts';
import { instructionsOf, presetsFor } from '../../../../shared/presets/presets.ts';

const all = modes.flatMap((mode) => presetsFor(mode));

describe('presets', () => {
  it('are there for every mode, and every one of them for some mode', () => {
    for (const mode of modes) expect(presetsFor(mode).length).toBeGreaterThanOrEqual(3);
    expect([...new Set(all.map(({ id }) => id))].toSorted()).toEqual([...presetIds].toSorted());
  });

  it.each(all.map((preset) => [preset.id, preset] as const))(
    '%s says the same in both languages, each in its own',
    (_id, { texts }) => {
      for (const text of Object.values(texts.en)) expect(text).not.toMatch(/\p{Script=Han}/u);
      for (const text of Object.values(texts.zh)) expect(text).toMatch(/\p{Script=Han}/u);
      const lines = (text: string) => text.split('\n').length;
      expect(lines(texts.zh.instructions)).toBe(lines(texts.en.instructions));
      for (const { title, summary, instructions } of Object.values(texts)) {
        expect(title.length).toBeLessThan(40);
        expect(summary.length).toBeLessThan(80);
        // Every word of it takes room from the conversation.
        expect(instructions.length).toBeLessThan(1000);
      }
    },
  );

  it('give the model their text, or the person’s own', () => {
    const assistant = { preset: 'companion', instructions: 'Mine.' } as const;
    expect(instructionsOf(assistant, 'en')).toContain('keep somebody company');
    expect(instructionsOf(assistant, 'zh')).toContain('陪在旁边');
    expect(instructionsOf({ ...assistant, preset: 'own' }, 'zh')).toBe('Mine.');
  });
});
