import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const out = resolve(import.meta.dirname, '../../out');

it.each(['main', 'renderer/assets'])(
  '%s has only one-byte characters, unless the text is Chinese',
  (folder) => {
    const programs = readdirSync(resolve(out, folder)).filter((file) => file.endsWith('.js'));
    expect(programs.length).toBeGreaterThan(5);
    for (const file of programs) {
      const text = readFileSync(resolve(out, folder, file), 'utf8');
      const wide = text.match(/[\u0100-\uffff]/g)?.length ?? 0;
      expect(wide === 0 || wide > text.length / 10, `${file}: ${wide} such characters`).toBe(true);
    }
  },
);
