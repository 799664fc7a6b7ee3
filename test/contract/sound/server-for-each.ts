import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import { runTool } from './run-tool.ts';
import { missingSoundServer, SoundServer } from './sound-server.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A sound server for each test of a file, which skips with the reason where none can be had. */
interface ServerForEach {
  readonly server: () => SoundServer;
  /** A module of this folder, in a process of its own that has the server. */
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

  const now = (): SoundServer => {
    if (server === undefined) throw new Error('There is a sound server in a test only.');
    return server;
  };
  return {
    server: now,
    run: (module, ...words) =>
      runTool(
        process.execPath,
        [here('run-module.mjs'), here(module), ...words],
        now().environment,
      ),
  };
}
