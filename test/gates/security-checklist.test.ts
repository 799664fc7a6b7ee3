import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

// docs/security.md says how each item of Electron's security checklist is held; what it names is there.

interface Item {
  readonly number: string;
  readonly item: string;
  readonly held: string;
  readonly shown: string;
}

const items: readonly Item[] = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number = '', item = '', held = '', shown = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { number, item, held, shown: shown.replace(/^`(.*)`$/, '$1') };
  });

const sources = readdirSync('electron', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => [file, readFileSync(join('electron', file), 'utf8')] as const);

describe('Electron’s security checklist', () => {
  it('is there whole, in its order', () => {
    expect(items.map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_none, at) => String(at + 1)),
    );
  });

  it.each(items)('$number. $item', ({ number, item, held, shown }) => {
    const [, word] = /^without: (\w+)$/.exec(shown) ?? [];
    if (word === undefined) {
      const [file = '', title = ''] = shown.split(' › ');
      expect(title).not.toBe('');
      expect(readFileSync(file, 'utf8')).toContain(title);
    } else {
      expect(sources.filter(([, text]) => text.includes(word)).map(([file]) => file)).toEqual([]);
    }
    process.stdout.write(`${number.padStart(2)}. ${item}: ${held} (${shown})\n`);
  });
});
