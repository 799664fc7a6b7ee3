import { createRequire } from 'node:module';
import type {
  NativeLibraryName,
  NativeLibraryState,
  RuntimeVersion,
  NativeLibraries,
} from '../../../shared/app/program.ts';
import { failure, type Outcome, describeError } from '../../../shared/errors/app-error.ts';
import type { PictureThread } from '../pictures/picture-thread.ts';

type LoadPackage = (packageName: string) => unknown;

// `require`, because these packages are CommonJS around a native addon and must not be bundled.
const requireHere: LoadPackage = createRequire(import.meta.url);

/** Loads the native libraries: PortAudio through naudiodon, and libvips in the thread that decodes pictures. */
export function createNativeLibraries(
  pictures: Pick<PictureThread, 'run'>,
  load: LoadPackage = requireHere,
): NativeLibraries {
  const loadVersion: Readonly<Record<NativeLibraryName, () => Promise<Outcome<string>>>> = {
    portaudio: async () => ({ ok: true, value: soundVersion(load) }),
    libvips: () => pictures.run(failure('picturesStopped'), 'version'),
  };
  return {
    load: async (library) => {
      try {
        const version = await loadVersion[library]();
        if (version.ok) return { state: 'loads', detail: version.value };
        const { error } = version;
        return toFailedState(
          library,
          error.code === 'noPictures' ? error.facts.error : 'Its thread does not start',
        );
      } catch (error) {
        return toFailedState(library, describeError(error));
      }
    },
  };
}

function soundVersion(load: LoadPackage): string {
  load('naudiodon');
  // Parley's addon uses the library that naudiodon has loaded.
  load('parley-sound');
  const manifest = load('naudiodon/package.json') as { readonly version?: string };
  return `naudiodon ${manifest.version ?? 'of unknown version'}`;
}

const packages: Readonly<Record<NativeLibraryName, string>> = {
  portaudio: 'naudiodon',
  libvips: 'wasm-vips',
};

/** Adds to a loader's message what the user can do. */
function toFailedState(library: NativeLibraryName, message: string): NativeLibraryState {
  const missing = /^(lib[\w.+-]+): cannot open shared object file/.exec(message)?.[1];
  const remedy =
    missing === undefined
      ? `Delete node_modules and start Parley again to reinstall ${packages[library]}.`
      : `The system library ${missing} is missing: install it and start Parley again.`;
  return { state: 'fails', reason: `${message}. ${remedy}` };
}

/** The commit of the build, which defines this if there is a git history. */
declare const PARLEY_COMMIT: string | undefined;

const shownRuntimes = [
  ['electron', 'Electron'],
  ['chrome', 'Chromium'],
  ['node', 'Node'],
] as const;

/** The build's commit and the versions of the runtimes. Outside Electron, that is only Node. */
export function runtimeVersions(): readonly RuntimeVersion[] {
  const commit = typeof PARLEY_COMMIT === 'string' ? PARLEY_COMMIT : '';
  const build = commit === '' ? [] : [{ name: 'Commit', version: commit }];
  const runtimes = shownRuntimes.flatMap(([key, name]) => {
    const version = process.versions[key];
    return version === undefined ? [] : [{ name, version }];
  });
  return [...build, ...runtimes];
}
