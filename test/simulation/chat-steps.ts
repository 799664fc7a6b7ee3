import { OpenPage } from '../../shared/ipc/page.ts';
import type { Random } from '../../shared/ports/clock.ts';
import { unwrapAnswer, RefusedError } from '../fakes/unwrap-answer.ts';
import type { ChatPromises } from './chat-promises.ts';
import type { SimulatedParley } from './simulated-parley.ts';

/** `nth` wraps around the existing conversations and history items. */
export type ChatAction =
  | { readonly does: 'write'; readonly word: string }
  | { readonly does: 'stopAnswer' }
  | { readonly does: 'newChat' }
  | { readonly does: 'openChat'; readonly nth: number }
  | { readonly does: 'renameEntry'; readonly nth: number; readonly title: string }
  | { readonly does: 'removeEntry'; readonly nth: number }
  | { readonly does: 'look' };

const page = new OpenPage();

export function isChatAction(one: { readonly does: string }): one is ChatAction {
  return [
    'write',
    'stopAnswer',
    'newChat',
    'openChat',
    'renameEntry',
    'removeEntry',
    'look',
  ].includes(one.does);
}

export function newWord(random: Random): string {
  return `w${Math.floor(random() * 2 ** 40).toString(36)}`;
}

/** Sends a request as a page does. Any error that is not a refusal is a bug. */
export async function doChatStep(
  one: ChatAction,
  { requests, history }: SimulatedParley,
  promises: ChatPromises,
): Promise<void> {
  try {
    await act(one, requests, history, promises);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    promises.refused(error.error);
  }
}

async function act(
  one: ChatAction,
  requests: SimulatedParley['requests'],
  { history }: SimulatedParley['history'],
  promises: ChatPromises,
): Promise<void> {
  if (one.does === 'stopAnswer') await unwrapAnswer(requests.stopChat(undefined, page));
  else if (one.does === 'newChat') await unwrapAnswer(requests.beginChat(undefined, page));
  else if (one.does === 'write') {
    const { conversation } = await unwrapAnswer(requests.chat(undefined, page));
    const parts = [{ type: 'text', text: `Tell me about ${one.word}` }] as const;
    await unwrapAnswer(requests.sendChat({ parts, chat: conversation.id }, page));
    promises.wrote(conversation.id, one.word);
  } else if (one.does === 'openChat') {
    const { list } = await unwrapAnswer(requests.chat(undefined, page));
    const chosen = list[one.nth % Math.max(1, list.length)];
    if (chosen !== undefined) await unwrapAnswer(requests.openChat({ id: chosen.id }, page));
  } else {
    const listed = await history.list({ skip: 0, count: 20, filter: {} });
    const entries = listed.ok ? listed.value.entries : [];
    const chosen = entries[('nth' in one ? one.nth : 0) % Math.max(1, entries.length)];
    if (chosen === undefined || one.does === 'look') return;
    const ref = { kind: chosen.kind, id: chosen.id };
    if (one.does === 'renameEntry')
      await unwrapAnswer(requests.renameHistory({ ...ref, title: one.title }, page));
    else {
      promises.removing(ref);
      await unwrapAnswer(requests.removeHistory({ list: [ref], tapes: true }, page));
      promises.removed(ref);
    }
  }
}
