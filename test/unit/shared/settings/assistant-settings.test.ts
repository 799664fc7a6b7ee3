import { describe, expect, it } from 'vitest';
import {
  CoreTexts,
  spokenLanguage,
  toSessionSettings,
} from '../../../../electron/settings/core-texts.ts';
import { englishPresets } from '../../../../shared/i18n/en/prompts.ts';
import { languageIds, languages } from '../../../../shared/i18n/languages.ts';
import { chinesePresets } from '../../../../shared/i18n/zh/prompts.ts';
import {
  encodeGeneration,
  generationFields,
  modes,
} from '../../../../shared/protocol/realtime-api.ts';
import {
  changedGeneration,
  chatSettings,
  explicitNumber,
  resolveUsualVoice,
  toStoredVoice,
  withConfig,
} from '../../../../shared/settings/assistant-settings.ts';
import {
  modesForPreset,
  presetIds,
  resolveInstructions,
  withInstructions,
} from '../../../../shared/settings/preset.ts';
import { changeSettings } from '../../../../shared/settings/read-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import { availableAnswerSettings } from '../../../../shared/talk/talk-stats.ts';

const defaults = defaultSettings.assistant.generation;

it('the generation options sent are only those that the user changed', () => {
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
  it('override options, and a null value removes an option', () => {
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
    expect(withConfig({ topK: 5, temperature: 1 }, { top_k: null })).toEqual({ temperature: 1 });
    expect(withConfig(undefined, undefined)).toBeUndefined();
  });

  it('apply only to their preset, and the server’s own fields override them', () => {
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
    ['4001 characters', { coach: { text: 'x'.repeat(4001 - '{"text":""}'.length) } }],
    ['a string', 'coach'],
    ['a number', 5],
  ])('are refused for %s', (_what, configs) => {
    expect(changeSettings(defaultSettings, { assistant: { configs } }).ok).toBe(false);
  });

  it('are accepted up to 4000 characters', () => {
    const configs = { own: { text: 'x'.repeat(4000 - '{"text":""}'.length) } };
    expect(changeSettings(defaultSettings, { assistant: { configs } }).ok).toBe(true);
  });

  it('are dropped when empty', () => {
    const changed = changeSettings(defaultSettings, { assistant: { configs: { coach: {} } } });
    expect(changed.ok && changed.value.assistant.configs).toEqual({});
  });
});

it('a session is configured with what the settings change, and nothing else', () => {
  const own = (instructions: string): typeof defaultSettings => ({
    ...defaultSettings,
    assistant: { ...defaultSettings.assistant, preset: 'own', instructions },
  });
  const plain = { maxSlices: defaultSettings.vision.slices };
  expect(toSessionSettings(own(''), englishPresets, {})).toEqual(plain);
  const [model, speech] = [new Float32Array(1), new Float32Array(2)];
  for (const voice of [{ model }, { speech }, { model, speech }])
    expect(toSessionSettings(own('Mine.'), englishPresets, voice)).toEqual({
      ...plain,
      instructions: 'Mine.',
      voice,
    });
});

it('the texts for the model and for files are in the language of the settings', async () => {
  const appearance = { ...defaultSettings.appearance, language: 'zh' } as const;
  const texts = new CoreTexts({ get: () => ({ ...defaultSettings, appearance }) });
  const words = await languages.zh.core();
  expect(await texts.dictationPrompts()).toBe(words);
  const read = ['carryOverMessages', 'phrasePrompt', 'presetMessages', 'cursorPrompts'] as const;
  const more = ['memoryPrompts', 'talkToolPrompts', 'transcriptWords'] as const;
  expect(await Promise.all([...read, ...more].map((name) => texts[name]()))).toEqual([
    words.carryOver,
    words.phrasePrompt,
    words.presets,
    words.cursor,
    words.memory,
    words.talkTools,
    words.transcript,
  ]);
  expect(languageIds).toContain(spokenLanguage('system'));
});

describe('the settings suggested if a model does not answer', () => {
  it('are none for a legacy server, and leave out those that a unified server’s own fields set', () => {
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

it.each([
  ['Be brief.', 'He is Ann.', 'Be brief.\n\nHe is Ann.'],
  ['Be brief.', undefined, 'Be brief.'],
  [' \n', 'He is Ann.', 'He is Ann.'],
  [undefined, 'He is Ann.', 'He is Ann.'],
  [undefined, undefined, undefined],
])('the instructions %j and the text %j are joined to %j', (instructions, text, expected) => {
  expect(withInstructions(instructions, text)).toBe(expected);
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

  it('give the model their own text, or the user’s text for the preset “own”', () => {
    const assistant = { preset: 'companion', instructions: 'Mine.' } as const;
    expect(resolveInstructions(assistant, englishPresets)).toContain('keep somebody company');
    expect(resolveInstructions(assistant, chinesePresets)).toContain('陪在旁边');
    expect(resolveInstructions({ ...assistant, preset: 'own' }, chinesePresets)).toBe('Mine.');
  });
});

const chat = chatSettings.initial;

describe('the voice of chats', () => {
  it('is the voice of talks by default', () => {
    expect(resolveUsualVoice(chat, 'none').voice).toBe('none');
    expect(resolveUsualVoice(chat, 'anna')).toEqual({ ...chat, voice: 'anna' });
  });

  it('round-trips', () => {
    const options = { ...chat, voice: 'bert' };
    expect(resolveUsualVoice(toStoredVoice(options, 'anna'), 'anna')).toEqual(options);
  });

  it('follows the voice of talks while both are equal', () => {
    const kept = toStoredVoice({ ...chat, voice: 'anna' }, 'anna');
    expect(resolveUsualVoice(kept, 'bert').voice).toBe('bert');
  });
});

it('a number that is left to the server is undefined', () => {
  expect([explicitNumber('server'), explicitNumber(5)]).toEqual([undefined, 5]);
});
