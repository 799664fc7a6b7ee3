import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const folder = resolve(import.meta.dirname, '../../.github/workflows');
const scripts = new Set(Object.keys(manifest.scripts));

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');

  it('runs only commands that package.json has', () => {
    const run = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, script]) => script ?? '');
    expect(run.length).toBeGreaterThan(0);
    expect(run.filter((script) => !scripts.has(script))).toEqual([]);
  });

  it('has read-only permissions by default, and passes no secrets to pull requests', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    if (/pull_request/.test(text)) expect(text).not.toContain('secrets.');
  });
});

it('the release workflow lists every kind of package', () => {
  const release = readFileSync(join(folder, 'release.yml'), 'utf8');
  const kinds = [...release.matchAll(/release\/\*\.([\w.]+)/g)].map(([, kind]) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining(['AppImage', 'deb', 'dmg', 'exe', 'rpm', 'tar.gz', 'zip']),
  );
  expect(existsSync(join(folder, '../../CHANGELOG.md'))).toBe(true);
});
