// A process for the test to kill during its work.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  makeScratchFolder,
  rememberDraft,
} from '../../../electron/platform/files/scratch-folder.ts';

export async function run(draft: string): Promise<void> {
  const { path } = await makeScratchFolder('export');
  await writeFile(join(path, 'voice.wav'), 'a voice');
  await rememberDraft(draft);
  await writeFile(draft, 'half a recording');
  process.stdout.write(`${path}\n`);
  setInterval(() => undefined, 1000);
}
