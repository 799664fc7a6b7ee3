import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createFileLog, limitRepeats } from '../../../../electron/app/process-log.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import {
  onOutputClosed,
  outputError,
  writeSafely,
} from '../../../../electron/app/process-output.ts';

function openFileLog(options: { maxFileBytes?: number; name?: string } = {}) {
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
    const { log, read, folder } = openFileLog();
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
    const { log, read, folder } = openFileLog();
    for (let entry = 0; entry < 200; entry += 1) log.write('info', `entry ${entry}.`);
    const names = readdirSync(folder).toSorted();
    expect(names).toEqual(['parley.1.log', 'parley.2.log', 'parley.log']);
    for (const name of names) expect(statSync(`${folder}/${name}`).size).toBeLessThanOrEqual(1000);
    expect(read()).toContain('entry 199.');
    expect(names.map(read).join('')).not.toContain('entry 0.');
  });

  it('reports once that it cannot be written, and tries again after a minute', () => {
    const { at, log, read, failures, changes, folder, pass } = openFileLog({ name: 'here' });
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

  it('contains no secrets, forged lines or oversized entries', () => {
    const { log, read } = openFileLog({ maxFileBytes: 100_000 });
    log.write('warn', 'GET wss://me:pass@host/v1?token=abc123&x=1 refused');
    log.write('warn', 'header Authorization: Bearer abc123.def, token="abc123"');
    log.write('warn', 'name\r\n2026-11-22T00:00:00.000Z 1 error: forged\u001b[2J\u202e');
    log.write('warn', 'x'.repeat(50_000));
    for (const text of ['abc123', 'pass@', '\u001b', '\u202e', '\r']) {
      expect(read()).not.toContain(text);
    }
    expect(read().trimEnd().split('\n')).toHaveLength(4);
    expect(read().length).toBeLessThan(6000);
  });
});

function openLimitedLog() {
  const log = new FakeLog();
  let time = 0;
  const limit = limitRepeats(log, () => time);
  return { log, limit, pass: (ms: number) => (time += ms) };
}

describe('limitRepeats', () => {
  it('writes a repeated entry once, and then its count', () => {
    const { log, limit, pass } = openLimitedLog();
    for (let time = 0; time < 50; time += 1) {
      limit.write('error', 'broken');
      pass(20);
    }
    limit.write('info', 'something else');
    expect(log.lines).toEqual([
      'parley error: broken',
      'parley error: broken (repeated 49 more times)',
      'parley info: something else',
    ]);
  });

  it('limits a flood of a thousand distinct entries', () => {
    const { log, limit, pass } = openLimitedLog();
    for (let entry = 0; entry < 1000; entry += 1) limit.write('warn', `number ${entry}`);
    expect(log.lines).toHaveLength(100);
    pass(1001);
    limit.write('info', 'quiet again');
    expect(log.lines.slice(100)).toEqual([
      'parley warn: 900 log entries were dropped, because more than 100 different ones came in one second',
      'parley info: quiet again',
    ]);
  });
});

/** A stream whose writes fail with the code that the test sets. */
function openStream() {
  const seen: string[] = [];
  let fault: string | undefined;
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      if (fault === undefined) seen.push(String(chunk));
      done(fault === undefined ? null : Object.assign(new Error(fault), { code: fault }));
    },
    // An error does not end the stream, as with those of the process.
    destroy(error, callback) {
      callback(error);
      Reflect.apply(Reflect.get(this, '_undestroy') as () => void, this, []);
    },
  });
  return { stream, seen, fail: (code: string | undefined) => (fault = code) };
}

const errorsEmitted = () => new Promise(setImmediate);

describe('writeSafely', () => {
  it.each(['EPIPE', 'EIO'])('reports %s once, and writes nothing afterwards', async (code) => {
    const { stream, seen, fail } = openStream();
    const onClosed = vi.fn<() => void>();
    onOutputClosed(stream, onClosed);
    writeSafely(stream, 'one');
    fail(code);
    for (const text of ['two', 'three']) writeSafely(stream, text);
    await errorsEmitted();
    expect(onClosed).toHaveBeenCalledOnce();
    fail(undefined);
    writeSafely(stream, 'four');
    expect(seen).toEqual(['one']);
    const late = vi.fn<() => void>();
    onOutputClosed(stream, late);
    expect(late).toHaveBeenCalledOnce();
    expect(outputError(stream)).toBeUndefined();
  });

  it('keeps the error of a full disk, which a command reports at its end', async () => {
    const { stream, fail } = openStream();
    for (const code of ['ENOSPC', 'ENOSPC', 'EPIPE']) {
      fail(code);
      writeSafely(stream, 'lost');
    }
    await errorsEmitted();
    expect(outputError(stream)).toMatchObject({ code: 'ENOSPC' });
  });
});
