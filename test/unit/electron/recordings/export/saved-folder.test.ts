import { describe, expect, it } from 'vitest';
import { SavedFolder } from '../../../../../electron/recordings/export/export-controller.ts';
import { unwrapAnswer } from '../../../../fakes/unwrap-answer.ts';

const file = (path: string) => ({ ok: true, value: { kind: 'file', path } }) as const;

describe('the folder of what was saved last', () => {
  it('is opened, and of a browser’s download there is none', async () => {
    const opened: string[] = [];
    const saved = new SavedFolder((path) => {
      opened.push(path);
      return Promise.resolve(true);
    });
    saved.note(file('/home/someone/talks/a.zip'));
    saved.note({ ok: true, value: { kind: 'download', href: '/once', name: 'b.zip' } });
    expect(await unwrapAnswer(saved.show())).toEqual({ path: '/home/someone/talks', opened: true });
    expect(opened).toEqual(['/home/someone/talks']);
  });

  it('is said where nothing opens it, in whatever way its system writes paths', async () => {
    const saved = new SavedFolder(undefined);
    saved.note(file('C:\\Users\\someone\\a.zip'));
    expect(await unwrapAnswer(saved.show())).toEqual({ path: 'C:\\Users\\someone', opened: false });
  });

  it('is refused in a sentence before anything was saved', async () => {
    await expect(unwrapAnswer(new SavedFolder(undefined).show())).rejects.toThrow(
      'Nothing has been saved',
    );
  });
});
