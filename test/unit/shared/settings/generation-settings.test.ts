import { expect, it } from 'vitest';
import { generationFields } from '../../../../shared/protocol/client-event.ts';
import { changedGeneration } from '../../../../shared/settings/assistant-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

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
