import { describe, expect, it } from 'vitest';
import { createNativeParts } from '../../electron/platform/system/native-parts.ts';
import { partNames } from '../../shared/app/program.ts';
import { failure } from '../../shared/errors/app-error.ts';
import { FakeNativeParts } from '../fakes/fake-native-parts.ts';
import { pictureWorkHere } from './picture-threads.ts';

const failing = (message: string) =>
  createNativeParts(
    { run: () => Promise.resolve(failure('noPictures', { error: message })) },
    () => {
      throw new Error(message);
    },
  );

describe.each([
  {
    name: 'real libraries',
    loading: createNativeParts(pictureWorkHere),
    broken: failing('broken addon'),
  },
  {
    name: 'fake libraries',
    loading: new FakeNativeParts(),
    broken: new FakeNativeParts({
      portaudio: { state: 'fails', reason: 'broken addon. Reinstall it.' },
      libvips: { state: 'fails', reason: 'broken addon. Reinstall it.' },
    }),
  },
])('the $name', ({ loading, broken }) => {
  it.each(partNames)('report the loaded version of %s', async (part) => {
    expect(await loading.load(part)).toEqual({
      state: 'loads',
      detail: expect.stringMatching(/\d+\.\d+\.\d+/) as string,
    });
  });

  it.each(partNames)('explain in a message why %s fails', async (part) => {
    expect(await broken.load(part)).toEqual({
      state: 'fails',
      reason: expect.stringMatching(/^broken addon\. .+\.$/) as string,
    });
  });
});

describe('the real libraries', () => {
  it('name a missing system library and the remedy', async () => {
    const message = 'libasound.so.2: cannot open shared object file: No such file or directory';
    expect(await failing(message).load('portaudio')).toEqual({
      state: 'fails',
      reason: `${message}. The system library libasound.so.2 is missing: install it and start Parley again.`,
    });
  });

  it('explain how to repair a broken package', async () => {
    expect(await failing('not a valid ELF').load('libvips')).toMatchObject({
      reason: 'not a valid ELF. Delete node_modules and start Parley again to reinstall wasm-vips.',
    });
  });
});
