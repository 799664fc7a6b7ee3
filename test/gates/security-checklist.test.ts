import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportMeasurement } from '../set-up/report-measurement.ts';
import { defaultSpecs, nightlyTag, nightlyTests, specsNamed } from '../set-up/test-tiers.ts';

// docs/security.md says how Parley fulfils each item of Electron's security checklist, and names a test or a missing API.

interface Item {
  readonly number: string;
  readonly item: string;
  readonly measure: string;
  readonly evidence: string;
}

const items: readonly Item[] = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number = '', item = '', measure = '', evidence = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { number, item, measure, evidence: evidence.replace(/^`(.*)`$/, '$1') };
  });

const sources = readdirSync('electron', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => [file, readFileSync(join('electron', file), 'utf8')] as const);

/** A protection that is removed turns `npm test` red, and not only the nightly run. */
function runsInNpmTest(file: string, text: string, title: string): boolean {
  const line = text.split('\n').find((candidate) => candidate.includes(title)) ?? '';
  const isListed =
    !file.startsWith('test/e2e/') ||
    Object.values(defaultSpecs).some((names) => specsNamed(names).test(`/${file}`));
  const isNightly = nightlyTests.some((place) => file.startsWith(`test/${place}`));
  return isListed && !isNightly && !line.includes(nightlyTag);
}

describe('Electron’s security checklist', () => {
  it('is complete and in order', () => {
    expect(items.map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_none, at) => String(at + 1)),
    );
  });

  it.each(items)('$number. $item', ({ number, item, measure, evidence }) => {
    const [, word] = /^without: (\w+)$/.exec(evidence) ?? [];
    if (word === undefined) {
      const [file = '', title = ''] = evidence.split(' › ');
      expect(title).not.toBe('');
      const text = readFileSync(file, 'utf8');
      expect(text).toContain(title);
      expect(file.endsWith('.json') || runsInNpmTest(file, text, title)).toBe(true);
    } else {
      expect(sources.filter(([, text]) => text.includes(word)).map(([file]) => file)).toEqual([]);
    }
    reportMeasurement(`${number.padStart(2)}. ${item}: ${measure} (${evidence})`);
  });
});
