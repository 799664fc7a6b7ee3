import type { Random, Clock } from '../../shared/ports/clock.ts';
import type { DuplexMode } from '../../shared/protocol/realtime-api.ts';
import type { TalkKeyEvent } from '../../shared/talk/global-key.ts';
import type { PushToTalkMode } from '../../shared/talk/talk-view.ts';
import { OpenPage } from '../../shared/ipc/page.ts';
import { RefusedError, unwrapAnswer } from '../fakes/unwrap.ts';
import type { ChatDurability } from './storage-durability.ts';
import type { SimulatedNetwork } from './simulated-network.ts';
import type { SimulatedParley } from './simulated-parley.ts';

/** `nth` wraps around the existing conversations and history items. */
type ChatAction =
  | { readonly does: 'write'; readonly word: string }
  | { readonly does: 'stopAnswer' }
  | { readonly does: 'newChat' }
  | { readonly does: 'openChat'; readonly nth: number }
  | { readonly does: 'renameEntry'; readonly nth: number; readonly title: string }
  | { readonly does: 'removeEntry'; readonly nth: number }
  | { readonly does: 'look' };

/** Actions of the user in the window, and what the system reports. Parley refuses what is impossible at the moment. */
type UserAction =
  | { readonly does: 'start'; readonly mode: DuplexMode }
  | { readonly does: 'end' }
  | { readonly does: 'interrupt' }
  | { readonly does: 'networkBack' }
  | { readonly does: 'wake' }
  | { readonly does: 'continue'; readonly carry: 'transcript' | 'nothing' }
  | { readonly does: 'mute'; readonly on: boolean }
  | { readonly does: 'cough'; readonly on: boolean }
  | { readonly does: 'pause'; readonly on: boolean }
  | { readonly does: 'talking'; readonly mode: PushToTalkMode }
  | { readonly does: 'key'; readonly key: TalkKeyEvent }
  | { readonly does: 'set'; readonly patch: object };

type NetworkFault =
  | { readonly does: 'cutLine' }
  | { readonly does: 'lineDown'; readonly ms: number }
  | { readonly does: 'stallLine'; readonly ms: number }
  | { readonly does: 'slowLine'; readonly slowness: number };

type WorldAction =
  | UserAction
  | ChatAction
  | NetworkFault
  | { readonly does: 'speak'; readonly ms: number }
  | { readonly does: 'unplug'; readonly ms: number }
  | { readonly does: 'fillDisk'; readonly ms: number }
  | { readonly does: 'sleep'; readonly ms: number }
  | { readonly does: 'restart'; readonly how: 'quit' | 'kill' | 'powerCut' };

export type Step = WorldAction & { readonly at: number };

type Make = (random: Random) => WorldAction;

const often = 30;
const sometimes = 8;
const seldom = 3;
const rarely = 1;

