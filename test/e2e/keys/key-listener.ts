import { createInterface } from 'node:readline';
import { app, utilityProcess } from 'electron';
import { globalKeyBackends } from '../../../electron/hosts/desktop/global-key-backends.ts';

// An Electron of its own that hears one chord by one backend, and says on its output what it hears:
// electron key-listener.js <backend> <chord>. A line `stop` on its input ends the listening.

function say(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(
    `${JSON.stringify({ ...line, at: performance.timeOrigin + performance.now() })}\n`,
  );
}

/** Every word that any helper ever says. */
const fork = utilityProcess.fork.bind(utilityProcess);
utilityProcess.fork = (...args) => {
  const child = fork(...args);
  child.on('spawn', () => {
    say({ kind: 'helper', pid: child.pid });
  });
  child.on('message', (message: unknown) => {
    say({ kind: 'message', message });
  });
  return child;
};

const [name, chord = ''] = process.argv.slice(-2);

async function listen(): Promise<void> {
  const backend = globalKeyBackends().find((backend) => backend.name === name);
  if (backend === undefined || !backend.offered()) {
    say({ kind: 'notOffered' });
    return;
  }
  const outcome = await backend.listen(
    chord,
    (event) => {
      say({ kind: 'heard', event });
    },
    () => {
      say({ kind: 'ended' });
      void listen();
    },
  );
  if (!outcome.ok) {
    say({ kind: 'refused', code: outcome.error.code });
    return;
  }
  say({ kind: 'listens' });
  for await (const line of createInterface(process.stdin)) {
    if (line !== 'stop') continue;
    await outcome.value();
    say({ kind: 'stopped' });
  }
}

await app.whenReady();
await listen();
