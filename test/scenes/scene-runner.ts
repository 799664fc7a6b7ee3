import type { TalkHarness } from './talk-harness.ts';

export type Scene = readonly [name: string, run: (harness: TalkHarness) => Promise<unknown>];

/** Runs scenes with one harness in order, and stops after a failure. */
export class SceneRunner {
  readonly #harness: TalkHarness;
  readonly #results = new Map<string, Promise<void>>();
  #last: Promise<void> = Promise.resolve();
  #failed: string | undefined;

  constructor(harness: TalkHarness) {
    this.#harness = harness;
  }

  begin(open: (harness: TalkHarness) => Promise<unknown>, scenes: readonly Scene[]): void {
    this.#then('opening', open);
    for (const [name, run] of scenes) this.#then(name, run);
  }

  /** Resolves after the scene, and rejects if it failed. */
  async result(name: string): Promise<void> {
    await this.#results.get(name);
  }

  async end(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#harness.end();
  }

  #then(name: string, run: Scene[1]): void {
    const before = this.#last;
    const runScene = async (): Promise<void> => {
      await before.catch(() => undefined);
      if (this.#failed !== undefined) {
        throw new Error(`It was not run, because "${this.#failed}" failed.`);
      }
      try {
        await run(this.#harness);
      } catch (problem) {
        this.#failed = name;
        throw problem;
      }
    };
    const result = runScene();
    // The caller of `result` gets the error.
    result.catch(() => undefined);
    this.#results.set(name, result);
    this.#last = result;
  }
}
