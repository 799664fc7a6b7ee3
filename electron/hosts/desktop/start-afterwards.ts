import { spawn } from 'node:child_process';

/**
 * Starts what stands where this program stood, once this process is gone: another version may have taken its place,
 * and an AppImage's folder goes away with it. Electron's own way to start anew would run the program of that folder.
 */
export function startAfterwards(): void {
  const program = process.env['APPIMAGE'] ?? process.execPath;
  const wait = 'while kill -0 "$0" 2>/dev/null; do sleep 0.1; done; exec "$@"';
  // A link or a tape that this one was started with was opened long ago, and who asks for it looks at its window.
  const switches = process.argv
    .slice(1)
    .filter((argument) => /^--(?!hidden$|mini$)/.test(argument));
  const args = ['-c', wait, String(process.pid), program, ...switches];
  spawn('/bin/sh', args, { detached: true, stdio: 'ignore' }).unref();
}
