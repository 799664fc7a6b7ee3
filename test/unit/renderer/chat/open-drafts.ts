import { createAppContext } from '../../../../renderer/app/app-context.ts';
import { applyNotice } from '../../../../renderer/app/apply-notice.ts';
import type { Bridge } from '../../../../renderer/app/bridge/ordered-bridge.ts';
import { currentDraft } from '../../../../renderer/chat/chat-ui-state.ts';
import type { ChatPatch } from '../../../../shared/chat/chat-thread.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import type { RequestName } from '../../../../shared/ipc/contract.ts';
import { successReply } from '../../../fakes/success-reply.ts';
import { fakeCapture } from '../../../fakes/fake-bridge.ts';
import { answer, conversationOf, question } from '../../../gallery/sample-chat.ts';

/** The app's chat actions over a fake core that accepts every request except those in `refused`. */
export function openDrafts(refused: readonly RequestName[] = []) {
  const asked: { readonly name: RequestName; readonly input: unknown }[] = [];
  let media = 0;
  const bridge: Bridge = {
    request: (name, input) => {
      asked.push({ name, input });
      if (refused.includes(name)) return Promise.resolve(failure('noTalk'));
      const part = { type: 'image', media: `m${(media += 1)}` };
      return Promise.resolve(successReply((name === 'attachFile' ? { part } : undefined) as never));
    },
    onNotice: () => undefined,
    onConnection: () => undefined,
  };
  const app = createAppContext({ bridge, capture: fakeCapture().capture, now: () => 0 });
  const { store, actions } = app;
  const show = (id: string) => {
    const conversation = { ...conversationOf([question('q1', 'Hm'), answer('a1', 'Yes')]), id };
    const { title, updatedAt, pinned } = conversation;
    const list = [{ id, title, updatedAt, pinned }];
    const { chat } = store.getState();
    store.setState({ chat: { ...chat, conversation, list: [...chat.list, ...list] } });
  };
  /** Applies a notice about the open conversation. */
  const applyPatch = (payload: ChatPatch) => {
    store.setState(applyNotice(store.getState(), { name: 'chatPatch', payload }, 0));
  };
  const begin = (id: string) => {
    applyPatch({ kind: 'replaced', conversation: { ...conversationOf([]), id } });
  };
  return {
    show,
    applyPatch,
    begin,
    chat: () => store.getState().chat,
    draft: () => currentDraft(store.getState().chat),
    actions: actions.chat,
    asked: (name: RequestName) =>
      asked.filter((request) => request.name === name).map(({ input }) => input),
  };
}

export const file = (name: string, size: number, read: () => Promise<ArrayBuffer> = empty) => ({
  name,
  size,
  arrayBuffer: read,
});
export const empty = () => Promise.resolve(new ArrayBuffer(4));
