import { createRequire } from 'node:module';
import type { PartName, PartState } from '../../../shared/about.ts';
import { describeError } from '../../../shared/describe-error.ts';
import type { NativeParts } from '../../ports/native-parts.ts';
import { requireSharp } from '../pictures/require-sharp.ts';
import type { LoadPackage } from '../pictures/require-sharp.ts';

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
