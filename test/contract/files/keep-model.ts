// A child process: starts the program with the given model, and stays.
import { startModelProcess } from '../../../electron/platform/model/model-process.ts';

export async function run(folder: string, program: string, model: string): Promise<void> {
  const started = await startModelProcess(
    { name: 'model-server', program, model, folder, contextTokens: 4096 },
    { output: () => undefined, ended: () => undefined },
  );
  if (!started.ok) throw new Error(started.error.code);
  process.send?.(started.value.address);
  setInterval(() => undefined, 60_000);
}
