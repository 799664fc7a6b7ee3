import { createRemoteSocket } from './adapters/remote-socket.ts';
import { answerRemote } from './ipc/remote-deeds.ts';
import type { Answer } from './ipc/answer.ts';
import type { Log } from './ports/log.ts';
import type { RemoteLine } from './ports/remote-line.ts';
import type { Lifetime } from '../shared/lifetime.ts';
import type { TalkView } from '../shared/talk/talk-view.ts';
import { stateFolder } from './state-folder.ts';

interface Needs {
  readonly answer: Answer;
  readonly talk: { readonly view: TalkView };
  readonly log: Log;
  readonly lifetime: Lifetime;
}

/** Between a command in a terminal and the Parley of the same person that runs. */
export function composeRemoteLine(folder: string = stateFolder()): RemoteLine {
  return createRemoteSocket(folder);
}

/** A Parley that stays hears the commands of others; without that everything else works. */
export async function hearRemote(line: RemoteLine, needs: Needs): Promise<void> {
  const { log, lifetime } = needs;
  const heard = await line.listen((asked) => answerRemote(asked, needs));
  if (!heard.ok) log.write('warn', heard.problem);
  else if (heard.value === undefined) log.write('info', 'another Parley hears the commands');
  else lifetime.add(heard.value);
}
