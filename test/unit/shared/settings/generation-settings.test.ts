import { expect, it } from 'vitest';
import { generationFields } from '../../../../shared/protocol/client-event.ts';
import { changedGeneration } from '../../../../shared/settings/assistant-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const defaults = defaultSettings.assistant.generation;

it('only what was changed of the generation goes to a server', () => {
  expect(changedGeneration(defaults)).toEqual({});
  const chosen = { ...defaults, topK: 40, generateAudio: false, listenTopK: 3 };
  expect(changedGeneration(chosen)).toEqual({
    topK: 40,
    generateAudio: false,
    listenTopK: 3,
  });
});

it('every option of the wire can be set', () => {
  expect(Object.keys(defaults).toSorted()).toEqual(
    generationFields.map(([name]) => name).toSorted(),
  );
});
