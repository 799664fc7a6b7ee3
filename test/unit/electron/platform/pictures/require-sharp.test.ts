import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { requireSharp } from '../../../../../electron/platform/pictures/load-sharp.ts';

const warn = (code: string): void => {
  process.emitWarning(`a warning of ${code}`, { code });
};

let told: MockInstance<typeof process.emitWarning>;

beforeEach(() => {
  told = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});

afterEach(() => {
  told.mockRestore();
});

const codesTold = (): unknown[] => told.mock.calls.map(([, options]) => options);

it('keeps the warning of what it mends itself from people, and no other', () => {
  const loaded = { block: vi.fn(), unblock: vi.fn() };
  const sharp = requireSharp((name) => {
    if (name !== 'sharp') return { bindGlib: () => 7 };
    warn('SharpElectronLinux');
    warn('Another');
    return loaded;
  });
  expect(sharp).toBe(loaded);
  expect(codesTold()).toEqual([{ code: 'Another' }]);
  warn('SharpElectronLinux');
  expect(codesTold()).toHaveLength(2);
});

it('leaves three decoders open, after all were closed', () => {
  const calls: unknown[] = [];
  const block = (what: unknown): void => void calls.push(['block', what]);
  const unblock = (what: unknown): void => void calls.push(['unblock', what]);
  requireSharp((name) => (name === 'sharp' ? { block, unblock } : { bindGlib: () => 0 }));
  const opened = ['Jpeg', 'Png', 'Webp'].map((kind) => `VipsForeignLoad${kind}Buffer`);
  expect(calls).toEqual([
    ['block', { operation: ['VipsForeignLoad'] }],
    ['unblock', { operation: opened }],
  ]);
});

it('gives warnings back also where sharp cannot be loaded', () => {
  const load = (): never => {
    throw new Error('no sharp');
  };
  expect(() => requireSharp(load)).toThrow('no sharp');
  warn('SharpElectronLinux');
  expect(codesTold()).toHaveLength(1);
});
