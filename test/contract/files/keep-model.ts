// A child process: starts the program with the given model, and stays.
import { startModelProcess } from '../../../electron/platform/model/model-process.ts';
import { unwrap } from '../../fakes/unwrap.ts';

export async function run(folder: string, program: string, model: string): Promise<void> {
  const started = unwrap(
    await startModelProcess(
      { name: 'model-server', program, model, folder, contextTokens: 4096 },
      { output: () => undefined, ended: () => undefined },
    ),
  );
  process.send?.(started.address);
  setInterval(() => undefined, 60_000);
}
