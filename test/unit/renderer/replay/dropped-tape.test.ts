import { describe, expect, it } from 'vitest';
import { isTapeLike, mayBeTape } from '../../../../renderer/replay/tape-drop.tsx';

const file = (type: string) => ({ kind: 'file', type });

describe('an item dropped on the window', () => {
  it('may be a tape if it has no media type, like a folder', () => {
    expect(mayBeTape([file('')])).toBe(true);
    expect(mayBeTape([file('application/zip')])).toBe(true);
    expect(mayBeTape([file('application/x-ndjson')])).toBe(true);
  });

  it('is not a tape if it is a picture, sound or text, several files, or no file', () => {
    for (const type of ['image/png', 'audio/wav', 'text/plain', 'application/pdf'])
      expect(mayBeTape([file(type)]), type).toBe(false);
    expect(mayBeTape([file(''), file('')])).toBe(false);
    expect(mayBeTape([{ kind: 'string', type: '' }])).toBe(false);
    expect(mayBeTape([])).toBe(false);
  });

  it('is recognized as a tape by its name, or as a folder', () => {
    expect(isTapeLike({ name: 'Talk.PARLEYTAPE', folder: false })).toBe(true);
    expect(isTapeLike({ name: 'tape.ndjson', folder: false })).toBe(true);
    expect(isTapeLike({ name: '2026-10-03', folder: true })).toBe(true);
    expect(isTapeLike({ name: 'parleytape.png', folder: false })).toBe(false);
  });
});
