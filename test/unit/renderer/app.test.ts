import { beforeEach, describe, expect, it, vi } from 'vitest';
import { applyNotice, applyTalkSnapshot } from '../../../renderer/app/apply-notice.ts';
import {
  computerPace,
  initialUiState,
  isAnswerBehindTalk,
  stageState,
} from '../../../renderer/app/ui-state.ts';
import { afterTurnRemoval } from '../../../renderer/chat/chat-actions.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { Notice } from '../../../shared/ipc/contract.ts';
import { computerProfile } from '../../../shared/settings/connection-settings.ts';
import { type TalkLimits, type TalkState, idleTalkView } from '../../../shared/talk/talk-view.ts';
import { deferred, flushPromises } from '../../fakes/promises.ts';
import { openApp } from './open-app.ts';

async function open(core: Parameters<typeof openApp>[0] = {}) {
  let time = 0;
  const app = openApp(core, { now: () => time });
  await flushPromises();
  return {
    ...app,
    setTime: (now: number) => {
      time = now;
    },
  };
}

const libvipsLoads: Notice = {
  name: 'libraryChecked',
  payload: { library: 'libvips', milliseconds: 1, state: 'loads', detail: 'x' },
};

describe('the store over the bridge', () => {
  it('requests the initial state on connect and stores it', async () => {
    const { names, notice, store, about } = await open();
    notice(libvipsLoads);
    expect(names()).toEqual(['about', 'settings', 'talk']);
    expect(store.getState()).toMatchObject({
      about,
      libraries: { portaudio: { state: 'unasked' }, libvips: { state: 'loads', detail: 'x' } },
      problem: undefined,
    });
  });

  it('requests the state of the model on this computer if the talk uses that model', async () => {
    const talk = { ...idleTalkView, talk: { mode: 'video', endpoint: computerProfile.name } };
    const pace = { medianMs: 500, p90Ms: 800, verdict: 'fewPictures' };
    const localModel = { files: { kind: 'unknown' }, server: { kind: 'ready', pace } };
    const { store } = await open({ values: { talk, localModel } });
    expect(computerPace(store.getState())).toEqual(pace);
  });

  it('adds the token count to the matching frame only', async () => {
    const { notice, store } = await open();
    const facts = { at: 5, bytes: 9, width: 4, height: 3, slices: 4, tokens: 192 };
    notice({ name: 'frameSent', payload: { facts, jpeg: new Uint8Array(1) } });
    notice({ name: 'frameCounted', payload: { at: 4, tokens: 1, slices: 1 } });
    expect(store.getState().sentFrame?.facts).toEqual(facts);
    notice({ name: 'frameCounted', payload: { at: 5, tokens: 130, slices: 2 } });
    const counted = { ...facts, tokens: 130, slices: 2, counted: true };
    expect(store.getState().sentFrame?.facts).toEqual(counted);
  });

  it('stores the error of a failed request', async () => {
    const { store, actions } = await open({ works: false });
    expect(store.getState().problem).toEqual(appError('noTalk'));
    await actions.checkLibraries();
    expect(store.getState()).toMatchObject({
      problem: appError('noTalk'),
      libraries: { portaudio: { state: 'unknown' }, libvips: { state: 'unknown' } },
    });
  });

  it('requests the state again only after a reconnect', async () => {
    const { names, connection } = await open();
    connection('lost');
    expect(names()).toHaveLength(3);
    connection('connected');
    await flushPromises();
    expect(names()).toHaveLength(6);
  });

  it('discards the library check after a reconnect, because the core may be a new one', async () => {
    const { notice, connection, store } = await open();
    notice(libvipsLoads);
    connection('lost');
    expect(store.getState().libraries.libvips.state).toBe('loads');
    connection('connected');
    const unasked = { portaudio: { state: 'unasked' }, libvips: { state: 'unasked' } };
    expect(store.getState().libraries).toEqual(unasked);
  });

  it('appends a caption without replacing earlier turns', async () => {
    const { notice, store } = await open();
    notice({ name: 'caption', payload: { turn: 1, added: 'One.', heard: 4, settled: true } });
    notice({ name: 'caption', payload: { turn: 2, added: 'Tw' } });
    const [first] = store.getState().captions;
    notice({ name: 'caption', payload: { turn: 2, added: 'o.', heard: 1 } });
    expect(store.getState().captions).toMatchObject([
      { text: 'One.', settled: true },
      { text: 'Two.', heard: 1 },
    ]);
    expect(store.getState().captions[0]).toBe(first);
  });

  it('clears the last talk only when a new one begins', async () => {
    const { notice, store } = await open();
    const facts = { mode: 'audio', endpoint: 'Here' } as const;
    notice({ name: 'talkBegan', payload: facts });
    notice({ name: 'caption', payload: { turn: 1, added: 'Said.' } });
    notice({ name: 'talkTrouble', payload: appError('eventUnreadable') });
    notice({
      name: 'talkBegan',
      payload: { ...facts, session: { id: '1', dialect: 'unified' } },
    });
    expect(store.getState()).toMatchObject({
      captions: [{ text: 'Said.' }],
      talkErrors: [{ code: 'eventUnreadable' }],
    });
    notice({ name: 'talkBegan', payload: facts });
    expect(store.getState()).toMatchObject({ captions: [], talkErrors: [] });
  });

  it('marks that the user speaks, after the captions that came earlier in the same batch', async () => {
    const ticks: (() => void)[] = [];
    const pace = { nextFrame: () => undefined, nextTick: (run: () => void) => ticks.push(run) };
    const { notice, store } = openApp({}, { pace });
    await flushPromises();
    notice({ name: 'caption', payload: { turn: 1, added: 'One.' } });
    notice({ name: 'caption', payload: { turn: 2, added: 'Two' } });
    notice({ name: 'floor', payload: 'both' });
    for (const run of ticks) run();
    expect(store.getState().spoken.speaking).toMatchObject({ after: 2 });
  });

  it('stores the echo state and notifies only of changes', async () => {
    const { notice, store } = await open();
    let count = 0;
    store.subscribe(() => {
      count += 1;
    });
    const step = { buffer: undefined, echo: 'heard', latest: {} } as const;
    notice({ name: 'talkStep', payload: step });
    notice({ name: 'talkStep', payload: step });
    expect(store.getState().echo).toBe('heard');
    expect(count).toBe(1);
    notice({ name: 'talkStep', payload: { buffer: undefined, latest: {} } });
    expect(store.getState().echo).toBeUndefined();
  });

  it('stores the time of a limit and clears a warning when a new session is live', async () => {
    const { notice, store, setTime } = await open();
    const limits = { seconds: 20, tokens: undefined, tokenSeconds: undefined, pruning: false };
    setTime(700);
    notice({ name: 'talkLimits', payload: limits });
    notice({
      name: 'talkWarning',
      payload: { limit: 'time', threshold: 60, secondsLeft: 20 },
    });
    expect(store.getState()).toMatchObject({ limits: { at: 700 }, warning: { secondsLeft: 20 } });
    notice({ name: 'talkState', payload: { phase: 'live' } });
    expect(store.getState().warning).toBeUndefined();
  });

  it('stores when a talk went live, until the talk ends', async () => {
    const { notice, store, setTime } = await open();
    const since = (): unknown => store.getState().liveSince;
    setTime(700);
    notice({ name: 'talkState', payload: { phase: 'live' } });
    setTime(900);
    for (const phase of ['connecting', 'live'] as const)
      notice({ name: 'talkState', payload: { phase } });
    expect(since()).toBe(700);
    notice({ name: 'talkState', payload: ended });
    expect(since()).toBeUndefined();
  });

  it('shows that the server only listens until it answers or a new talk begins', async () => {
    const { notice, store, actions } = await open();
    const note = { spokenSeconds: 9, steps: 14, settings: ['lengthPenalty'] } as const;
    const shown = () => store.getState().onlyListening;
    notice({ name: 'talkOnlyListens', payload: note });
    notice({ name: 'talkState', payload: { phase: 'live' } });
    expect(shown()).toEqual(note);
    notice({ name: 'caption', payload: { turn: 1, added: 'Yes', heard: 0 } });
    expect(shown()).toBeUndefined();
    notice({ name: 'talkOnlyListens', payload: note });
    notice({ name: 'talkBegan', payload: { mode: 'audio', endpoint: 'Studio' } });
    expect(shown()).toBeUndefined();
    notice({ name: 'talkOnlyListens', payload: note });
    actions.dismissOnlyListening();
    expect(shown()).toBeUndefined();
  });

  it('starts one talk for repeated clicks, and opens the camera for a video talk', async () => {
    const { actions, asked, calls } = await open();
    const before = asked.length;
    await Promise.all([actions.start('video'), actions.start('video')]);
    expect(asked.slice(before)).toEqual([{ name: 'startTalk', input: { mode: 'video' } }]);
    expect(calls).toEqual(['continue', 'open']);
  });
});

