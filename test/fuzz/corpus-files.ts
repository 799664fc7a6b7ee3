import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Inputs that reached new code in earlier runs: a file per target, an input per line, in base64. */
const folder = join(import.meta.dirname, 'corpus');
/** Limits a file to some kilobytes; runs find longer inputs again. */
const maxInputs = 40;
const maxBytes = 300;

const fileOf = (target: string): string =>
  join(folder, `${target.replaceAll(/[^a-z]+/giu, '-').toLowerCase()}.txt`);

export function readCorpus(target: string): readonly Uint8Array[] {
  if (!existsSync(fileOf(target))) return [];
  const lines = readFileSync(fileOf(target), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => new Uint8Array(Buffer.from(line, 'base64')));
}

/** Stores inputs in order: each ran a block that none before it ran. */
export function writeCorpus(target: string, inputs: readonly Uint8Array[]): void {
  const kept = inputs.filter(({ length }) => length <= maxBytes).slice(0, maxInputs);
  if (kept.length === 0) return;
  const lines = kept.map((input) => `${Buffer.from(input).toString('base64')}\n`);
  writeFileSync(fileOf(target), lines.join(''));
}
