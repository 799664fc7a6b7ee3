import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { inRoot } from '../../../scripts/lib/root.mjs';

/** Milliseconds from process start to the window's first content. */
export async function startWindow(
  executable: string,
  which: 'parley' | 'blank',
  home: string,
): Promise<number> {
  const main = pathToFileURL(inRoot('out', 'main', 'main.js')).href;
  const began = Date.now();
  const child = spawn(
    executable,
    [
      inRoot('test', 'bench', 'window', 'subject.mjs'),
      ...(which === 'parley' ? [`--parley=${main}`] : []),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--lang=en-GB',
    ],
    {
      env: { ...process.env, XDG_CONFIG_HOME: home, PARLEY_STATE_DIR: home },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  await once(child, 'close');
  const paintedAt = /painted ([\d.]+)/.exec(said)?.[1];
  if (paintedAt === undefined) throw new Error(`The ${which} window reported no paint.`);
  return Number(paintedAt) - began;
}
