/**
 * Where one file reaches the next without an import, and by what: a file that stands beside the way, from
 * which both must take the same name; or nothing that an import shows. There are no more than these.
 * @type {ReadonlyMap<string, string | undefined>}
 */
export const joints = new Map([
  // Node-API: the addon tells the stream that a block has come, and is told to play or to drop.
  joint('electron/audio/native/microphone.cc', 'electron/platform/portaudio/portaudio-streams.ts'),
  joint('electron/platform/portaudio/portaudio-streams.ts', 'electron/audio/native/speaker.cc'),
  // Electron's contextBridge and ipc, there and back.
  // A talk's actions get an `Ask`, which the page's actions make of the bridge.
  joint('renderer/talk/talk-actions.ts', 'renderer/app/actions.ts'),
  joint('renderer/app/actions.ts', 'electron/preload.ts'),
  joint('renderer/history/history-actions.ts', 'electron/preload.ts', 'shared/ipc/bridge.ts'),
  joint('electron/preload.ts', 'renderer/app/bridge/ordered-bridge.ts', 'shared/ipc/bridge.ts'),
  joint('electron/preload.ts', 'electron/app/ipc/window-ipc.ts', 'shared/ipc/bridge.ts'),
  joint('electron/app/ipc/window-ipc.ts', 'electron/preload.ts', 'shared/ipc/bridge.ts'),
  // The host is told of the core by the type that the dispatcher's file gives it.
  joint('electron/app/ipc/request-dispatcher.ts', 'electron/app/ipc/window-ipc.ts'),
  // The board's `post`, handed in.
  joint('electron/talk/talk-reporter.ts', 'electron/app/ipc/request-dispatcher.ts'),
  // What is between them is a way of its own: `notice to screen`.
  joint('electron/app/ipc/request-dispatcher.ts', 'renderer/app/apply-notice.ts'),
  // One asks, the other is asked, by a type that would make a long way longer.
  joint(
    'electron/app/ipc/request-dispatcher.ts',
    'electron/talk/talk-controller.ts',
    'shared/ipc/contract.ts',
  ),
  // The handlers are handed in.
  joint(
    'electron/app/ipc/request-dispatcher.ts',
    'electron/recordings/history/history-handlers.ts',
  ),
  joint(
    'electron/audio/playback/speaker.ts',
    'electron/platform/portaudio/portaudio-streams.ts',
    'electron/audio/devices/sound-driver.ts',
  ),
  joint(
    'electron/platform/portaudio/portaudio-streams.ts',
    'electron/audio/capture/capture-pipeline.ts',
    'electron/audio/devices/sound-driver.ts',
  ),
  joint('electron/app/ipc/request-dispatcher.ts', 'electron/vision/vision-handlers.ts'),
  // A talk hands its conversation to the pipeline, which gives it the frames.
  joint('electron/vision/frame-pipeline.ts', 'electron/talk/conversation.ts'),
  joint(
    'renderer/capture/connect-capture-controller.ts',
    'electron/preload.ts',
    'shared/ipc/bridge.ts',
  ),
  joint(
    'electron/recordings/record/tape-files-recorder.ts',
    'electron/platform/files/file-writer.ts',
    'shared/ports/files.ts',
  ),
  joint(
    'electron/platform/net/web-socket.ts',
    'electron/recordings/record/tape-recorder.ts',
    'shared/ports/sockets.ts',
  ),
  joint(
    'electron/recordings/history/history-library.ts',
    'electron/platform/history/history-index-thread.ts',
    'electron/recordings/history/history-index.ts',
  ),
  // The session asks its sockets, the real one and what watches it are sockets.
  joint(
    'electron/talk/session/session.ts',
    'electron/platform/net/web-socket.ts',
    'shared/ports/sockets.ts',
  ),
  joint(
    'electron/platform/net/web-socket.ts',
    'electron/talk/wire-watcher.ts',
    'shared/ports/sockets.ts',
  ),
  joint(
    'electron/talk/wire-watcher.ts',
    'electron/talk/session/session.ts',
    'shared/ports/sockets.ts',
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
