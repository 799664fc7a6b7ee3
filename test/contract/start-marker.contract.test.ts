import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { StartMarker } from '../../electron/app/start-marker.ts';
import { workFolder } from '../fakes/work-folder.ts';

describe('the start marker', () => {
  it('counts starts in a row that did not complete', () => {
    const at = workFolder();
    const starts = () => new StartMarker(at('state'));
    expect([starts().begin(), starts().begin(), starts().begin()]).toEqual([0, 1, 2]);
    starts().done();
    expect(starts().begin()).toBe(0);
    starts().done();
    expect(readdirSync(at('state'))).toEqual([]);
  });

  it.each(['', 'x', '-3', '1e99', '\u0000\u0000'])(
    'counts no failed start if its file contains "%s"',
    (content) => {
      const at = workFolder();
      writeFileSync(at('starting'), content);
      expect(new StartMarker(at('.')).begin()).toBe(0);
    },
  );

  it('does not prevent a start if it cannot be written', () => {
    const at = workFolder();
    writeFileSync(at('file'), '');
    const marker = new StartMarker(at('file'));
    expect(marker.begin()).toBe(0);
    marker.done();
    mkdirSync(at('closed'));
    chmodSync(at('closed'), 0o500);
    expect(new StartMarker(at('closed')).begin()).toBe(0);
  });
});
