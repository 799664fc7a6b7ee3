// Put before the app in Electron's main process by driven-app.ts: does what it is asked over its parent's channel, and
// counts what goes to pages. A debugger would do the same, and cost what is to be measured.
'use strict';
const { app, BrowserWindow, contentTracing } = require('electron');

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
