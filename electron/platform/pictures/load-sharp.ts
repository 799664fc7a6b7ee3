import { createRequire } from 'node:module';
import type { Sharp, SharpOptions } from 'sharp';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/harmless-text.ts';

/** Opens the bytes of a picture with sharp. */
export type OpenPicture = (file: Uint8Array, options: SharpOptions) => Sharp;

/** Loads sharp when the first picture comes, and says why where it cannot. */
export function loadSharp(): Outcome<OpenPicture> {
  try {
    // `require`, because sharp is built around a native addon and must not be bundled.
    return { ok: true, value: requireSharp(createRequire(import.meta.url)) as OpenPicture };
  } catch (error) {
    const reason = describeError(error);
    return failure('noPictures', { error: reason });
  }
}

/** Loads a package by name; what it returns is looked at, never trusted. */
export type LoadPackage = (packageName: string) => unknown;

interface OwnGlib {
  /** How many of sharp's calls were bound to libvips' own GLib; -1 where one could not be. */
  readonly bindGlib: () => number;
}

interface Blocking {
  readonly block: (what: { readonly operation: readonly string[] }) => void;
  readonly unblock: (what: { readonly operation: readonly string[] }) => void;
}

/** libvips would try a dozen decoders on a file; these three, from memory, are all it may. */
const takenLoaders = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
];

/**
 * Loads sharp so that it can be used beside Electron's GLib, too; why that needs doing stands in
 * `electron/audio/native/own-glib.c`. Every use of sharp in the main process goes through here.
 */
export function requireSharp(load: LoadPackage): unknown {
  const sharp = withoutWarning('SharpElectronLinux', () => load('sharp'));
  const { bindGlib } = load('parley-sound/own-glib.cjs') as OwnGlib;
  if (bindGlib() < 0) throw new Error('sharp cannot be kept apart from the GLib of the system');
  const { block, unblock } = sharp as Blocking;
  block({ operation: ['VipsForeignLoad'] });
  unblock({ operation: takenLoaders });
  return sharp;
}

/** On Linux sharp warns whoever started Parley of just what is done here. */
function withoutWarning<Value>(code: string, doing: () => Value): Value {
  const before = Object.getOwnPropertyDescriptor(process, 'emitWarning') ?? {};
  const emit = process.emitWarning.bind(process) as (...args: readonly unknown[]) => void;
  process.emitWarning = (warning: string | Error, options?: unknown): void => {
    const coded = typeof options === 'object' && options !== null && 'code' in options;
    if (!coded || options.code !== code) emit(warning, options);
  };
  try {
    return doing();
  } finally {
    Object.defineProperty(process, 'emitWarning', before);
  }
}
