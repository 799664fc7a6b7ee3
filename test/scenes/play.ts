import type { Stage } from './stage.ts';

export type Scene = readonly [name: string, play: (stage: Stage) => Promise<unknown>];

/** Plays scenes on one stage in order, and stops after a failure. */
export class Play {
  readonly #stage: Stage;
  readonly #played = new Map<string, Promise<void>>();
  #last: Promise<void> = Promise.resolve();
  #failed: string | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  begin(open: (stage: Stage) => Promise<unknown>, scenes: readonly Scene[]): void {
    this.#then('opening', open);
    for (const [name, play] of scenes) this.#then(name, play);
  }

  /** Resolves after the scene, and rejects if it failed. */
  async scene(name: string): Promise<void> {
    await this.#played.get(name);
  }

  async end(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#stage.end();
  }

  #then(name: string, play: Scene[1]): void {
    const before = this.#last;
    const playing = async (): Promise<void> => {
      await before.catch(() => undefined);
      if (this.#failed !== undefined) {
        throw new Error(`It was not played, because "${this.#failed}" failed.`);
      }
      try {
        await play(this.#stage);
      } catch (problem) {
        this.#failed = name;
        throw problem;
      }
    };
    const played = playing();
    // The caller of `scene` gets the error.
    played.catch(() => undefined);
    this.#played.set(name, played);
    this.#last = played;
  }
}