const ended: TalkState = {
  phase: 'ended',
  ending: { error: appError('endedByPerson'), by: 'client', orderly: true },
  offer: 'none',
};

it('an answer waits for a talk that has the server, not for one in the queue', () => {
  const chat = { ...initialUiState.chat, connection: { phase: 'queued' } } as const;
  const isBehind = (value: TalkState): boolean =>
    isAnswerBehindTalk({ ...initialUiState, chat, talkState: { value, at: 0 } });
  expect(isBehind({ phase: 'live' })).toBe(true);
  expect(isBehind({ phase: 'queued', position: 1, length: 2, etaSeconds: 9 })).toBe(false);
  expect(isBehind({ phase: 'idle' })).toBe(false);
});

describe('an ended talk', () => {
  it('is replaced by the start view after dismissal, until the next talk', async () => {
    const { notice, store, actions } = openApp();
    await flushPromises();
    const shown = () => stageState(store.getState()).phase;
    notice({ name: 'talkState', payload: ended });
    expect(shown()).toBe('ended');
    actions.dismissEnded();
    expect(shown()).toBe('idle');
    // Posted again, for example after a reconnect.
    notice({ name: 'talkState', payload: ended });
    expect(shown()).toBe('idle');
    notice({ name: 'talkState', payload: { phase: 'connecting' } });
    expect(shown()).toBe('connecting');
    notice({ name: 'talkState', payload: ended });
    expect(shown()).toBe('ended');
  });
});

