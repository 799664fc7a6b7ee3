import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { inRoot } from '../../scripts/lib/root.mjs';
import { leftOut, readWays, wayLimits } from '../../scripts/lib/ways.mjs';
import { walkWays } from './walk/walk-ways.ts';
import type { Walked } from './walk/walk-ways.ts';

const shown = readWays(readFileSync(inRoot('docs/architecture.md'), 'utf8'));
let walked: ReadonlyMap<string, Walked>;

beforeAll(async () => {
  walked = await walkWays();
  // `node scripts/ways.mjs --walked` prints them.
  const file = process.env['PARLEY_WALKED'];
  if (file !== undefined) writeFileSync(file, JSON.stringify(Object.fromEntries(walked)));
}, 60_000);

describe.each([...wayLimits.keys()])('the way from %s, when it is walked', (name) => {
  const pathOf = () => walked.get(name)?.path ?? [];

  it('leads from one end to the other', () => {
    expect(pathOf().length).toBeGreaterThan(5);
    expect(walked.get(name)?.executed.length).toBeGreaterThanOrEqual(pathOf().length);
  });

  it('leads through no file that the architecture leaves out', (context) => {
    const way = shown.find((one) => one.name === name);
    if (way === undefined) return context.skip('docs/architecture.md does not show this way yet');
    expect(leftOut(way, pathOf())).toEqual([]);
  });

  it('would show a file that was left out', () => {
    const [first = '', ...files] = pathOf();
    expect(leftOut({ name, files }, pathOf())).toEqual([first]);
  });
});
