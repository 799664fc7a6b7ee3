import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noPackageSpecs, unpackagedSpecs } from '../../e2e/fixtures/package-specs.ts';

const folder = resolve(import.meta.dirname, '../../e2e');
const textOf = (spec: string): string => readFileSync(join(folder, spec), 'utf8');
const specs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.spec.ts') && !name.endsWith('.browser.spec.ts'),
);

describe('the desktop’s specs on the package', () => {
  it('excludes only existing specs that cannot run on the package, each with a reason', () => {
    for (const { spec, calls, reason } of unpackagedSpecs) {
      expect(specs).toContain(spec);
      expect(textOf(spec), `${spec} could run on the package`).toContain(`${calls}(`);
      expect(reason).not.toBe('');
    }
  });

  it('runs all the others', () => {
    const leftOut = specs.filter((spec) => noPackageSpecs.some((one) => one.test(`/${spec}`)));
    expect(leftOut.toSorted()).toEqual(unpackagedSpecs.map(({ spec }) => spec).toSorted());
  });

  it('includes no spec that always opens the desktop build', () => {
    const fixed = specs.filter((spec) => textOf(spec).includes("kind: 'desktop'"));
    expect(fixed).toEqual([]);
  });
});
