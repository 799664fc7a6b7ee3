// A process of its own, to be killed: it replaces one file again and again, and says when it has begun.
import { writeAtomically } from '../../../electron/platform/files/atomic-files.ts';

export async function run(path: string, length: string): Promise<void> {
  for (let count = 0; ; count += 1) {
    await writeAtomically(path, 'ab'.charAt(count % 2).repeat(Number(length)));
    if (count === 0) process.stdout.write('begun\n');
  }
}
