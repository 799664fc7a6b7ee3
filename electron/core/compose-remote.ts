import { describeAppError } from '../../shared/i18n/en/describe-app-error.ts';
import { createRemoteSocket } from '../adapters/remote/remote-socket.ts';
import { runRemoteAction } from '../ipc/remote-actions.ts';
import type { RequestDispatcher } from '../ipc/request-dispatcher.ts';
import type { Log } from '../ports/log.ts';
import type { RemoteChannel } from '../ports/remote-channel.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import { stateFolder } from '../adapters/files/state-folder.ts';

interface Deps {
  readonly answer: RequestDispatcher;
  readonly talk: { readonly view: TalkView };
  readonly log: Log;
  readonly lifetime: Lifetime;
}

/** Between a command in a terminal and the Parley of the same person that runs. */
export function composeRemoteChannel(folder: string = stateFolder()): RemoteChannel {
  return createRemoteSocket(folder);
}

/** A Parley that stays hears the commands of others; without that everything else works. */
export async function listenForRemoteCommands(line: RemoteChannel, deps: Deps): Promise<void> {
  const { log, lifetime } = deps;
  const heard = await line.listen((asked) => runRemoteAction(asked, deps));
  if (!heard.ok) log.write('warn', describeAppError(heard.error));
  else if (heard.value === undefined) log.write('info', 'another Parley hears the commands');
  else lifetime.add(heard.value);
}