it('a talk that waits for the model on this computer shows as connecting, not as queued', () => {
  const queued = { phase: 'queued', position: 1, length: 1, etaSeconds: undefined } as const;
  const state = {
    ...initialUiState,
    talkState: { value: queued, at: 0 },
    facts: { mode: 'audio', endpoint: computerProfile.name } as const,
  };
  expect(stageState(state).phase).toBe('connecting');
  const elsewhere = { ...state, facts: { mode: 'audio', endpoint: 'studio' } as const };
  expect(stageState(elsewhere).phase).toBe('queued');
});

const warning = { limit: 'time', threshold: 15, secondsLeft: 15 } as const;

it.each<readonly [string, Partial<TalkLimits>, boolean]>([
  ['stays while less is left', { seconds: 12 }, true],
  ['stays if the context ends the session sooner', { seconds: 300, tokenSeconds: 9 }, true],
  ['disappears if another session has more time', { seconds: 300 }, false],
  ['disappears if the next session announces no limit', {}, false],
])('a time limit warning %s', (_what, left, stays) => {
  const known = { seconds: undefined, tokens: undefined, tokenSeconds: undefined, pruning: false };
  const payload = { ...known, ...left };
  const change = applyNotice({ ...initialUiState, warning }, { name: 'talkLimits', payload }, 5);
  expect({ warning, ...change }.warning).toEqual(stays ? warning : undefined);
  expect(change.limits).toEqual({ value: payload, at: 5 });
});

it('the time in which the user speaks goes on in a page that opens meanwhile', () => {
  const spoken = [{ at: 90_000, seconds: 2, after: undefined }];
  const snapshot = applyTalkSnapshot({ ...idleTalkView, floor: 'you', spoken }, 1000);
  const page = { ...initialUiState, ...snapshot };
  const change = applyNotice(page, { name: 'floor', payload: 'nobody' }, 4000);
  expect(change.spoken?.turns).toMatchObject([{ seconds: 5 }]);
});

it('measures what is kept when the list is complete, then once in ten seconds however often it changes', async () => {
  vi.useFakeTimers();
  const values = { history: { entries: [], total: 0, complete: false } };
  const { actions, inputs, store } = openApp({ values });
  store.setState({ screen: 'history' });
  await actions.history.refresh();
  expect(inputs('historySizes'), 'while the list is incomplete').toEqual([]);
  values.history.complete = true;
  const counts: number[] = [];
  const changeFor = async (seconds: number) => {
    for (let times = 0; times < seconds * 2; times += 1) {
      void actions.history.refresh();
      await vi.advanceTimersByTimeAsync(500);
    }
    counts.push(inputs('historySizes').length);
  };
  await changeFor(1);
  await changeFor(28);
  await vi.advanceTimersByTimeAsync(60_000);
  await changeFor(0);
  expect(counts).toEqual([1, 3, 4]);
});