const actions: readonly (readonly [number, Make])[] = [
  [sometimes, (random) => ({ does: 'start', mode: random() < 0.8 ? 'audio' : 'video' })],
  [often, (random) => ({ does: 'speak', ms: 300 + 3500 * random() })],
  [seldom, () => ({ does: 'interrupt' })],
  [seldom, () => ({ does: 'end' })],
  [sometimes, (random) => ({ does: 'continue', carry: random() < 0.5 ? 'transcript' : 'nothing' })],
  [sometimes, (random) => ({ does: 'mute', on: random() < 0.15 })],
  [sometimes, (random) => ({ does: 'cough', on: random() < 0.15 })],
  [sometimes, (random) => ({ does: 'pause', on: random() < 0.15 })],
  [
    seldom,
    (random) => ({
      does: 'talking',
      mode: pick(random, [
        'open',
        'open',
        'open',
        'open',
        'open',
        'hold',
        'tap',
        'holdOrTap',
      ] as const),
    }),
  ],
  [
    sometimes,
    (random) => ({
      does: 'key',
      key: pick(random, ['press', 'press', 'release', 'release', 'toggle', 'lost'] as const),
    }),
  ],
  [seldom, (random) => ({ does: 'set', patch: pick(random, patches) })],
  [sometimes, (random) => ({ does: 'write', word: newWord(random) })],
  [seldom, () => ({ does: 'stopAnswer' })],
  [seldom, () => ({ does: 'newChat' })],
  [seldom, (random) => ({ does: 'openChat', nth: Math.floor(10 * random()) })],
  [seldom, () => ({ does: 'look' })],
  [rarely, (random) => ({ does: 'renameEntry', nth: nthOf(random), title: newWord(random) })],
  [seldom, (random) => ({ does: 'removeEntry', nth: nthOf(random) })],
  [seldom, () => ({ does: 'networkBack' })],
  [rarely, () => ({ does: 'wake' })],
  [seldom, () => ({ does: 'cutLine' })],
  [rarely, (random) => ({ does: 'lineDown', ms: 20_000 * random() })],
  [seldom, (random) => ({ does: 'stallLine', ms: 8000 * random() * random() })],
  [seldom, (random) => ({ does: 'slowLine', slowness: random() })],
  [seldom, (random) => ({ does: 'unplug', ms: 15_000 * random() })],
  [rarely, (random) => ({ does: 'sleep', ms: 600_000 * random() * random() })],
  [rarely, (random) => ({ does: 'fillDisk', ms: 30_000 * random() })],
  [
    seldom,
    (random) => ({ does: 'restart', how: pick(random, ['quit', 'kill', 'powerCut'] as const) }),
  ],
];

const nthOf = (random: Random): number => Math.floor(10 * random());

const patches: readonly object[] = [
  { privacy: { keepChats: true } },
  { privacy: { keepChats: false } },
  { captions: { size: 20 } },
  { captions: { size: 32 } },
  { appearance: { theme: 'dark' } },
  { talking: { answers: 'soonest' } },
  { talking: { answers: 'smoothest' } },
  { talking: { overlap: { enabled: false } } },
  { talking: { longTalks: 'ask' } },
  { talking: { longTalks: 'handOver' } },
  { audio: { playbackVolume: 0.5 } },
  { audio: { speaker: { name: 'Built-in' } } },
  { audio: { microphone: { name: 'Headset' } } },
  { audio: { speaker: 'default', microphone: 'default' } },
  { privacy: { keepTapes: true } },
  { privacy: { keepTalks: 'yes' } },
  { privacy: { keepTalks: 'yes' } },
  { privacy: { keepTalks: 'no' } },
  { privacy: { keepTapes: false } },
  { privacy: { holdRecent: true } },
  { captions: { size: -1 } },
];

/** Parley restarts this long before a world ends. */
const endsBeforeMs = 8000;

/** Makes up everything that happens in a world of this length. */
export function makeSteps(random: Random, milliseconds: number): readonly Step[] {
  const steps: Step[] = [{ at: 1, does: 'set', patch: { privacy: storageSettings(random) } }];
  // Some worlds are calm, so that answers play to their end; in others steps follow quickly.
  const meanMs = pick(random, [300, 1000, 3000, 6000] as const);
  const totalWeight = actions.reduce((sum, [weight]) => sum + weight, 0);
  for (let at = 500; at < milliseconds - endsBeforeMs; at += 20 - meanMs * Math.log(1 - random())) {
    let remaining = random() * totalWeight;
    const found = actions.find(([weight]) => (remaining -= weight) < 0) ?? actions[0];
    if (found !== undefined) steps.push({ at: Math.round(at), ...found[1](random) });
  }
  // The world ends with a restart, because only the next process checks what was stored.
  return [...steps, { at: milliseconds - endsBeforeMs, does: 'restart', how: 'quit' }];
}

/** Chooses what is stored from the start. */
function storageSettings(random: Random): object {
  return {
    keepTapes: random() < 0.4,
    keepTalks: pick(random, ['yes', 'yes', 'ask', 'no'] as const),
    holdRecent: random() < 0.3,
    keepChats: random() < 0.8,
  };
}

function pick<Value>(random: Random, from: readonly Value[]): Value {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error('there is nothing to pick from');
  return picked;
}

function newWord(random: Random): string {
  return `w${Math.floor(random() * 2 ** 40).toString(36)}`;
}

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
