import type {
  NativeLibraryName,
  NativeLibraryState,
  NativeLibraries,
} from '../../shared/app/program.ts';

/** Native libraries that all load, except for the given states. */
export class FakeNativeLibraries implements NativeLibraries {
  readonly #states: Map<NativeLibraryName, NativeLibraryState>;

  constructor(states: Partial<Record<NativeLibraryName, NativeLibraryState>> = {}) {
    this.#states = new Map(Object.entries(states) as [NativeLibraryName, NativeLibraryState][]);
  }

  readonly load = (library: NativeLibraryName): Promise<NativeLibraryState> =>
    Promise.resolve(
      this.#states.get(library) ?? { state: 'loads', detail: `fake ${library} 1.0.0` },
    );
}
