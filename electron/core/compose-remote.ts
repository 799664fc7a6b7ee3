import { stateFolder } from '../adapters/files/state-folder.ts';
import { createRemoteSocket } from '../adapters/remote/remote-socket.ts';
import type { RemoteChannel } from '../ports/remote-channel.ts';

/** Between a command in a terminal and the Parley of the same person that runs. */
export function composeRemoteChannel(folder: string = stateFolder()): RemoteChannel {
  return createRemoteSocket(folder);
}
