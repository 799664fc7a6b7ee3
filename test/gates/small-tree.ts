import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { inRoot } from '../../scripts/lib/root.mjs';
import { run } from '../../scripts/lib/run.mjs';

/** Runs a gate's script on a tree of a few files, to test one rule at a time. */
export async function judgeSmallTree(
  script: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly passed: boolean; readonly output: string }> {
  const tree = await mkdtemp(join(tmpdir(), 'parley-small-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(tree, file)), { recursive: true });
      await writeFile(join(tree, file), text);
    }
    const { code, output } = await run(process.execPath, [inRoot('scripts', script)], {
      cwd: tree,
      timeoutMs: 60_000,
    });
    return { passed: code === 0, output: stripVTControlCharacters(output).trim() };
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}
