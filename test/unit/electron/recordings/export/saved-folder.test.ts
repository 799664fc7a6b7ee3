import { describe, expect, it } from 'vitest';
import { SavedFolder } from '../../../../../electron/recordings/export/export-controller.ts';
import { unwrapAnswer } from '../../../../fakes/unwrap-answer.ts';

const file = (path: string) => ({ ok: true, value: { kind: 'file', path } }) as const;

describe('the folder of the latest export', () => {
  it('opens, and does not exist for a browser download', async () => {
    const opened: string[] = [];
    const saved = new SavedFolder((path) => {
      opened.push(path);
      return Promise.resolve(true);
    });
    saved.remember(file('/home/someone/talks/a.zip'));
    saved.remember({ ok: true, value: { kind: 'download', href: '/once', name: 'b.zip' } });
    expect(await unwrapAnswer(saved.show())).toEqual({ path: '/home/someone/talks', opened: true });
    expect(opened).toEqual(['/home/someone/talks']);
  });

  it('is named if the host cannot open it, with either path separator', async () => {
    const saved = new SavedFolder(undefined);
    saved.remember(file('C:\\Users\\someone\\a.zip'));
    expect(await unwrapAnswer(saved.show())).toEqual({ path: 'C:\\Users\\someone', opened: false });
  });

  it('is refused with an error before the first export', async () => {
    await expect(unwrapAnswer(new SavedFolder(undefined).show())).rejects.toThrow(
      'Nothing has been saved',
    );
  });
});
