import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from './fixtures/host-test.ts';

const root = resolve(import.meta.dirname, '../..');

interface Attachment {
  readonly name: string;
  readonly path?: string;
}

interface Report {
  readonly suites: readonly {
    readonly specs: readonly {
      readonly title: string;
      readonly tests: readonly {
        readonly results: readonly {
          readonly status: string;
          readonly errors: readonly { readonly message: string }[];
          readonly attachments: readonly Attachment[];
        }[];
      }[];
    }[];
  }[];
}

/** Runs the planted tests in a separate runner, and returns its results. */
function runPlanted(host: string, output: string) {
  const ended = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/@playwright/test/cli.js'),
      'test',
      `--config=${join(root, 'test/e2e/planted/playwright.config.ts')}`,
      `--project=${host}`,
      `--output=${output}`,
      '--reporter=json',
    ],
    { cwd: root, encoding: 'utf8' },
  );
  const { suites } = JSON.parse(ended.stdout) as Report;
  return suites[0]?.specs.map(({ title, tests }) => {
    const result = tests[0]?.results[0];
    return {
      title,
      status: result?.status,
      errors: result?.errors.map(({ message }) => message).join('\n') ?? '',
      screen: result?.attachments.find(({ name }) => name === 'screen')?.path,
    };
  });
}

test('every failing test has a screenshot', ({ host }) => {
  test.setTimeout(180_000); // it starts the host four times
  const output = mkdtempSync(join(tmpdir(), 'parley-planted-'));
  try {
    const outcomes = runPlanted(host, output) ?? [];
    const [complaint, fault, failure, good] = outcomes;
    expect(good?.errors).toBe('');
    expect(outcomes.map(({ title, status }) => [title, status])).toEqual([
      ['logs an error to the console', 'failed'],
      ['throws in the page without using the page fixture', 'failed'],
      ['fails on an assertion', 'failed'],
      ['passes', 'passed'],
    ]);
    expect(complaint?.errors).toMatch(/complaints in the console[^]*a planted complaint/);
    expect(fault?.errors).toMatch(/complaints in the console[^]*a planted fault/);
    expect(failure?.errors).toContain('a planted title');
    for (const { screen } of [complaint, fault, failure].filter(
      (outcome) => outcome !== undefined,
    )) {
      expect(
        readFileSync(screen ?? '')
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
    }
    expect(good?.screen).toBeUndefined();
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
});
