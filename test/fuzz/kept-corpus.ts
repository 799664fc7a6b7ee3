import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What found something new in earlier runs, a file for each target: a line for each input, in base64. */
const folder = join(import.meta.dirname, 'corpus');
/** Some kilobytes for each; longer ones are found again. */
const mostInputs = 40;
const mostBytes = 300;

const fileOf = (target: string): string =>
  join(folder, `${target.replaceAll(/[^a-z]+/giu, '-').toLowerCase()}.txt`);

export function keptCorpus(target: string): readonly Uint8Array[] {
  if (!existsSync(fileOf(target))) return [];
  const lines = readFileSync(fileOf(target), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => new Uint8Array(Buffer.from(line, 'base64')));
}

/** Those that brought something new, in their order: each has run what none before it had. */
export function keepCorpus(target: string, inputs: readonly Uint8Array[]): void {
  const kept = inputs.filter(({ length }) => length <= mostBytes).slice(0, mostInputs);
  if (kept.length === 0) return;
  const lines = kept.map((input) => `${Buffer.from(input).toString('base64')}\n`);
  writeFileSync(fileOf(target), lines.join(''));
}
