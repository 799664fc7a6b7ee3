import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportMeasurement } from '../set-up/report-measurement.ts';

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
      expect(readFileSync(file, 'utf8')).toContain(title);
    } else {
      expect(sources.filter(([, text]) => text.includes(word)).map(([file]) => file)).toEqual([]);
    }
    reportMeasurement(`${number.padStart(2)}. ${item}: ${measure} (${evidence})`);
  });
});
