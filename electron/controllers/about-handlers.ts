import type { About, PartName } from '../../shared/about.ts';
import type { Handlers, PostNotice } from '../../shared/ipc/contract.ts';
import type { Clock } from '../ports/clock.ts';
import type { NativeParts } from '../ports/native-parts.ts';

interface Deps {
  readonly about: About;
  readonly clock: Clock;
  readonly nativeParts: NativeParts;
  readonly notices: { readonly post: PostNotice };
}

/** What this Parley is made of, and whether its native parts load. */
export function createAboutHandlers(deps: Deps): Pick<Handlers, 'about' | 'checkParts'> {
  const { about, clock, nativeParts, notices } = deps;

  async function checkPart(part: PartName): Promise<void> {
    const began = clock.now();
    const state = await nativeParts.load(part);
    notices.post('partChecked', { part, milliseconds: clock.now() - began, ...state });
  }

  return {
    about: () => about,
    checkParts: ({ parts }) => {
      const wanted = new Set(parts);
      // Not awaited: each result is its own notice, and a port's load never rejects.
      for (const part of wanted) void checkPart(part);
      return { checking: wanted.size };
    },
  };
}
