import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../shared/i18n/en/errors.ts';
import type { NamedRequest } from '../../../shared/ipc/contract.ts';
import type { Lifetime } from '../../../shared/lifetime.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { TalkView } from '../../../shared/talk/talk-view.ts';
import { stateFolder } from '../../platform/files/state-folder.ts';
import type {
  RemoteAnswer,
  RemoteChannel,
  RemoteTurn,
} from '../../platform/remote/remote-listener.ts';
import { createRemoteSocket } from '../../platform/remote/remote-socket.ts';
import type { LinkSwitch } from '../parley-links.ts';
import type { RequestDispatcher } from './request-dispatcher.ts';

/** What another process may ask of the Parley that runs, in the words of its command. */
export const remoteActions = [
  'start',
  'stop',
  'interrupt',
  'mute',
  'unmute',
  'pause',
  'resume',
  'show',
  'ptt press',
  'ptt release',
  'ptt toggle',
  'links on',
  'links off',
  'links status',
] as const;

export type RemoteAction = (typeof remoteActions)[number];

const requests: Readonly<Record<Exclude<RemoteAction, LinkWord>, NamedRequest>> = {
  start: { name: 'startTalk', input: { mode: 'audio' } },
  stop: { name: 'endTalk', input: undefined },
  interrupt: { name: 'interruptTalk', input: undefined },
  mute: { name: 'setMuted', input: { muted: true } },
  unmute: { name: 'setMuted', input: { muted: false } },
  pause: { name: 'setPaused', input: { paused: true } },
  resume: { name: 'setPaused', input: { paused: false } },
  show: { name: 'showMain', input: undefined },
  'ptt press': { name: 'talkKey', input: { key: 'press' } },
  'ptt release': { name: 'talkKey', input: { key: 'release' } },
  'ptt toggle': { name: 'talkKey', input: { key: 'toggle' } },
};

/** What no page asks for: the system's list is seen to by the desktop app alone, which says how it came out. */
type LinkWord = Extract<RemoteAction, `links ${string}`>;

interface Running {
  readonly answer: RequestDispatcher;
  readonly linkSwitch: Pick<LinkSwitch, 'set' | 'state'>;
  readonly talk: { readonly view: TalkView };
  readonly openTapeAt: (path: string) => Promise<Outcome<undefined>>;
}

/** Does what was asked, by the same requests as the pages'. */
export async function runRemoteAction(
  asked: string,
  running: Running,
): Promise<Outcome<RemoteAnswer>> {
  if (asked.startsWith(replayWord)) return openTape(asked.slice(replayWord.length), running);
  const action = remoteActions.find((known) => known === asked);
  if (action === undefined) {
    return failure('commandUnknown');
  }
  if (action === 'links status') return running.linkSwitch.state();
  if (action === 'links on' || action === 'links off')
    return running.linkSwitch.set(action === 'links on');
  const { talk, controls } = running.talk.view;
  if (talk !== undefined && controls.talking === 'open' && opens.has(action)) return openAlready;
  const { name, input } = requests[action];
  const reply = await running.answer(name, input);
  return reply.ok ? { ok: true, value: undefined } : reply;
}

/** Followed by the path of a tape, as JSON: a line holds any path then. */
export const replayWord = 'replay ';

async function openTape(
  text: string,
  { answer, openTapeAt }: Running,
): Promise<Outcome<undefined>> {
  const path = parseJsonText(text);
  if (path === undefined) return failure('commandUnknown');
  const opened = await openTapeAt(path);
  // Where there is no window it is the page that shows it.
  if (opened.ok) await answer('showMain', undefined);
  return opened;
}

function parseJsonText(text: string): string | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

const opens: ReadonlySet<RemoteAction> = new Set<RemoteAction>(['ptt press', 'ptt toggle']);

/** Whoever presses a key that does nothing would take the talk for muted. */
const openAlready = failure('microphoneOpen');

interface ListeningDeps extends Running {
  readonly log: Log;
  readonly lifetime: Lifetime;
}

/** A Parley that stays takes the commands of others; without that everything else works. */
export async function listenForRemoteCommands(
  channel: RemoteChannel,
  deps: ListeningDeps,
): Promise<void> {
  const { log, lifetime } = deps;
  let first = true;
  const turned = (turn: RemoteTurn): void => {
    if (turn === 'another') log.write('info', 'another Parley takes the commands');
    else if (!first) log.write('info', 'this Parley takes the commands now');
    first = false;
  };
  const listening = await channel.listen((asked) => runRemoteAction(asked, deps), turned);
  if (!listening.ok) log.write('warn', describeAppError(listening.error));
  else lifetime.add(listening.value, 'listening to commands');
}

/** Between a command in a terminal and the Parley of the same person that runs. */
export function composeRemoteChannel(folder: string = stateFolder()): RemoteChannel {
  return createRemoteSocket(folder);
}
