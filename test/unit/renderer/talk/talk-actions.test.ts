import { describe, expect, it } from 'vitest';
import { initialChatUiState } from '../../../../renderer/chat/chat-ui-state.ts';
import { refusingServer } from '../../../../renderer/talk/talk-actions.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { conversationOf } from '../../../gallery/sample-chat.ts';
import { sampleSettings, severalServers } from '../../../gallery/sample-settings.ts';
import { openApp } from '../open-app.ts';

const hosted = severalServers.list.find(({ id }) => id === 'hosted');
const others = severalServers.list.filter((each) => each !== hosted);
const traits = { timeLimit: 90, config: { tone: 'calm', beam_width: 4 } };
const endpoints = {
  chosen: 'hosted',
  list: hosted === undefined ? others : [...others, { ...hosted, traits }],
};
const settings = { ...sampleSettings, endpoints };

function open(core: Parameters<typeof openApp>[0] = {}) {
  const app = openApp(core);
  app.store.setState({ settings, facts: { mode: 'audio', endpoint: hosted?.name ?? '' } });
  return app;
}

describe('a config field that the server refused', () => {
  it('is left out for this server before the talk restarts', async () => {
    const { actions, asked } = open();
    asked.length = 0;
    await actions.leaveOut('beam_width');
    expect(asked.map(({ name }) => name)).toEqual(['putEndpoint', 'startTalk']);
    const { hasToken: _hasToken, ...kept } = hosted ?? {};
    expect(asked[0]?.input).toEqual({
      ...kept,
      traits: { timeLimit: 90, config: { tone: 'calm', beam_width: null } },
    });
    expect(asked[1]?.input).toEqual({ mode: 'audio' });
  });

  it('is left out once despite several clicks', async () => {
    const { actions, names } = open({ refused: ['putEndpoint'] });
    await Promise.all([actions.leaveOut('beam_width'), actions.leaveOut('beam_width')]);
    expect(names().filter((name) => name === 'putEndpoint')).toHaveLength(1);
    expect(names()).not.toContain('startTalk');
  });

  it('is left out even if the talk ended before the reply to its start', async () => {
    const start = deferred();
    const { actions, names, notice } = open({ until: { startTalk: start.promise } });
    const first = actions.start('audio');
    const error = appError('fieldRefused', { field: 'beam_width', reason: 'backend_error' });
    const ending = { error, by: 'server', orderly: false } as const;
    const state = { phase: 'ended', ending, offer: 'checkEndpoint' } as const;
    notice({ name: 'talkState', payload: state });
    const second = actions.leaveOut('beam_width');
    const third = actions.leaveOut('beam_width');
    await Promise.resolve();
    start.resolve();
    await Promise.all([first, second, third]);
    expect(names().filter((name) => name === 'startTalk')).toHaveLength(2);
  });

  it('is not offered for the demonstration or after another server was chosen', () => {
    const serverFor = (chosen: string, endpoint: string) =>
      refusingServer({
        settings: { ...settings, endpoints: { ...endpoints, chosen } },
        facts: { mode: 'audio', endpoint },
      })?.id;
    expect(serverFor('hosted', 'MiniCPM-o, hosted')).toBe('hosted');
    expect(serverFor('home', 'MiniCPM-o, hosted')).toBeUndefined();
    expect(serverFor('embedded', 'Demonstration')).toBeUndefined();
  });
});

const conversation = conversationOf([]);
const chat = {
  conversation,
  options: initialChatUiState.options,
  list: [],
  line: { phase: 'idle' },
};

describe('text typed during a talk', () => {
  it('goes into one new written conversation', async () => {
    const { actions, asked } = openApp({ values: { chat } });
    await actions.typing.send('How is it spelled?');
    await actions.typing.send('And in French?');
    const done = asked.filter(({ name }) => name === 'beginChat' || name === 'sendChat');
    const sent = (text: string) => ({
      name: 'sendChat',
      input: { parts: [{ type: 'text', text }], chat: conversation.id },
    });
    expect(done).toEqual([
      { name: 'beginChat', input: { incognito: false } },
      sent('How is it spelled?'),
      sent('And in French?'),
    ]);
  });

  it('is not stored during an incognito talk', async () => {
    const { actions, asked, store } = openApp({ values: { chat } });
    store.setState({ storage: { incognito: true, talk: { kind: 'incognito' } } });
    await actions.typing.send('A secret');
    expect(asked).toContainEqual({ name: 'beginChat', input: { incognito: true } });
  });

  it('shows why it was not sent', async () => {
    const { actions, store, notice } = openApp({ works: false });
    actions.typing.setOpen(true);
    expect(await actions.typing.send('Hello')).toBe(false);
    expect(store.getState().typing).toMatchObject({ open: true, error: { code: 'noTalk' } });
    notice({ name: 'talkBegan', payload: { mode: 'audio', endpoint: 'Demonstration' } });
    expect(store.getState().typing).toEqual({ open: false, chat: undefined, error: undefined });
  });
});
