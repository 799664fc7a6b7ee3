import { expect, it } from 'vitest';
import { chatPlaceText, modelPaceText, modelWaitText } from '../../../../renderer/i18n/format.ts';
import { createI18n } from '../../../../renderer/i18n/page-language.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { LocalModelState } from '../../../../shared/model/local-model.ts';

const { t } = await createI18n('en');
const { t: inChinese } = await createI18n('zh');
const model: LocalModelState = {
  hardware: undefined,
  program: undefined,
  files: { kind: 'unknown' },
  server: { kind: 'ready', pace: undefined },
};

it('the text about the model says whom a chat or a talk waits for', () => {
  expect(modelWaitText(t, 'chat', { ...model, user: 'talk' })).toBe(
    'Not while you talk. Parley answers when the talk ends.',
  );
  expect(modelWaitText(t, 'talk', { ...model, user: 'chat' })).toBe(
    'The chat’s answer comes first. Then the talk starts.',
  );
  expect(modelWaitText(t, 'talk', { ...model, user: 'talk' })).toBeUndefined();
});

it('the text about the model says how long a change of the mode takes', () => {
  const server = { kind: 'loading', progress: 0, secondsLeft: 12, switchesTo: 'talk' } as const;
  expect(modelWaitText(t, 'talk', { ...model, server, user: 'talk' })).toBe(
    'Switching to voice, about 12 s',
  );
  const late = { ...server, secondsLeft: undefined };
  expect(modelWaitText(t, 'talk', { ...model, server: late })).toBe('Switching to voice…');
});

it('the text about the model gives the pace with its limit and the verdict', () => {
  const pace = { medianMs: 610, p90Ms: 780, verdict: 'fewPictures' } as const;
  expect(modelPaceText(t, pace)).toBe(
    'median 610 ms, 9 of 10 within 780 ms, limit 900 ms. Fast enough for talks. Parley shows it one picture in 2 s.',
  );
  expect(modelPaceText(inChinese, pace)).toMatch(/毫秒。语音/);
});

it('the text about the model says that a chat waits only for its own process, and why there is none', () => {
  const loading = { kind: 'loading', progress: 0, secondsLeft: 12 } as const;
  const own = { kind: 'own', server: model.server } as const;
  expect(modelWaitText(t, 'chat', { ...model, user: 'talk', chat: own })).toBeUndefined();
  const chat = { kind: 'own', server: loading } as const;
  expect(modelWaitText(t, 'chat', { ...model, user: 'talk', chat })).toBe(
    'Loading the model, about 12 s',
  );
  const turns = { kind: 'turns', error: appError('modelCardMemory') } as const;
  expect(modelWaitText(t, 'chat', { ...model, user: 'talk', chat: turns })).toBe(
    'Not while you talk. Parley answers when the talk ends.',
  );
  expect(chatPlaceText(t, turns)).toMatch(
    /^Chat waits while you talk, .* did not run\. The graphics/u,
  );
  expect(chatPlaceText(t, own)).toBe('A second copy of the model answers chats.');
  expect(chatPlaceText(t, undefined)).toBeUndefined();
});
