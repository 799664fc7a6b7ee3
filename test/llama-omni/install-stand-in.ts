import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { modelFileNames } from './model-file-names.ts';
import type { StandInFaults } from './stand-in-faults.ts';

const bundler = join(import.meta.dirname, 'bundle-stand-in.mjs');
const speech = resolve(import.meta.dirname, '../../resources/speech');

let bundlePath: Promise<string> | undefined;

/** Bundles once per test file, because bundling takes most of an installation's time. */
async function bundleOnce(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-stand-in-bundle-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'llama-omni-server.mjs');
  await promisify(execFile)(process.execPath, [bundler, file]);
  return file;
}

/** Installs the stand-in as an executable `llama-omni-server` in the folder, and returns its path. From the repository it needs only the recorded speech. */
export async function installStandIn(folder: string, faults: StandInFaults = {}): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const bundle = join(folder, 'llama-omni-server.mjs');
  bundlePath ??= bundleOnce();
  copyFileSync(await bundlePath, bundle);
  const program = join(folder, 'llama-omni-server');
  const lines = [
    '#!/bin/sh',
    `STAND_IN_SPEECH=${quote(speech)} STAND_IN_FAULTS=${quote(JSON.stringify(faults))} \\`,
    `exec ${quote(process.execPath)} ${quote(bundle)} "$@"`,
    '',
  ];
  writeFileSync(program, lines.join('\n'));
  chmodSync(program, 0o755);
  return program;
}

/** Writes small files under the model's names and returns the path for `-m`. */
export function fillModelFolder(folder: string): string {
  for (const name of modelFileNames) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'GGUF');
  }
  return join(folder, modelFileNames[0]);
}

/** Writes a catalogue of the folder's files, for `PARLEY_MODEL_CATALOGUE`. Without a mirror nothing can be downloaded. */
export function writeCatalogue(path: string, folder: string, mirror = 'http://127.0.0.1:9/'): void {
  const files = modelFileNames.map((name) => {
    const content = readFileSync(join(folder, name));
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { path: name, bytes: content.length, sha256 };
  });
  const mirrors = [{ id: 'huggingface', base: mirror }];
  writeFileSync(path, JSON.stringify({ revision: 'test', files, mirrors }));
}

/** The arguments that Parley starts `llama-omni-server` with, for a port of the test. */
export function standInArguments(model: string, port: number, contextSize = 4096): string[] {
  const sampling =
    '--temp 0.7 --top-k 100 --top-p 0.8 --min-p 0 --repeat-penalty 1.05 --repeat-last-n 512';
  return [
    '-m',
    model,
    ...`--host 127.0.0.1 --port ${port} -ngl 99 --ctx-size ${contextSize} ${sampling}`.split(' '),
  ];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
