import { createRequire } from 'node:module';
import type { PartName, PartState, RuntimeVersion } from '../../../shared/app/program.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import type { NativeParts } from '../../../shared/ports/native-libraries.ts';
import { type LoadPackage, requireSharp } from '../pictures/load-sharp.ts';

// `require`, because both packages are CommonJS around a native addon and must not be bundled.
const requireHere: LoadPackage = createRequire(import.meta.url);

/** The real libraries: PortAudio through naudiodon, and sharp, which is asked where it decodes. */
export function createNativeParts(
  load: LoadPackage = requireHere,
  sharpElsewhere?: () => Promise<PartState>,
): NativeParts {
  return {
    load: async (part) => {
      if (part === 'sharp' && sharpElsewhere !== undefined) return sharpElsewhere();
      try {
        return { state: 'loads', detail: details[part](load) };
      } catch (error) {
        return explain(part, describeError(error));
      }
    },
  };
}

const details: Readonly<Record<PartName, (load: LoadPackage) => string>> = {
  portaudio: (load) => {
    load('naudiodon');
    // Our own streams on the library that naudiodon has just loaded.
    load('parley-sound');
    return `naudiodon ${textAt(load('naudiodon/package.json'), 'version')}`;
  },
  sharp: (load) => {
    const { sharp, vips } = versionsOf(requireSharp(load));
    return `sharp ${sharp}, libvips ${vips}`;
  },
};

function versionsOf(loadedSharp: unknown): { readonly sharp: string; readonly vips: string } {
  const versions = fieldAt(loadedSharp, 'versions');
  return { sharp: textAt(versions, 'sharp'), vips: textAt(versions, 'vips') };
}

function textAt(from: unknown, key: string): string {
  const found = fieldAt(from, key);
  return typeof found === 'string' ? found : 'of unknown version';
}

function fieldAt(from: unknown, key: string): unknown {
  const holds = (typeof from === 'object' && from !== null) || typeof from === 'function';
  return holds ? Reflect.get(from, key) : undefined;
}

const packages: Readonly<Record<PartName, string>> = { portaudio: 'naudiodon', sharp: 'sharp' };

/** Says what a loader's message means and what a person can do about it. */
function explain(part: PartName, message: string): PartState {
  const library = /^(lib[\w.+-]+): cannot open shared object file/.exec(message)?.[1];
  const remedy =
    library === undefined
      ? `Delete node_modules and start Parley again to reinstall ${packages[part]}.`
      : `The system library ${library} is missing: install it and start Parley again.`;
  return { state: 'fails', reason: `${message}. ${remedy}` };
}

/** Of what it was built; the build puts it in where there is a history to ask. */
declare const PARLEY_COMMIT: string | undefined;

const shown = [
  ['electron', 'Electron'],
  ['chrome', 'Chromium'],
  ['node', 'Node'],
] as const;

/** What it was built of, and the versions of what runs it; outside Electron only Node has one. */
export function runtimeVersions(
  versions: Readonly<Record<string, string | undefined>> = process.versions,
): readonly RuntimeVersion[] {
  const commit = typeof PARLEY_COMMIT === 'string' ? PARLEY_COMMIT : '';
  const built = commit === '' ? [] : [{ name: 'Commit', version: commit }];
  const run = shown.flatMap(([key, name]) => {
    const version = versions[key];
    return version === undefined ? [] : [{ name, version }];
  });
  return [...built, ...run];
}
