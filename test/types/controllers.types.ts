// The `types test` gate compiles this file, and nothing runs it: each line below an expectation must not compile.
import type { NoticeBoard } from '../../electron/app/ipc/request-dispatcher.ts';
import type { Bridge } from '../../renderer/app/bridge/ordered-bridge.ts';
import { appError } from '../../shared/errors/app-error.ts';
import type { Handlers, Notice } from '../../shared/ipc/contract.ts';
import type { ProfileDraft } from '../../shared/settings/connection-settings.ts';

const draft: ProfileDraft = {
  name: 'Home',
  kind: 'local',
  url: 'ws://127.0.0.1:8006',
  dialect: 'auto',
  headers: { 'X-Key': null },
  query: {},
};

export async function settings(bridge: Bridge): Promise<void> {
  await bridge.request('changeSettings', { vision: { slices: 2 }, endpoints: { chosen: 'a' } });
  await bridge.request('testEndpoint', { server: { id: 'embedded' }, mode: 'audio' });
  const put = await bridge.request('putEndpoint', draft);
  if (put.ok) put.value.headers['X-Key'] satisfies string | null | undefined;

  // @ts-expect-error a group that does not exist
  await bridge.request('changeSettings', { secrets: {} });
  // @ts-expect-error a patch cannot change a server
  await bridge.request('changeSettings', { endpoints: { chosen: 'a', list: [] } });
  // @ts-expect-error a group that does not exist
  await bridge.request('resetSettings', { group: 'everything' });
  // @ts-expect-error the demonstration cannot be edited
  await bridge.request('putEndpoint', { ...draft, kind: 'embedded' });
  // @ts-expect-error a page cannot set whether a token is stored
  await bridge.request('putEndpoint', { ...draft, hasToken: true });
  // @ts-expect-error the token is missing
  await bridge.request('setToken', { id: 'a' });
  // @ts-expect-error a mode that does not exist
  await bridge.request('testEndpoint', { server: draft, mode: 'smell' });
}

export async function sound(bridge: Bridge): Promise<void> {
  const devices = await bridge.request('soundDevices', undefined);
  if (devices.ok) devices.value[0]?.defaultInput satisfies boolean | undefined;
  const tested = await bridge.request('testSound', undefined);
  // @ts-expect-error the latency may be undefined
  if (tested.ok) tested.value.latencyMs satisfies number;
  // @ts-expect-error on or off
  await bridge.request('meterMicrophone', {});
  // @ts-expect-error on or off
  await bridge.request('watchSoundDevices', undefined);
  // @ts-expect-error a voice by its path
  await bridge.request('importVoice', { name: 'Ann', path: '/tmp/ann.wav' });
  // @ts-expect-error a voice that is not bytes
  await bridge.request('importVoice', { name: 'Ann', wav: [1, 2, 3] });
}

export async function chat(bridge: Bridge): Promise<void> {
  await bridge.request('sendChat', { parts: [{ type: 'text', text: 'Hello' }] });
  const media = await bridge.request('chatMedia', { media: 'a' });
  if (media.ok) media.value.file satisfies Uint8Array;

  // @ts-expect-error a part that does not exist
  await bridge.request('sendChat', { parts: [{ type: 'film', media: 'a' }] });
  // @ts-expect-error a file by its path
  await bridge.request('attachFile', { name: 'a.png', path: '/tmp/a.png' });
  // @ts-expect-error a kind of data that is not stored
  await bridge.request('deleteStoredData', { kind: 'settings' });
  // @ts-expect-error on or off
  await bridge.request('watchWire', undefined);
}

export function notices(board: NoticeBoard): void {
  board.post('chatProblem', appError('chatsNotStored'));
  board.post('wire', { frames: [], missed: 0 });

  // @ts-expect-error a patch that does not exist
  board.post('chatPatch', { kind: 'exploded' });
  // @ts-expect-error a header's value that is neither text nor hidden
  board.post('settingsChanged', { endpoints: { chosen: 'a', list: [{ headers: { a: 1 } }] } });
  // @ts-expect-error a preview without a voice
  ({ name: 'voicePreview', payload: { playing: true } }) satisfies Notice;
}

export const handler: Handlers['recordClip'] = (_input, page) => {
  page.whenGone(() => undefined)();
  return undefined;
};
// @ts-expect-error an answer that is a list of something else
export const mistaken: Handlers['voices'] = () => ['Ann'];
