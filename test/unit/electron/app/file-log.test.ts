import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFileLog } from '../../../../electron/app/process-log.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

function fileLog(options: { maxFileBytes?: number; name?: string } = {}) {
  const at = workFolder();
  const failures: string[] = [];
  const changes: boolean[] = [];
  let time = Date.UTC(2026, 10, 22);
  const folder = at(options.name ?? 'logs');
  const log = createFileLog(folder, {
    maxFileBytes: options.maxFileBytes ?? 1000,
    now: () => time,
    onFirstFailure: (reason) => failures.push(reason),
    onWritableChange: (written) => {
      changes.push(written);
      log.write('warn', 'the listener writes to the log');
    },
  });
  const read = (name = 'parley.log') => readFileSync(`${folder}/${name}`, 'utf8');
  return { at, folder, log, read, failures, changes, pass: (ms: number) => (time += ms) };
}

describe('the log on the disk', () => {
  it('has one line per entry with time, process and level, readable by this user only', () => {
    const { log, read, folder } = fileLog();
    log.write('info', 'first');
    log.write('error', 'second\n    at somewhere');
    expect(read()).toBe(
      `2026-11-22T00:00:00.000Z ${process.pid} info: first\n` +
        `2026-11-22T00:00:00.000Z ${process.pid} error: second at somewhere\n`,
    );
    expect(statSync(`${folder}/parley.log`).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('rotates over three files of limited size and drops the oldest entries', () => {
    const { log, read, folder } = fileLog();
    for (let entry = 0; entry < 200; entry += 1) log.write('info', `entry ${entry}.`);
    const names = readdirSync(folder).toSorted();
    expect(names).toEqual(['parley.1.log', 'parley.2.log', 'parley.log']);
    for (const name of names) expect(statSync(`${folder}/${name}`).size).toBeLessThanOrEqual(1000);
    expect(read()).toContain('entry 199.');
    expect(names.map(read).join('')).not.toContain('entry 0.');
  });

  it('is created again after the user deleted it', () => {
    const { log, read, folder } = fileLog();
    log.write('info', 'before');
    rmSync(folder, { recursive: true });
    log.write('info', 'after');
    expect(read()).not.toContain('before');
    expect(read()).toContain('after');
  });

  it('reports once that it cannot be written, never throws, and retries after a minute', () => {
    const { at, log, read, failures, changes, folder, pass } = fileLog({ name: 'here' });
    writeFileSync(at('here'), 'no folder');
    for (const entry of ['one', 'two']) log.write('warn', entry);
    expect([failures.length, changes]).toEqual([1, [false]]);
    rmSync(folder);
    mkdirSync(folder);
    log.write('warn', 'too early');
    pass(61_000);
    log.write('warn', 'three');
    expect(read()).toContain('three');
    expect(read()).not.toContain('too early');
    expect([failures.length, changes]).toEqual([1, [false, true]]);
  });

  it('grows to at most twice its limit if it cannot be renamed', () => {
    const { log, read, folder } = fileLog();
    // Folders with something in them: nothing can take their name.
    for (const age of [1, 2]) mkdirSync(`${folder}/parley.${age}.log/held`, { recursive: true });
    for (let entry = 0; entry < 30; entry += 1) log.write('info', `entry ${entry}.`);
    expect(read()).toContain('entry 0.');
    expect(read()).toContain('entry 29.');
    for (let entry = 0; entry < 200; entry += 1) log.write('info', `entry ${entry}.`);
    expect(statSync(`${folder}/parley.log`).size).toBeLessThanOrEqual(2100);
    expect(read()).toContain('entry 199.');
  });

  it('contains no secrets, forged lines or oversized entries', () => {
    const { log, read } = fileLog({ maxFileBytes: 100_000 });
    log.write('warn', 'GET wss://me:pass@host/v1?token=abc123&x=1 refused');
    log.write('warn', 'header Authorization: Bearer abc123.def, token="abc123"');
    log.write('warn', 'name\r\n2026-11-22T00:00:00.000Z 1 error: forged\u001b[2J\u202e');
    log.write('warn', 'x'.repeat(50_000));
    for (const kept of ['abc123', 'pass@', '\u001b', '\u202e', '\r']) {
      expect(read()).not.toContain(kept);
    }
    expect(read().trimEnd().split('\n')).toHaveLength(4);
    expect(read().length).toBeLessThan(6000);
  });
});
