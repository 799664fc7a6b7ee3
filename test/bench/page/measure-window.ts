import type { ElectronApplication, Page } from '@playwright/test';
import { openDesktop } from '../../e2e/fixtures/open-desktop.ts';

const speed = 20;
const minutes = 30;
const limitMb = 30;
const stepMs = 25;

/**
 * Half an hour of a talk in the real app: scripted notices go through Electron's ipc at twenty times the speed, and the bench
 * reads the memory of the page's process.
 */
export async function measureWindow(): Promise<readonly string[]> {
  const running = await openDesktop({ kind: 'desktop', language: 'en-GB' });
  const { electron, page } = running;
  try {
    if (electron === undefined) throw new Error('Electron has not been started.');
    // The first minute loads and compiles code, and is not counted.
    await emit(electron, 1);
    const before = await sizeOf(electron, page);
    await emit(electron, minutes);
    const shown = await page.locator('.caption').last().textContent();
    const after = await sizeOf(electron, page);
    const grown = after - before;
    return [
      `${minutes} minutes of a talk, sent within ${(minutes * 60) / speed} s, up to "${shown?.trim().slice(-12)}"`,
      `the window's page, after a collection: ${before.toFixed(1)} to ${after.toFixed(1)} MB`,
      `limit +${limitMb} MB: ${grown <= limitMb ? 'met' : 'NOT MET'} (${grown.toFixed(1)})`,
    ];
  } finally {
    await running.close();
  }
}

function emit(electron: ElectronApplication, forMinutes: number): Promise<void> {
  return electron.evaluate(
    async ({ BrowserWindow }, { forMs, stepMs, speed }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const post = (name: string, payload: unknown): void => {
        contents?.send('parley:notice', { name, payload });
      };
      post('talkBegan', { mode: 'audio', endpoint: 'Bench' });
      post('talkState', { phase: 'live' });
      const turnOf = 20;
      let said = 0;
      let levels = 0;
      const began = Date.now();
      for (let gone = 0; gone < forMs; gone = Date.now() - began) {
        for (; levels < (gone / 1000) * 40 * speed; levels += 1) {
          const rmsDb = -34 + 18 * Math.sin(levels / 3);
          post('level', { who: levels % 2 === 0 ? 'you' : 'parley', rmsDb, peakDb: rmsDb + 9 });
        }
        for (; said < (gone / 1000) * 5 * speed; said += 1) {
          const turn = Math.floor(said / turnOf);
          const last = said % turnOf === turnOf - 1;
          post('caption', { turn, added: `word${said} `, ...(last ? { settled: true } : {}) });
          post('caption', { turn, heard: (said % turnOf) * 8 });
        }
        await new Promise((rested) => setTimeout(rested, stepMs));
      }
    },
    { forMs: (forMinutes * 60 * 1000) / speed, stepMs, speed },
  );
}

async function sizeOf(electron: ElectronApplication, page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  for (let time = 0; time < 3; time += 1) {
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(500);
  }
  await session.detach();
  return electron.evaluate(({ app, BrowserWindow }) => {
    const pid = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId();
    const metric = app.getAppMetrics().find((one) => one.pid === pid);
    return (metric?.memory.workingSetSize ?? Number.NaN) / 1024;
  });
}
