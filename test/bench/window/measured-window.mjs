// Electron runs this file: it opens the built Parley or a blank window, prints when its page had content, and quits.
// The option `--parley=FILE` selects Parley and names its main file.
import { app, BrowserWindow } from 'electron';

const parley = process.argv.find((argument) => argument.startsWith('--parley='));

app.on('web-contents-created', (_event, contents) => {
  contents.on('did-finish-load', () => void emit(contents));
});

/** @param {import('electron').WebContents} contents */
async function emit(contents) {
  const paintedAt = /** @type {number} */ (
    await contents.executeJavaScript(`new Promise((done) => {
    const read = ({ startTime }) => done(performance.timeOrigin + startTime);
    const entry = performance.getEntriesByName('first-contentful-paint')[0];
    if (entry !== undefined) read(entry);
    else new PerformanceObserver((list) => {
      const paint = list.getEntriesByName('first-contentful-paint')[0];
      if (paint !== undefined) read(paint);
    }).observe({ type: 'paint', buffered: true });
  })`)
  );
  process.stdout.write(`painted ${paintedAt}\n`);
  app.quit();
}

if (parley === undefined) {
  await app.whenReady();
  const window = new BrowserWindow({
    width: 900,
    height: 680,
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
  });
  window.once('ready-to-show', () => window.show());
  await window.loadURL('data:text/html,<p>Blank');
} else {
  await import(parley.slice('--parley='.length));
}
