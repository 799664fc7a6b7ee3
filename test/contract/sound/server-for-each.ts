import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import { runTool } from './run-tool.ts';
import { missingSoundServer, SoundServer } from './sound-server.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A sound server for each test of a file, which is skipped with a reason where none can run. */
interface ServerForEach {
  readonly server: () => SoundServer;
  /** Runs a module of this folder in a process that uses the server. */
  readonly run: (module: string, ...words: readonly string[]) => ReturnType<typeof runTool>;
}

export async function soundServerForEach(
  prepare: (server: SoundServer) => Promise<void> | void = () => undefined,
): Promise<ServerForEach> {
  const missing = await missingSoundServer();
  let server: SoundServer | undefined;

  beforeEach(async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    server = new SoundServer('short');
    await server.start();
    await prepare(server);
  });

  afterEach(async () => {
    await server?.end();
    server = undefined;
  });

  const current = (): SoundServer => {
    if (server === undefined) throw new Error('There is a sound server in a test only.');
    return server;
  };
  return {
    server: current,
    run: (module, ...words) =>
      runTool(
        process.execPath,
        [here('run-module.mjs'), here(module), ...words],
        current().environment,
      ),
  };
}
