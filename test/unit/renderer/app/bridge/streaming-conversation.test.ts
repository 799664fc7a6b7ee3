import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createRequestDispatcher,
  NoticeBoard,
} from '../../../../../electron/app/ipc/request-dispatcher.ts';
import { createAppContext } from '../../../../../renderer/app/app-context.ts';
import type { Bridge } from '../../../../../renderer/app/bridge/ordered-bridge.ts';
import type { ChatView } from '../../../../../shared/chat/chat-thread.ts';
import type { Handlers, RequestName } from '../../../../../shared/ipc/contract.ts';
import { chatSettings } from '../../../../../shared/settings/assistant-settings.ts';
import { fakeCapture } from '../../../../fakes/fake-bridge.ts';
import { idleTalkHandlers, refusingHandlers } from '../../../../fakes/fake-handlers.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';

/** The defaults, with the server's voice. */
const ownVoice = { ...chatSettings.initial, voice: 'none' };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const unexpectedCall = (): never => {
  throw new Error('This test expects no call but for the conversation.');
};

/** A core with an answer that grows every 5 ms, over a connection with far slower replies. */
function streamingCore(replyMs: number) {
  const notices = new NoticeBoard();
  const asked: RequestName[] = [];
  let text = '';
  const view = (): ChatView => ({
    conversation: {
      id: 'c',
      title: '',
      createdAt: 0,
      updatedAt: 0,
      pinned: false,
      turns: [
        { role: 'assistant', id: 'a', at: 0, text, state: { kind: 'streaming' }, speechSeconds: 0 },
      ],
      branches: [],
    },
    options: ownVoice,
    list: [],
  });
  const grow = (): void => {
    const patch = { kind: 'text', turn: 'a', from: text.length, text: `${text.length} ` } as const;
    text += patch.text;
    notices.post('chatPatch', patch);
  };
  const handlers: Handlers = {
    ...idleTalkHandlers,
    ...refusingHandlers,
    about: unexpectedCall,
    checkLibraries: unexpectedCall,
    setCapturePermission: unexpectedCall,
    setVisionOptions: unexpectedCall,
    pushFrame: unexpectedCall,
    shareables: unexpectedCall,
    chat: async () => {
      await wait(replyMs);
      const made = notices.stamp(view());
      // The reply is under way when the next notices are posted.
      grow();
      await wait(replyMs);
      return made;
    },
  };
  const answer = createRequestDispatcher(handlers, new FakeLog(), notices);
  const bridge: Bridge = {
    request: (async (name: RequestName, input: unknown) => {
      asked.push(name);
      return answer(name, input);
    }) as Bridge['request'],
    onNotice: (hear) => {
      notices.listen(hear);
    },
    onConnection: () => undefined,
  };
  return { bridge, grow, text: () => text, fetches: () => asked.filter((name) => name === 'chat') };
}

it('one request opens a conversation that changes every 5 ms', async () => {
  const core = streamingCore(60);
  const { store, actions } = createAppContext({
    bridge: core.bridge,
    capture: fakeCapture().capture,
    now: () => 0,
  });
  const shown = () => store.getState().chat.conversation?.turns[0];
  const opening = actions.chat.read();
  const growing = setInterval(core.grow, 5);
  try {
    await vi.advanceTimersByTimeAsync(200);
    await opening;
    expect(shown()).toMatchObject({ text: core.text() });
    expect(core.fetches()).toHaveLength(1);
    // After a short disconnect, the page updates its older copy the same way.
    const again = actions.chat.read();
    await vi.advanceTimersByTimeAsync(200);
    await again;
  } finally {
    clearInterval(growing);
  }
  expect(shown()).toMatchObject({ text: core.text() });
  expect(core.text().length).toBeGreaterThan(40);
  expect(core.fetches()).toHaveLength(2);
});
