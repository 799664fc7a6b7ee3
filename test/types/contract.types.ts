// The `types test` gate compiles this file, and nothing runs it: each line below an expectation must not compile.
// An expectation whose line compiles is an error.
import type { NoticeBoard } from '../../electron/app/ipc/request-dispatcher.ts';
import type { Bridge } from '../../renderer/app/bridge/ordered-bridge.ts';
import type { ErrorCode } from '../../shared/errors/app-error.ts';
import type { Handlers, Notice, RequestValue } from '../../shared/ipc/contract.ts';
import { defaultVisionOptions } from '../../shared/vision/vision-options.ts';
import { refusingHandlers, idleTalkHandlers } from '../fakes/fake-handlers.ts';

export async function requests(bridge: Bridge): Promise<void> {
  const about = await bridge.request('about', undefined);
  const libraries = await bridge.request('checkLibraries', { libraries: ['libvips', 'portaudio'] });
  if (about.ok) about.value.version satisfies string;
  if (libraries.ok) libraries.value.checking satisfies number;
  if (!libraries.ok) libraries.error.code satisfies ErrorCode;

  const seen = await bridge.request('pushFrame', { jpeg: new Uint8Array() });
  if (seen.ok)
    seen.value.outcome satisfies
      | 'taken'
      | 'early'
      | 'replaced'
      | 'unchanged'
      | 'overBudget'
      | 'notWanted'
      | 'refused';

  // @ts-expect-error a frame that is not bytes
  await bridge.request('pushFrame', { jpeg: 'base64' });
  // @ts-expect-error a permission that does not exist
  await bridge.request('setCapturePermission', { open: 'microphone' });
  // @ts-expect-error a region without its area
  await bridge.request('setVisionOptions', { ...defaultVisionOptions, source: { kind: 'region' } });
  // @ts-expect-error a request that the contract does not have
  await bridge.request('openTheSafe', undefined);
  // @ts-expect-error no input where one is needed
  await bridge.request('checkLibraries', undefined);
  // @ts-expect-error an input where there is none
  await bridge.request('about', { verbose: true });
  // @ts-expect-error a part that does not exist
  await bridge.request('checkLibraries', { libraries: ['kernel'] });
  // @ts-expect-error the value of an unchecked reply
  about.value satisfies unknown;
}

export function notices(board: NoticeBoard): void {
  board.post('libraryChecked', { library: 'libvips', milliseconds: 1, state: 'loads', detail: '' });

  const facts = { at: 0, bytes: 0, width: 1, height: 1, slices: 1, tokens: 64 };
  board.post('frameSent', { facts, jpeg: new Uint8Array() });

  // @ts-expect-error a frame without its bytes
  board.post('frameSent', { facts });
  // @ts-expect-error a notice that the contract does not have
  board.post('partExploded', {});
  // @ts-expect-error a failure without its reason
  board.post('libraryChecked', { library: 'libvips', milliseconds: 1, state: 'fails' });
  // @ts-expect-error a name without its payload
  ({ name: 'libraryChecked' }) satisfies Notice;
}

const about: RequestValue<'about'> = { name: '', version: '', host: 'desktop', runtime: [] };

export const complete: Handlers = {
  about: () => about,
  checkLibraries: () => ({ checking: 0 }),
  setCapturePermission: (permission) => permission,
  setVisionOptions: (settings) => settings,
  pushFrame: () => ({ outcome: 'taken' }),
  shareables: () => ({ offered: false, list: [] }),
  ...idleTalkHandlers,
  ...refusingHandlers,
};
// @ts-expect-error a handler is missing
export const incomplete: Handlers = { about: () => about };
// @ts-expect-error one handler too many
export const excessive: Handlers = { ...complete, openTheSafe: () => undefined };
export const mistaken: Handlers = {
  ...complete,
  // @ts-expect-error a handler that returns something else
  checkLibraries: () => ({ checking: 'two' }),
};
