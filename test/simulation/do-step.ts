import { OpenPage } from '../../shared/ipc/page.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { RefusedError, unwrapAnswer } from '../fakes/unwrap-answer.ts';
import type { ChatDurability } from './chat-durability.ts';
import type { SimulatedNetwork } from './simulated-network.ts';
import type { SimulatedParley } from './simulated-parley.ts';
import type { ChatAction, NetworkFault, UserAction, WorldAction } from './steps.ts';

/** The only page: it sends the requests and presses the talk key. */
const page = new OpenPage();

export function isNetworkFault(action: WorldAction): action is NetworkFault {
  return ['cutLine', 'lineDown', 'stallLine', 'slowLine'].includes(action.does);
}

export function injectNetworkFault(
  action: NetworkFault,
  line: SimulatedNetwork,
  clock: Clock,
): void {
  if (action.does === 'cutLine') line.cut();
  else if (action.does === 'stallLine') line.stall(action.ms);
  else if (action.does === 'slowLine') line.setSlowness(action.slowness);
  else {
    line.setDown(true);
    clock.after(action.ms, () => {
      line.setDown(false);
    });
  }
}

export function doUserAction(action: UserAction, { talk, settings }: SimulatedParley): void {
  if (action.does === 'start') void talk.start(action.mode);
  else if (action.does === 'continue') void talk.continue({ carry: action.carry });
  else if (action.does === 'key') talk.talkKey.handle(page, action.key);
  else if (action.does === 'set') settings.change(action.patch);
  else if (action.does === 'talking') settings.change({ talking: { mode: action.mode } });
  else
    talk.withTalk((conversation) => {
      const { controls } = conversation;
      if (action.does === 'end') conversation.end();
      else if (action.does === 'interrupt') conversation.interrupt();
      else if (action.does === 'networkBack') conversation.onNetworkBack();
      else if (action.does === 'wake') conversation.onSystemWake();
      else if (action.does === 'mute') controls.setMuted(action.on);
      else if (action.does === 'cough') controls.setCoughMuted(action.on);
      else conversation.setPaused(action.on);
    });
}

export function isChatAction(action: { readonly does: string }): action is ChatAction {
  return [
    'write',
    'stopAnswer',
    'newChat',
    'openChat',
    'renameEntry',
    'removeEntry',
    'look',
  ].includes(action.does);
}

/** Sends a request as a page does. Any error that is not a refusal is a bug. */
export async function doChatStep(
  action: ChatAction,
  { requests, history }: SimulatedParley,
  durability: ChatDurability,
): Promise<void> {
  try {
    await act(action, requests, history, durability);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    durability.checkRefusal(error.error);
  }
}

async function act(
  action: ChatAction,
  requests: SimulatedParley['requests'],
  { history }: SimulatedParley['history'],
  durability: ChatDurability,
): Promise<void> {
  if (action.does === 'stopAnswer') await unwrapAnswer(requests.stopChat(undefined, page));
  else if (action.does === 'newChat') await unwrapAnswer(requests.beginChat(undefined, page));
  else if (action.does === 'write') {
    const { conversation } = await unwrapAnswer(requests.chat(undefined, page));
    const parts = [{ type: 'text', text: `Tell me about ${action.word}` }] as const;
    await unwrapAnswer(requests.sendChat({ parts, chat: conversation.id }, page));
    durability.messageSent(conversation.id, action.word);
  } else if (action.does === 'openChat') {
    const { list } = await unwrapAnswer(requests.chat(undefined, page));
    const chosen = list[action.nth % Math.max(1, list.length)];
    if (chosen !== undefined) await unwrapAnswer(requests.openChat({ id: chosen.id }, page));
  } else {
    const listed = await history.list({ skip: 0, count: 20, filter: {} });
    const entries = listed.ok ? listed.value.entries : [];
    const chosen = entries[('nth' in action ? action.nth : 0) % Math.max(1, entries.length)];
    if (chosen === undefined || action.does === 'look') return;
    const ref = { kind: chosen.kind, id: chosen.id };
    if (action.does === 'renameEntry')
      await unwrapAnswer(requests.renameHistory({ ...ref, title: action.title }, page));
    else {
      durability.deletionBegan(ref);
      await unwrapAnswer(requests.removeHistory({ list: [ref], tapes: true }, page));
      durability.deletionEnded(ref);
    }
  }
}
