// The `types test` gate compiles this file, and nothing runs it: each line below an expectation must not compile.
// An expectation whose line compiles is an error.
import type { NoticeBoard } from '../../electron/app/ipc/request-dispatcher.ts';
import type {
  CommandArguments,
  CommandSpec,
} from '../../electron/hosts/terminal/options/command-spec.ts';
import type { Bridge } from '../../renderer/app/bridge/ordered-bridge.ts';
import {
  appError,
  type AppError,
  type ErrorCode,
  type ErrorTable,
  failure,
} from '../../shared/errors/app-error.ts';
import { englishErrors } from '../../shared/i18n/en/errors.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { Handlers, Notice } from '../../shared/ipc/contract.ts';
import type { ProfileDraft } from '../../shared/settings/connection-settings.ts';
import type { SettingsPatch } from '../../shared/settings/settings.ts';
import { refusingHandlers, idleTalkHandlers } from '../fakes/fake-handlers.ts';

declare const draft: ProfileDraft;

/** A request takes only its own input, and its value is read only after the answer is checked. */
export async function requests(bridge: Bridge): Promise<void> {
  const about = await bridge.request('about', undefined);
  const put = await bridge.request('putEndpoint', draft);
  if (about.ok) about.value.version satisfies string;
  if (put.ok) put.value.headers['X-Key'] satisfies string | null | undefined;
  if (!put.ok) put.error.code satisfies ErrorCode;
  await bridge.request('changeSettings', { vision: { slices: 2 }, endpoints: { chosen: 'a' } });

  // @ts-expect-error a request that the contract does not have
  await bridge.request('openTheSafe', undefined);
  // @ts-expect-error no input where one is needed
  await bridge.request('checkLibraries', undefined);
  // @ts-expect-error an input where there is none
  await bridge.request('about', { verbose: true });
  // @ts-expect-error the value of an unchecked reply
  about.value satisfies unknown;
  // @ts-expect-error a frame that is not bytes
  await bridge.request('pushFrame', { jpeg: 'base64' });
  // @ts-expect-error a permission that does not exist
  await bridge.request('setCapturePermission', { open: 'microphone' });
  // @ts-expect-error a voice by its path
  await bridge.request('importVoice', { name: 'Ann', path: '/tmp/ann.wav' });
  // @ts-expect-error a file by its path
  await bridge.request('attachFile', { name: 'a.png', path: '/tmp/a.png' });
  // @ts-expect-error a patch cannot change a server
  await bridge.request('changeSettings', { endpoints: { chosen: 'a', list: [] } });
  // @ts-expect-error a page cannot set whether a token is stored
  await bridge.request('putEndpoint', { ...draft, hasToken: true });
  // @ts-expect-error a kind of data that is not stored
  await bridge.request('deleteStoredData', { kind: 'settings' });
}

export function notices(board: NoticeBoard): void {
  board.post('wire', { frames: [], missed: 0 });

  // @ts-expect-error a notice that the contract does not have
  board.post('partExploded', {});
  // @ts-expect-error a failure without its reason
  board.post('libraryChecked', { library: 'libvips', milliseconds: 1, state: 'fails' });
  // @ts-expect-error a header's value that is neither text nor hidden
  board.post('settingsChanged', { endpoints: { chosen: 'a', list: [{ headers: { a: 1 } }] } });
  // @ts-expect-error a name without its payload
  ({ name: 'libraryChecked' }) satisfies Notice;
}

export const complete: Handlers = {
  about: () => ({ name: '', version: '', host: 'desktop', runtime: [] }),
  checkLibraries: () => ({ checking: 0 }),
  setCapturePermission: (permission) => permission,
  setVisionOptions: (settings) => settings,
  pushFrame: () => ({ outcome: 'taken' }),
  shareables: () => ({ offered: false, list: [] }),
  ...idleTalkHandlers,
  ...refusingHandlers,
};
// @ts-expect-error a handler is missing
export const incomplete: Handlers = { about: () => ({}) };
// @ts-expect-error one handler too many
export const excessive: Handlers = { ...complete, openTheSafe: () => undefined };
// @ts-expect-error an answer that is a list of something else
export const mistaken: Handlers['voices'] = () => ['Ann'];

/** An error must have every fact that its sentence uses. */
export function errors(): readonly AppError[] {
  failure('noTalk', {}, { detail: 'x', cause: appError('diskFull', { path: '/a' }) });

  // @ts-expect-error a missing fact
  appError('diskFull');
  // @ts-expect-error one of several facts is missing
  appError('tooMuch', { tokens: 3 });
  // @ts-expect-error a fact of another type
  appError('clipLong', { most: 'three' });
  // @ts-expect-error a fact that the sentence does not use
  appError('noTalk', { path: '/a' });
  // @ts-expect-error an unknown code
  failure('nothingAtAll');
  // @ts-expect-error a sentence instead of an error
  ({ ok: false, error: 'It did not work.' }) satisfies ReturnType<typeof failure>;
  // @ts-expect-error a code without its facts, written by hand
  ({ code: 'diskFull', facts: {} }) satisfies AppError;

  const error = appError('clipLong', { most: 3 });
  if (error.code === 'clipLong') error.facts.most satisfies number;
  const { noTalk: _left, ...others } = englishErrors.codes;
  // @ts-expect-error a language that lacks a sentence
  ({ ...englishErrors, codes: others }) satisfies ErrorTable;
  return [error];
}

declare const texts: CoreMessages;

const { coach: _coach, ...others } = texts.presets;
// @ts-expect-error a language that lacks a preset
export const fewer: CoreMessages['presets'] = others;
// @ts-expect-error a setting that does not exist
export const madeUp: SettingsPatch = { talking: { volume: 3 } };

const spec = {
  name: 'demo',
  summary: '',
  word: { name: 'on|off', about: { on: '', off: '' }, missing: '' },
  options: {
    mode: { value: 'M', choices: ['audio', 'video'], required: true, about: '' },
    dialect: { value: 'D', choices: ['auto', 'legacy'], about: '' },
    seconds: { value: 'N', range: { min: 0, max: 9 }, many: true, about: '' },
    mic: { value: 'NAME', alone: true, about: '' },
    size: { value: 'N', read: (text: string) => text.length, about: '' },
    json: { about: '' },
  },
} as const satisfies CommandSpec;

declare const parsed: CommandArguments<typeof spec>;

export const word: 'on' | 'off' = parsed.word;
export const mode: 'audio' | 'video' = parsed.options.mode;
export const seconds: readonly number[] = parsed.options.seconds;
export const mic: string | true | undefined = parsed.options.mic;
export const size: number | undefined = parsed.options.size;
export const json: boolean = parsed.options.json;
// @ts-expect-error the option may be undefined
export const dialect: 'auto' | 'legacy' = parsed.options.dialect;
// @ts-expect-error an option that the command does not have
export const url: unknown = parsed.options.url;
