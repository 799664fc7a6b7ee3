// A process for the test to kill: it replaces one file repeatedly and prints when it has begun.
import { writeAtomically } from '../../../electron/platform/files/atomic-files.ts';

export async function run(path: string, length: string): Promise<void> {
  for (let count = 0; ; count += 1) {
    await writeAtomically(path, 'ab'.charAt(count % 2).repeat(Number(length)));
    if (count === 0) process.stdout.write('begun\n');
  }
}
