// driven-app.ts preloads this into Electron's main process. It executes commands from the parent's channel and counts
// messages to pages. A debugger could do the same, but would distort the measurement.
'use strict';
const { app, BrowserWindow } = require('electron');

let messages = 0;
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