describe('a removed entry', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  async function openRemoval() {
    const exportFile = { kind: 'cancelled' };
    const values = { exportOffer: { formats: ['md'], ffmpeg: false }, exportFile };
    const { asked, store, actions } = openApp({ values });
    await vi.advanceTimersByTimeAsync(0);
    asked.length = 0;
    const gone: string[] = [];
    const remove = (key: string, more = {}) => {
      actions.removal.remove({
        keys: [key],
        message: `${key} was deleted.`,
        remove: () => gone.push(key),
        ...more,
      });
    };
    return { actions, asked, gone, remove, removed: () => store.getState().removed };
  }

  it('is deleted after ten seconds', async () => {
    const { gone, remove, removed } = await openRemoval();
    remove('turn 1');
    expect(removed()).toEqual({ keys: new Set(['turn 1']), message: 'turn 1 was deleted.' });
    await vi.advanceTimersByTimeAsync(9_900);
    expect(gone).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(gone).toEqual(['turn 1']);
    expect(removed()).toBeUndefined();
  });

  it('waits while the bar with Undo has the pointer or the focus, and ten seconds more', async () => {
    const { actions, gone, remove } = await openRemoval();
    remove('turn 1');
    await vi.advanceTimersByTimeAsync(9_000);
    actions.removal.hold();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(gone).toEqual([]);
    actions.removal.resume();
    await vi.advanceTimersByTimeAsync(9_900);
    expect(gone).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(gone).toEqual(['turn 1']);
  });

  it('is restored by Undo, as is the window state', async () => {
    const { actions, gone, remove, removed } = await openRemoval();
    const restore = vi.fn();
    remove('talk 1', { restore });
    actions.removal.undo();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(gone).toEqual([]);
    expect(restore).toHaveBeenCalledOnce();
    expect(removed()).toBeUndefined();
  });

  it('stays hidden, without Undo, while it is being deleted', async () => {
    const { remove, removed } = await openRemoval();
    const deletion = deferred();
    remove('talk 1', { remove: () => deletion.promise });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(removed()).toEqual({ keys: new Set(['talk 1']), message: undefined });
    deletion.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(removed()).toBeUndefined();
  });

  it('stays hidden while it is being deleted, even if another entry is removed and restored', async () => {
    const { actions, remove, removed } = await openRemoval();
    const deletion = deferred();
    remove('talk 1', { remove: () => deletion.promise });
    await vi.advanceTimersByTimeAsync(10_000);
    remove('talk 2');
    expect(removed()?.keys).toEqual(new Set(['talk 1', 'talk 2']));
    actions.removal.undo();
    expect(removed()).toEqual({ keys: new Set(['talk 1']), message: undefined });
    deletion.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(removed()).toBeUndefined();
  });

  it('is deleted when another entry is removed', async () => {
    const { gone, remove, removed } = await openRemoval();
    remove('talk 1');
    remove('talk 2');
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toEqual(['talk 1']);
    expect(removed()?.message).toBe('talk 2 was deleted.');
  });

  it('is deleted before a request that depends on it', async () => {
    const { actions, asked, remove, gone } = await openRemoval();
    const order: string[] = [];
    remove('turn 1', {
      completeBefore: ['sendChat', 'openChat'],
      remove: () => order.push('removed'),
    });
    await actions.chat.rename('chat-1', 'Verbs');
    expect(order).toEqual([]);
    const opened = actions.chat.open('chat-2');
    order.push(...asked.filter(({ name }) => name === 'openChat').map(({ name }) => name));
    await opened;
    expect(order).toEqual(['removed', 'openChat']);
    actions.removal.undo();
    expect(gone).toEqual([]);
  });

  it('of a chat is deleted before the chat is exported', async () => {
    const { actions, asked, remove } = await openRemoval();
    remove('turn 1', {
      completeBefore: afterTurnRemoval,
      remove: () => actions.chat.removeTurn('chat-1', '1'),
    });
    await actions.exporting.open({ kind: 'chat', id: 'chat-1' }, 'Verbs');
    void actions.exporting.save('en');
    const names = asked.map(({ name }) => name);
    expect(names.slice(1)).toEqual(['removeChatTurn', 'exportFile']);
  });
});
