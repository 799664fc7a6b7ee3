import type { AppError } from '../../shared/errors/app-error.ts';
import type { UpdateWay } from '../../shared/updates/update-view.ts';
import type { StateFile } from '../ports/files.ts';
import type { UpdateGround } from '../ports/updates.ts';
import { goBack } from './go-back.ts';
import { UpdateMemoryStore } from './update-memory-store.ts';

interface WayBackDeps {
  readonly running: string;
  readonly ground: UpdateGround;
  readonly file: StateFile;
  readonly dice: number;
  /** Whether a Parley runs, which would be replaced under its feet. */
  readonly isOpen: () => Promise<boolean>;
}

/** What became of going back, or why it did not. */
export type WentBack =
  | { readonly kind: 'back'; readonly to: string; readonly from: string }
  | { readonly kind: 'none' | 'open' | Exclude<UpdateWay, 'replaces' | 'none'> }
  | { readonly kind: 'failed'; readonly error: AppError };

/** The way back to the version before, for who has no window to say so in. */
export class WayBack {
  readonly #deps: WayBackDeps;

  constructor(deps: WayBackDeps) {
    this.#deps = deps;
  }

  readonly previous = async (): Promise<string | undefined> => {
    const { ground } = this.#deps;
    return ground.way === 'replaces' ? (await ground.place.find()).previous : undefined;
  };

  readonly go = async (): Promise<WentBack> => {
    const { ground, running, file, dice, isOpen } = this.#deps;
    if (ground.way !== 'replaces') return { kind: ground.way };
    const to = await this.previous();
    if (to === undefined) return { kind: 'none' };
    if (await isOpen()) return { kind: 'open' };
    const memory = new UpdateMemoryStore(file, dice);
    const back = await goBack(ground.place, memory, running);
    if (!back.ok) return { kind: 'failed', error: back.error };
    await memory.settled();
    return { kind: 'back', to, from: running };
  };
}
