import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../renderer/app/app-context.ts';
import { initialChatUiState } from '../../../../renderer/chat/chat-ui-state.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';
import { conversationOf } from '../../../gallery/sample-chat.ts';

const conversation = conversationOf([]);
const chat = {
  conversation,
  options: initialChatUiState.options,
  list: [],
  line: { phase: 'idle' },
};

function createApp(works = true) {
  const bridge = fakeBridge({ works, values: { chat } });
  const app = createAppContext({
    bridge: bridge.bridge,
    capture: fakeCapture().capture,
    now: () => 0,
  });
  return { ...bridge, ...app };
}

describe('text typed during a talk', () => {
  it('goes into one new written conversation', async () => {
    const { actions, asked } = createApp();
    await actions.typing.send('How is it spelled?');
    await actions.typing.send('And in French?');
    const done = asked.filter(({ name }) => name === 'beginChat' || name === 'sendChat');
    const sent = (text: string) => ({
      name: 'sendChat',
      input: { parts: [{ type: 'text', text }], chat: conversation.id },
    });
    expect(done).toEqual([
      { name: 'beginChat', input: { unkept: false } },
      sent('How is it spelled?'),
      sent('And in French?'),
    ]);
  });

  it('is not stored during an incognito talk', async () => {
    const { actions, asked, store } = createApp();
    store.setState({ keeping: { incognito: true, talk: { kind: 'incognito' } } });
    await actions.typing.send('A secret');
    expect(asked).toContainEqual({ name: 'beginChat', input: { unkept: true } });
  });

  it('shows why it was not sent', async () => {
    const { actions, store, notice } = createApp(false);
    actions.typing.setOpen(true);
    expect(await actions.typing.send('Hello')).toBe(false);
    expect(store.getState().typing).toMatchObject({ open: true, error: { code: 'noTalk' } });
    notice({ name: 'talkBegan', payload: { mode: 'audio', endpoint: 'Demonstration' } });
    expect(store.getState().typing).toEqual({ open: false, chat: undefined, error: undefined });
  });
});
