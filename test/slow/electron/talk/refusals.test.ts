import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { errorText } from '../../../../renderer/i18n/format.ts';
import { createI18n } from '../../../../renderer/i18n/page-language.ts';
import { encodeWav } from '../../../../shared/audio/wav.ts';
import { appError, type AppError } from '../../../../shared/errors/app-error.ts';
import type { RequestInput, RequestName } from '../../../../shared/ipc/contract.ts';
import type { Reply } from '../../../../shared/ipc/bridge.ts';
import { chatSettings } from '../../../../shared/settings/assistant-settings.ts';
import type { ProfileDraft } from '../../../../shared/settings/connection-settings.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

const chinese = (await createI18n('zh')).t;

let core: ReturnType<typeof coreWithFakes>;
afterEach(() => core.lifetime.end());

/** Opens a core on a virtual clock. */
function open(folder = workFolder()('state')) {
  core = coreWithFakes(folder, new FakeClock());
  return core;
}

interface RefusedRequest<Name extends RequestName> {
  readonly name: Name;
  readonly input: RequestInput<Name>;
  readonly error: AppError;
}

const refused = <Name extends RequestName>(
  name: Name,
  input: RequestInput<Name>,
  error: AppError,
): RefusedRequest<Name> => ({ name, input, error });

const server: ProfileDraft = {
  name: 'Home',
  kind: 'local',
  url: 'wss://home.example.invalid',
  dialect: 'auto',
  headers: {},
  query: {},
};
const wav = (seconds: number): Uint8Array =>
  encodeWav(new Float32Array(seconds * 16_000), { rate: 16_000, channels: 1, coding: 'pcm16' });
const latin = (text: string): Uint8Array => new TextEncoder().encode(text);
const embedded = { id: 'embedded' };

describe('a refused request', () => {
  it.each([
    refused(
      'changeSettings',
      { captions: { size: 4000 } },
      appError('settingNotAllowed', { place: 'captions.size' }),
    ),
    refused('changeSettings', { endpoints: { chosen: 'gone' } }, appError('serverGone')),
    refused('putEndpoint', { ...server, url: 'home' }, appError('noScheme', { address: 'home' })),
    refused(
      'putEndpoint',
      { ...server, headers: { Host: 'x' } },
      appError('headerReserved', { name: 'Host' }),
    ),
    refused('removeEndpoint', embedded, appError('demonstrationStays')),
    refused(
      'importVoice',
      { name: 'x', wav: wav(121) },
      appError('soundLong', { seconds: 121, most: 120 }),
    ),
    refused('renameVoice', { id: 'gone', name: '' }, appError('voiceNameless')),
    refused(
      'renameVoice',
      { id: 'gone', name: 'x'.repeat(80) },
      appError('voiceNameLong', { most: 60 }),
    ),
    refused('saveRecordedVoice', undefined, appError('notRecording')),
    refused('sendChat', { parts: [{ type: 'text', text: ' ' }] }, appError('nothingToSend')),
    refused(
      'sendChat',
      { parts: [{ type: 'text', text: 'x' }], chat: '0' },
      appError('chatElsewhere'),
    ),
    refused('retryChat', { turn: '0' }, appError('messageGone')),
    refused('openChat', { id: '0' }, appError('chatGone')),
    refused('chatMedia', { media: '0' }, appError('mediaGone')),
    refused(
      'attachFile',
      { name: 'a', file: latin(`ID3${' '.repeat(20)}`) },
      appError('otherSound', { kind: 'MP3' }),
    ),
    refused('setChatOptions', { ...chatSettings.initial, voice: 'gone' }, appError('voiceGone')),
    refused('endTalk', undefined, appError('noTalk')),
    refused('showMini', undefined, appError('noWindows')),
  ])(
    'for $name has the error code $error.code and a Chinese sentence',
    async ({ name, input, error }) => {
      const reply = await open().answer(name, input);
      expect(errorOf(reply)).toMatchObject({ code: error.code, facts: error.facts });
      expectChinese(errorText(chinese, error));
    },
  );

  it('has an error code if it is malformed', async () => {
    const reply = await open().answer('sendChat', { parts: 3 });
    expect(errorOf(reply)?.code).toBe('notUnderstood');
  });
});

it('a missing token is reported by its code when a talk begins and when its server is tested', async () => {
  const folder = workFolder()('state');
  const { answer, ask } = open(folder);
  const { id } = await ask('putEndpoint', server);
  await ask('setToken', { id, token: 'tok-123456789' });
  await ask('changeSettings', { endpoints: { chosen: id } });
  rmSync(join(folder, 'tokens.json'));
  const error = appError('tokenGone', { name: 'Home' });
  expect(errorOf(await answer('startTalk', { mode: 'audio' }))).toEqual(error);
  const verdict = await ask('testEndpoint', { server: { id }, mode: 'audio' });
  expect(verdict).toMatchObject({ ok: false, error });
});

it('a failed chat answer keeps the code of its error over a restart', async () => {
  const folder = workFolder()('state');
  const { ask, sockets, settle, payloads, lifetime } = open(folder);
  await ask('changeSettings', { privacy: { keepChats: true } });
  await ask('sendChat', { parts: [{ type: 'text', text: 'Hello?' }] });
  await settle();
  const error = appError('nothingListens', { server: 'home:8006' });
  sockets.line.end({ kind: 'unreachable', error });
  await settle();
  const state = { kind: 'failed', error };
  const states = payloads('chatPatch').flatMap((patch) =>
    patch.kind === 'answer' ? [patch.state] : [],
  );
  expect(states).toEqual([state]);
  await lifetime.end();
  const later = open(folder);
  const { list } = await later.ask('chat', undefined);
  // Both cores draw the same random numbers, so the conversation has the same id.
  await later.ask('beginChat', undefined);
  for (const { id } of list) await later.ask('openChat', { id });
  const { conversation } = await later.ask('chat', undefined);
  expect(conversation.turns[1]).toMatchObject({ state });
});

function errorOf(reply: Reply<unknown>): AppError | undefined {
  return reply.ok ? undefined : reply.error;
}

function expectChinese(sentence: string): void {
  expect(sentence).toMatch(/\p{Script=Han}/u);
  expect(sentence).not.toMatch(/\{\{|English/);
}
