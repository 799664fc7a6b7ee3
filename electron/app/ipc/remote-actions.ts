import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../shared/i18n/en/errors.ts';
import type { NamedRequest } from '../../../shared/ipc/contract.ts';
import type { Lifetime } from '../../../shared/lifetime.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { TalkView } from '../../../shared/talk/talk-view.ts';
import { stateFolder } from '../../platform/files/state-folder.ts';
import type {
  RemoteAnswer,
  RemoteChannel,
  RemoteReceiver,
} from '../../platform/remote/remote-listener.ts';
import { createRemoteSocket } from '../../platform/remote/remote-socket.ts';
import type { LinkRegistrationControl } from '../parley-links.ts';
import type { RequestDispatcher } from './request-dispatcher.ts';

/** Commands without a value that another process may send to a running Parley. */
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

const requests: Readonly<Record<Exclude<RemoteAction, LinkAction>, NamedRequest>> = {
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

/** Only the desktop app handles these, because it registers links with the system. */
type LinkAction = Extract<RemoteAction, `links ${string}`>;

interface RunningParley {
  readonly answer: RequestDispatcher;
  readonly linkRegistration: Pick<LinkRegistrationControl, 'set' | 'state'>;
  readonly talk: { readonly view: TalkView };
  readonly openTapeAt: (path: string) => Promise<Outcome<undefined>>;
}

/** Runs a command through the same requests as pages use. */
export async function runRemoteAction(
  command: string,
  running: RunningParley,
): Promise<Outcome<RemoteAnswer>> {
  if (command.startsWith(replayPrefix))
    return openTape(command.slice(replayPrefix.length), running);
  if (command.startsWith(askPrefix)) return openQuick(command.slice(askPrefix.length), running);
  const action = remoteActions.find((name) => name === command);
  if (action === undefined) return failure('commandUnknown');
  if (action === 'links status') return running.linkRegistration.state();
  if (action === 'links on' || action === 'links off')
    return running.linkRegistration.set(action === 'links on');
  const { talk, controls } = running.talk.view;
  if (talk !== undefined && controls.talking === 'open' && opensMicrophone.has(action))
    return microphoneAlreadyOpen;
  const { name, input } = requests[action];
  const reply = await running.answer(name, input);
  return reply.ok ? { ok: true, value: undefined } : reply;
}

/** Begins a command that opens the small window. The question follows as a JSON string. */
export const askPrefix = 'ask ';

async function openQuick(json: string, { answer }: RunningParley): Promise<Outcome<undefined>> {
  const text = parseJsonText(json);
  if (text === undefined) return failure('commandUnknown');
  const reply = await answer('openQuick', { text });
  return reply.ok ? done : reply;
}

/** Begins a command that opens a tape. Its path follows as a JSON string, so that any path fits on one line. */
export const replayPrefix = 'replay ';

async function openTape(
  text: string,
  { answer, openTapeAt }: RunningParley,
): Promise<Outcome<undefined>> {
  const path = parseJsonText(text);
  if (path === undefined) return failure('commandUnknown');
  const opened = await openTapeAt(path);
  // `showMain` fails in a host without windows; there the page shows the tape by itself.
  if (opened.ok) await answer('showMain', undefined);
  return opened;
}

function parseJsonText(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

const opensMicrophone: ReadonlySet<RemoteAction> = new Set<RemoteAction>([
  'ptt press',
  'ptt toggle',
]);

/**
 * The answer to a talk key in the mic mode `open`, where the key does nothing. Without this error the user would think
 * that the key had muted the microphone.
 */
const microphoneAlreadyOpen = failure('microphoneOpen');

interface ListeningDeps extends RunningParley {
  readonly log: Log;
  readonly lifetime: Lifetime;
}

/** Listens for commands of other processes. If that fails, Parley works without such commands. */
export async function listenForRemoteCommands(
  channel: RemoteChannel,
  deps: ListeningDeps,
): Promise<void> {
  const { log, lifetime } = deps;
  let isFirstReport = true;
  const onReceiver = (receiver: RemoteReceiver): void => {
    if (receiver === 'another')
      log.write('info', 'another running Parley receives the remote commands');
    else if (!isFirstReport) log.write('info', 'this Parley now receives the remote commands');
    isFirstReport = false;
  };
  const listening = await channel.listen((command) => runRemoteAction(command, deps), onReceiver);
  if (!listening.ok) log.write('warn', describeAppError(listening.error));
  else lifetime.add(listening.value, 'remote command listener');
}

/** The channel between a terminal command and the running Parley of the same user. */
export function composeRemoteChannel(folder: string = stateFolder()): RemoteChannel {
  return createRemoteSocket(folder);
}
