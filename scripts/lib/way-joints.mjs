/**
 * Where one file reaches the next without an import, and by what: a file that stands beside the way, from
 * which both must take the same name; or nothing that an import shows. There are no more than these.
 * @type {ReadonlyMap<string, string | undefined>}
 */
export const joints = new Map([
  // Node-API: the addon tells the stream that a block has come, and is told to play or to drop.
  joint('electron/sound/native/microphone.cc', 'electron/adapters/portaudio-microphone-stream.ts'),
  joint('electron/adapters/portaudio-speaker-stream.ts', 'electron/sound/native/speaker.cc'),
  // Electron's contextBridge and ipc, there and back.
  joint('renderer/bridge/electron-bridge.ts', 'electron/preload.ts', 'shared/ipc/exposed.ts'),
  joint('electron/preload.ts', 'renderer/bridge/electron-bridge.ts', 'shared/ipc/exposed.ts'),
  joint('electron/preload.ts', 'electron/hosts/desktop/ipc.ts', 'shared/ipc/exposed.ts'),
  joint('electron/hosts/desktop/ipc.ts', 'electron/preload.ts', 'shared/ipc/exposed.ts'),
  // A host knows the core as a whole, of which `answer` and `notices` are parts.
  joint('electron/hosts/desktop/ipc.ts', 'electron/ipc/request-dispatcher.ts'),
  joint('electron/ipc/notice-board.ts', 'electron/hosts/desktop/ipc.ts'),
  // The board's `post`, handed in.
  joint('electron/controllers/talk-publisher.ts', 'electron/ipc/notice-board.ts'),
  // What is between them is a way of its own: `button to core`, `notice to screen`.
  joint('renderer/bridge/electron-bridge.ts', 'electron/ipc/request-dispatcher.ts'),
  joint('electron/ipc/notice-board.ts', 'renderer/store/apply-notice.ts'),
  // One asks, the other is asked, by a type that would make a long way longer.
  joint(
    'electron/ipc/request-dispatcher.ts',
    'electron/controllers/talk-handlers.ts',
    'shared/ipc/contract.ts',
  ),
  joint(
    'electron/sound/playback/stream-player.ts',
    'electron/adapters/portaudio-speaker-stream.ts',
    'electron/ports/sound.ts',
  ),
]);

/**
 * @param {string} from
 * @param {string} to
 * @param {string} [by]
 * @returns {[string, string | undefined]}
 */
function joint(from, to, by) {
  return [`${from} ${to}`, by];
}
