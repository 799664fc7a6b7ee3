/**
 * Steps from one file to the next, in the call paths of docs/architecture.md and docs/call-paths.md, that no import
 * between these two files explains. The value is the port from which both must import
 * the same name, or undefined if no import shows the link.
 * @type {ReadonlyMap<string, string | undefined>}
 */
export const indirectLinks = new Map([
  // Node-API: the addon calls the stream with a block, and the stream tells it to play or drop.
  link('electron/audio/native/microphone.cc', 'electron/platform/portaudio/portaudio-streams.ts'),
  link('electron/platform/portaudio/portaudio-streams.ts', 'electron/audio/native/speaker.cc'),
  // A button takes the page's actions from React's context.
  link('renderer/talk/talk-buttons.tsx', 'renderer/app/actions.ts'),
  // Electron's contextBridge and ipc, in both directions.
  link('renderer/app/actions.ts', 'electron/preload.ts'),
  link('renderer/history/history-actions.ts', 'electron/preload.ts', 'shared/ipc/bridge.ts'),
  link('electron/preload.ts', 'renderer/app/bridge/ordered-bridge.ts', 'shared/ipc/bridge.ts'),
  link('electron/preload.ts', 'electron/app/ipc/window-ipc.ts', 'shared/ipc/bridge.ts'),
  link('electron/app/ipc/window-ipc.ts', 'electron/preload.ts', 'shared/ipc/bridge.ts'),
  // The host calls the core through a type that the dispatcher's file exports.
  link('electron/app/ipc/request-dispatcher.ts', 'electron/app/ipc/window-ipc.ts'),
  // The reporter receives the `post` function as an argument.
  link('electron/talk/talk-reporter.ts', 'electron/app/ipc/request-dispatcher.ts'),
  // The call path `notice to screen` shows the files between them.
  link('electron/app/ipc/request-dispatcher.ts', 'renderer/app/apply-notice.ts'),
  // The dispatcher calls the controller through a type whose file the call path leaves out.
  link(
    'electron/app/ipc/request-dispatcher.ts',
    'electron/talk/talk-controller.ts',
    'shared/ipc/contract.ts',
  ),
  // The dispatcher receives the handlers as arguments.
  link('electron/app/ipc/request-dispatcher.ts', 'electron/recordings/history/history-handlers.ts'),
  link(
    'electron/audio/playback/speaker.ts',
    'electron/platform/portaudio/portaudio-streams.ts',
    'electron/audio/devices/sound-driver.ts',
  ),
  link(
    'electron/platform/portaudio/portaudio-streams.ts',
    'electron/audio/capture/microphone.ts',
    'electron/audio/devices/sound-driver.ts',
  ),
  link('electron/app/ipc/request-dispatcher.ts', 'electron/vision/frame-pipeline.ts'),
  // A talk passes its conversation to the pipeline, which sends it frames.
  link('electron/vision/frame-pipeline.ts', 'electron/talk/conversation.ts'),
  link('renderer/capture/capture-controller.ts', 'electron/preload.ts', 'shared/ipc/bridge.ts'),
  link(
    'electron/recordings/record/tape-files-recorder.ts',
    'electron/platform/files/file-storage.ts',
    'shared/ports/files.ts',
  ),
  link(
    'electron/platform/net/web-socket.ts',
    'electron/recordings/record/tape-recorder.ts',
    'shared/ports/sockets.ts',
  ),
  link(
    'electron/recordings/history/history-library.ts',
    'electron/platform/history/history-index-thread.ts',
    'electron/recordings/history/history-index.ts',
  ),
  // The session uses the `Sockets` port, which the real socket and its watcher implement.
  link(
    'electron/talk/session/session.ts',
    'electron/platform/net/web-socket.ts',
    'shared/ports/sockets.ts',
  ),
  link(
    'electron/platform/net/web-socket.ts',
    'electron/talk/wire-watcher.ts',
    'shared/ports/sockets.ts',
  ),
  link(
    'electron/talk/wire-watcher.ts',
    'electron/talk/session/session.ts',
    'shared/ports/sockets.ts',
  ),
]);

/**
 * @param {string} from
 * @param {string} to
 * @param {string} [port]
 * @returns {[string, string | undefined]}
 */
function link(from, to, port) {
  return [`${from} ${to}`, port];
}
