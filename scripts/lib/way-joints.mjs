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
  joint('renderer/talk/talk-actions.ts', 'electron/preload.ts', 'shared/ipc/bridge.ts'),
  joint('electron/preload.ts', 'renderer/bridge/ordered-bridge.ts', 'shared/ipc/bridge.ts'),
  joint('electron/preload.ts', 'electron/ipc/window-ipc.ts', 'shared/ipc/bridge.ts'),
  joint('electron/ipc/window-ipc.ts', 'electron/preload.ts', 'shared/ipc/bridge.ts'),
  // The host is told of the core by the type that the dispatcher's file gives it.
  joint('electron/ipc/notice-board.ts', 'electron/ipc/window-ipc.ts'),
  // The board's `post`, handed in.
  joint('electron/controllers/talk-publisher.ts', 'electron/ipc/notice-board.ts'),
  // What is between them is a way of its own: `notice to screen`.
  joint('electron/ipc/notice-board.ts', 'renderer/store/apply-notice.ts'),
  // One asks, the other is asked, by a type that would make a long way longer.
  joint(
    'electron/ipc/request-dispatcher.ts',
    'electron/controllers/talk-controller.ts',
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
