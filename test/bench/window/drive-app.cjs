// driven-app.ts preloads this into Electron's main process. It executes commands from the parent's channel and counts
// messages to pages. A debugger could do the same, but would distort the measurement.
'use strict';
const { app, BrowserWindow, contentTracing } = require('electron');

let messages = 0;
/**
 * When each window was last shown, by its number.
 * @type {Map<number, number>}
 */
const shownAt = new Map();
app.on('browser-window-created', (_event, window) => {
  window.on('show', () => shownAt.set(window.id, Date.now()));
});
app.on('web-contents-created', (_event, contents) => {
  const send = contents.send.bind(contents);
  contents.send = (channel, /** @type {readonly unknown[]} */ ...given) => {
    messages += 1;
    send(channel, ...given);
  };
});

/** @type {Readonly<Record<string, (what: string) => unknown>>} */
const acts = {
  messages: () => messages,
  shown: () => BrowserWindow.getAllWindows().some((window) => window.isVisible()),
  page: (code) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code, true),
  processes: () =>
    app.getAppMetrics().map(({ pid, type, name, serviceName }) => ({
      pid,
      what: [type, name, serviceName].filter((each) => each !== undefined).join(' '),
    })),
  cursor: () => {
    const small = BrowserWindow.getAllWindows().find((window) =>
      window.webContents.getURL().includes('window=cursor'),
    );
    if (small === undefined) return undefined;
    return { pid: small.webContents.getOSProcessId(), shownAt: shownAt.get(small.id) };
  },
  minimize: () => BrowserWindow.getAllWindows()[0]?.minimize(),
  hide: () => BrowserWindow.getAllWindows()[0]?.hide(),
  trace: (categories) =>
    contentTracing.startRecording({
      included_categories: categories.split(','),
      excluded_categories: ['*'],
    }),
  traced: () => contentTracing.stopRecording(),
};

/** @param {{ readonly id: number, readonly act: string, readonly what: string }} asked */
const answer = async ({ id, act, what }) => {
  try {
    process.send?.({ id, value: await acts[act]?.(what) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
};
process.on('message', (asked) => {
  void answer(/** @type {{ id: number, act: string, what: string }} */ (asked));
});
