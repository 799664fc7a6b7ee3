import { describe, expect, it } from 'vitest';
import { redactLog } from '../../../../../electron/recordings/redact/redact-text.ts';

describe('a redacted log', () => {
  it('keeps times, levels and Parley’s own words', () => {
    const lines = [
      '2026-11-22T10:00:00.000Z 4711 warn: a frame was refused: The disk is full.',
      '2026-11-22T10:00:01.000Z 4711 error: uncaught exception: TypeError at openSession (ECONNREFUSED)',
      '2026-11-22T10:00:02.500Z 4711 info: the sound system crashed the probe process: SIGABRT after 20 ms',
    ].join('\n');
    expect(redactLog(lines)).toBe(lines);
  });

  it('contains no name, address, path, word or secret of anyone', () => {
    const log = [
      '2026-11-22T10:00:00.000Z 1 warn: /home/gertrude/Müller/tape cannot be written',
      'wss://box.gertrude.example:8443/talk?key=s3cr3t refused 192.168.17.45 and fe80::12ab:9:1',
      'the server says: “Zdravstvuj Gertrude”, token eyJhbGciOi.J9 and 4915112345678',
      '格特鲁德 said クッキー to gertrude@post.example',
    ].join('\n');
    const redacted = redactLog(log);
    expect(redacted).toMatch(/^2026-11-22T10:00:00.000Z 1 warn: /u);
    for (const secret of [
      'gertrude',
      'müller',
      '192.168',
      '12ab',
      's3cr3t',
      'zdrav',
      'eyj',
      '49151',
    ])
      expect(redacted.toLowerCase()).not.toContain(secret);
    expect(redacted).not.toMatch(/格|特|ク/u);
    expect(redacted).toContain('cannot be written');
    expect(redacted.length).toBe(log.length);
  });
});
