import { describe, expect, it, vi } from 'vitest';
import { NotificationPolicy } from '../../../../../../electron/hosts/desktop/integration/notifications.ts';
import type { ChatAnswerState } from '../../../../../../shared/chat/chat-thread.ts';
import { appError } from '../../../../../../shared/errors/app-error.ts';
import type { Notice } from '../../../../../../shared/ipc/contract.ts';
import type { ModelFilesState } from '../../../../../../shared/model/local-model.ts';
import type { TalkEnding, TalkState } from '../../../../../../shared/talk/talk-state.ts';

vi.mock('electron', () => import('../../../../../fakes/fake-electron.ts'));

const state = (payload: TalkState): Notice => ({ name: 'talkState', payload });
const queued = state({ phase: 'queued', position: 2, length: 3, etaSeconds: 9 });
const connecting = state({ phase: 'connecting' });
const live = state({ phase: 'live' });
const ended = (by: TalkEnding['by'], orderly = false): Notice =>
  state({
    phase: 'ended',
    ending: { error: appError('noTalk'), by, orderly },
    offer: 'continue',
  });
const warning = (limit: 'time' | 'context', threshold: 60 | 15): Notice => ({
  name: 'talkWarning',
  payload: { limit, threshold, secondsLeft: threshold },
});
const answer = (of: ChatAnswerState): Notice => ({
  name: 'chatPatch',
  payload: { kind: 'answer', turn: 'turn-1', state: of },
});

const files = (state: ModelFilesState): Notice => ({
  name: 'modelChanged',
  payload: {
    hardware: undefined,
    program: undefined,
    files: state,
    server: { kind: 'stopped' },
  },
});

const subjectsFor = (...notices: readonly Notice[]) =>
  notices.map(new NotificationPolicy().subjectFor);

describe('a notification', () => {
  it('reports that a queued talk begins, but not a talk that begins at once', () => {
    expect(subjectsFor(queued, live)).toEqual([undefined, 'turn']);
    expect(subjectsFor(connecting, live)).toEqual([undefined, undefined]);
  });

  it('reports a lost talk or place in the queue once, but no end by the user and no failed connection', () => {
    expect(subjectsFor(live, ended('network')).at(-1)).toBe('lost');
    expect(subjectsFor(live, ended('server')).at(-1)).toBe('lost');
    expect(subjectsFor(live, ended('client')).at(-1)).toBeUndefined();
    expect(subjectsFor(queued, ended('server')).at(-1)).toBe('lost');
    expect(subjectsFor(live, connecting, ended('network')).at(-1)).toBe('lost');
    expect(subjectsFor(ended('network'))).toEqual([undefined]);
    expect(subjectsFor(connecting, ended('network'))).toEqual([undefined, undefined]);
    expect(subjectsFor(live, ended('client'), connecting, ended('network')).at(-1)).toBeUndefined();
    expect(subjectsFor(live, ended('network'), ended('network')).at(-1)).toBeUndefined();
  });

  it('reports a time limit as an ending, not as a loss', () => {
    expect(subjectsFor(live, ended('server', true)).at(-1)).toBe('over');
    expect(subjectsFor(live, ended('client', true)).at(-1)).toBeUndefined();
    expect(subjectsFor(connecting, ended('server', true)).at(-1)).toBeUndefined();
  });

  it('warns once of a limit', () => {
    expect(subjectsFor(warning('time', 60), warning('time', 15), warning('context', 60))).toEqual([
      'time',
      undefined,
      'context',
    ]);
  });

  it('reports the end of a download, but no pause and no check of files that were not downloaded', () => {
    const sizes = { bytes: 1, totalBytes: 2 };
    const downloading = files({
      ...sizes,
      kind: 'downloading',
      file: 1,
      files: 10,
      bytesPerSecond: 0,
      secondsLeft: undefined,
      mirror: 'mirror.example',
    });
    const missing = files({ ...sizes, kind: 'missing' });
    const ready = files({ kind: 'ready', folder: '/model', totalBytes: 2, isForeign: false });
    const failed = files({ kind: 'failed', error: appError('noTalk'), bytes: 1 });
    expect(subjectsFor(downloading, downloading, ready, ready)).toEqual([
      undefined,
      undefined,
      'modelReady',
      undefined,
    ]);
    expect(subjectsFor(downloading, failed).at(-1)).toBe('modelFailed');
    expect(subjectsFor(downloading, missing, ready).at(-1)).toBeUndefined();
    expect(subjectsFor(files({ ...sizes, kind: 'verifying' }), failed).at(-1)).toBeUndefined();
  });

  it('reports an answer or its failure, unless the user stopped it', () => {
    const kinds: readonly ChatAnswerState[] = [
      { kind: 'streaming' },
      { kind: 'done', cutShort: false },
      { kind: 'stopped' },
      { kind: 'failed', error: appError('noTalk') },
    ];
    expect(subjectsFor(...kinds.map(answer))).toEqual([undefined, 'answer', undefined, 'noAnswer']);
  });
});
