import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RequestInput, RequestName } from '../../../../shared/ipc/contract.ts';
import type { Reply } from '../../../../shared/ipc/reply.ts';
import { defaultChatOptions } from '../../../../shared/chat/chat-options.ts';
import type { EndpointDraft } from '../../../../shared/settings/redacted-profile.ts';
import type { Why } from '../../../../shared/why.ts';
import { encodeWav } from '../../../../shared/wav/encode-wav.ts';
import { sayVerdict, sayWhy } from '../../../../renderer/parts/say-reason.ts';
import { createI18n } from '../../../../renderer/i18n/create-i18n.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

const chinese = (await createI18n('zh')).t;

let core: ReturnType<typeof coreWithFakes> | undefined;

function open(folder = workFolder()('state')) {
  core = coreWithFakes(folder, new FakeClock());
  return core;
}

afterEach(async () => {
  await core?.lifetime.end();
  core = undefined;
});

interface Asked<Name extends RequestName> {
  readonly name: Name;
  readonly input: RequestInput<Name>;
  readonly why: Why;
}

const refused = <Name extends RequestName>(
  name: Name,
  input: RequestInput<Name>,
  why: Why,
): Asked<Name> => ({ name, input, why });

const server: EndpointDraft = {
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

describe('what a page is refused comes with a code, and in Chinese', () => {
  it.each([
    refused(
      'changeSettings',
      { captions: { size: 4000 } },
      { is: 'notTaken', place: 'captions.size' },
    ),
    refused('changeSettings', { endpoints: { chosen: 'gone' } }, 'serverGone'),
    refused('putEndpoint', { ...server, url: 'home' }, { is: 'noScheme', address: 'home' }),
    refused('putEndpoint', { ...server, url: 'ws://' }, { is: 'noHost', address: 'ws://' }),
    refused('putEndpoint', { ...server, headers: { 'a b': 'x' } }, 'headerForm'),
    refused(
      'putEndpoint',
      { ...server, headers: { Host: 'x' } },
      { is: 'headerReserved', name: 'Host' },
    ),
    refused('putEndpoint', { ...server, headers: { Authorization: 'x' } }, 'headerAuthorization'),
    refused('putEndpoint', { ...server, query: { mode: 'x' } }, 'queryMode'),
    refused('putEndpoint', { ...server, query: { mode: null } }, 'valueMissing'),
    refused('putEndpoint', { ...server, fingerprint: 'AA' }, 'fingerprintForm'),
    refused('removeEndpoint', embedded, 'demonstrationStays'),
    refused('setToken', { id: 'gone', token: 'x' }, 'serverGone'),
    refused('setToken', { ...embedded, token: 'x' }, 'demonstrationStays'),
    refused('importVoice', { name: 'x', wav: new Uint8Array(5) }, 'notWav'),
    refused('importVoice', { name: 'x', wav: wav(5) }, 'voiceUnheard'),
    refused(
      'importVoice',
      { name: 'x', wav: wav(121) },
      { is: 'soundLong', seconds: 121, most: 120 },
    ),
    refused('renameVoice', { id: 'gone', name: '' }, 'voiceNameless'),
    refused('renameVoice', { id: 'gone', name: 'x' }, 'voiceGone'),
    refused('renameVoice', { id: 'gone', name: 'x'.repeat(80) }, { is: 'voiceNameLong', most: 60 }),
    refused('previewVoice', { id: 'gone' }, 'voiceGone'),
    refused('saveRecordedVoice', undefined, 'notRecording'),
    refused('sendChat', { parts: [{ type: 'text', text: ' ' }] }, 'nothingToSend'),
    refused('sendChat', { parts: [{ type: 'image', media: '0' }] }, 'mediaLost'),
    refused('sendChat', { parts: [{ type: 'text', text: 'x' }], chat: '0' }, 'chatElsewhere'),
    refused('retryChat', { turn: '0' }, 'messageGone'),
    refused('playChat', { turn: '0' }, 'messageGone'),
    refused('chooseChatBranch', { branch: '0' }, 'beforeGone'),
    refused('openChat', { id: '0' }, 'chatGone'),
    refused('renameChat', { id: '0', title: 'x' }, 'chatGone'),
    refused('chatMedia', { media: '0' }, 'mediaGone'),
    refused('attachClip', undefined, 'notRecording'),
    refused(
      'attachFile',
      { name: 'a', file: latin(`ID3${' '.repeat(20)}`) },
      { is: 'otherSound', kind: 'MP3' },
    ),
    refused(
      'attachFile',
      { name: 'a', file: wav(301) },
      { is: 'soundLong', seconds: 301, most: 300 },
    ),
    refused('setChatOptions', { ...defaultChatOptions, voice: 'gone' }, 'voiceGone'),
    refused('endTalk', undefined, 'noTalk'),
    refused('showMini', undefined, 'noWindows'),
  ])('$name: $why', async ({ name, input, why }) => {
    const reply = await open().answer(name, input);
    expect(whyOf(reply)).toEqual(why);
    expectChinese(sayWhy(chinese, whyOf(reply), 'English'));
  });

  it('also what is no request at all', async () => {
    const reply = await open().answer('sendChat', { parts: 3 });
    expect(whyOf(reply)).toBe('notUnderstood');
  });
});

it('a token that is gone is told by its code where a talk begins, and where its server is tried', async () => {
  const folder = workFolder()('state');
  const { answer, ask } = open(folder);
  const { id } = await ask('putEndpoint', server);
  await ask('setToken', { id, token: 'tok-123456789' });
  await ask('changeSettings', { endpoints: { chosen: id } });
  rmSync(join(folder, 'tokens.json'));
  const why: Why = { is: 'tokenGone', name: 'Home' };
  expect(whyOf(await answer('startTalk', { mode: 'audio' }))).toEqual(why);
  const verdict = await ask('testEndpoint', { server: { id }, mode: 'audio' });
  expect(verdict).toMatchObject({ ok: false, because: why });
});

it('the verdict of a server’s test is in the page’s language, the server’s words behind it', async () => {
  const { ask, sockets, settle } = open();
  const asked = ask('testEndpoint', { server, mode: 'audio' });
  await settle();
  sockets.line.end({ kind: 'closed', code: 1013, reason: 'come back at noon' });
  const verdict = await asked;
  if (verdict.ok) throw new Error('it was no refusal');
  expect(sayVerdict(chinese, verdict)).toBe(
    '服务器现在太忙（1013）。请一分钟后再试。服务器说明：come back at noon',
  );
});

it('settings that could not be read are told by codes, with where they are kept', async () => {
  const folder = workFolder()('state');
  mkdirSync(folder);
  writeFileSync(join(folder, 'settings.json'), '{');
  const { problems } = await open(folder).ask('settings', undefined);
  const path = join(folder, 'settings.damaged-1.json');
  expect(problems.map(({ why }) => why)).toEqual([['settingsUnread', { is: 'putAside', path }]]);
});

it('an answer that did not come says why in the page’s language, also after a restart', async () => {
  const folder = workFolder()('state');
  const { ask, sockets, settle, told, lifetime } = open(folder);
  await ask('changeSettings', { privacy: { keepChats: true } });
  await ask('sendChat', { parts: [{ type: 'text', text: 'Hello?' }] });
  await settle();
  const why: Why = { is: 'nothingListens', server: 'home:8006' };
  sockets.line.end({ kind: 'unreachable', problem: 'Nothing listens.', why });
  await settle();
  const failed = {
    kind: 'failed',
    problem: 'Nothing listens.',
    facts: { reason: 'unreachable', why },
  };
  const states = told('chatPatch').flatMap((patch) =>
    patch.kind === 'answer' ? [patch.state] : [],
  );
  expect(states).toEqual([failed]);
  await lifetime.end();
  const later = open(folder);
  const { list } = await later.ask('chat', undefined);
  // The dice are the same: the one that is open has the same id.
  await later.ask('beginChat', undefined);
  for (const { id } of list) await later.ask('openChat', { id });
  const { conversation } = await later.ask('chat', undefined);
  expect(conversation.turns[1]).toMatchObject({ state: failed });
});

function whyOf(reply: Reply<unknown>): Why | undefined {
  return reply.ok ? undefined : reply.error.why;
}

function expectChinese(said: string): void {
  expect(said).toMatch(/\p{Script=Han}/u);
  expect(said).not.toMatch(/\{\{|English/);
}
