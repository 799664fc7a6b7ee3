import { createInterface } from 'node:readline';
import { app, utilityProcess } from 'electron';
import { globalKeyBackends } from '../../../electron/hosts/desktop/global-key-backends.ts';

// An Electron app that listens for one chord with one backend, and prints its events:
// electron key-listener.js <backend> <chord>. A line `stop` on stdin ends the listening.

function print(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const fork = utilityProcess.fork.bind(utilityProcess);
utilityProcess.fork = (...args) => {
  const child = fork(...args);
  child.on('spawn', () => {
    print({ kind: 'helper', pid: child.pid });
  });
  child.on('message', (message: unknown) => {
    print({ kind: 'message', message });
  });
  return child;
};

const [name, chord = ''] = process.argv.slice(-2);

async function listen(): Promise<void> {
  const backend = globalKeyBackends().find((backend) => backend.name === name);
  if (backend === undefined) throw new Error(`The backend ${name} is missing.`);
  const outcome = await backend.listen(
    [{ id: 'talk', chord }],
    (_id, event) => {
      print({ kind: 'heard', event });
    },
    () => {
      print({ kind: 'ended' });
      void listen();
    },
  );
  if (!outcome.ok) throw new Error(outcome.error.code);
  print({ kind: 'listens' });
  for await (const line of createInterface(process.stdin)) {
    if (line !== 'stop') continue;
    await outcome.value.stop();
    print({ kind: 'stopped' });
  }
}

await app.whenReady();
await listen();
