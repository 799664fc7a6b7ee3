import { type ErrorCode, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import { type Page, StoppableTask } from '../../../shared/ipc/page.ts';
import type { CompareHandlers } from '../../../shared/ipc/recordings-ipc.ts';
import type { DataFolder } from '../../../shared/ports/files.ts';
import {
  type ComparableTape,
  type ComparedTapes,
  defaultComparisonBounds,
  differencesBeyond,
} from '../../../shared/recordings/tape-comparison.ts';
import { type TapeRendererDeps, renderTape } from '../replay/tape-renderer.ts';
import { type ConnectedRerun, rerunTape, type TapeRerunnerDeps } from '../rerun/rerun-tape.ts';
import type { LoadedTape, TapeFinder } from '../tape/tape-archive.ts';
import type { TapeHeader } from '../tape/tape.ts';
import { compareTalks, type MeasuredTalk, measureTalk } from './compare-talks.ts';

interface Deps extends TapeRerunnerDeps {
  readonly tapes: Pick<TapeFinder, 'openStored'>;
  readonly folder: Pick<DataFolder, 'path' | 'list'>;
  readonly readHeader: (folder: string) => TapeHeader | undefined;
  readonly rendering: () => Promise<TapeRendererDeps>;
  readonly connect: (
    server: string,
    facts: Pick<TapeHeader, 'mode' | 'chunkMs' | 'settings'>,
  ) => Promise<Outcome<ConnectedRerun>>;
  readonly post: PostNotice;
}

/** After these errors, the tape has only a part of the talk, which differs from the whole in every measure. */
const uselessTapes: ReadonlySet<string> = new Set([
  'rerunStopped',
  'rerunNotRecorded',
] satisfies ErrorCode[]);

/** The newest tapes to offer. A user would not choose from a longer list. */
const maxListed = 200;

/** Compares stored tapes with each other, or with what a server answers now. */
export class CompareController {
  readonly #deps: Deps;
  readonly #rerunning = new StoppableTask();

  readonly handlers: CompareHandlers = {
    comparableTapes: ({ tape }) => this.#list(tape),
    compareTapes: ({ tape, other }) => this.#compare(tape, other),
    rerunTape: ({ tape, server }, page) => this.#rerun(tape, server, page),
    stopRerun: this.#rerunning.stop,
  };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  end(): void {
    this.#rerunning.stop();
  }

  async #list(excluded: string): Promise<Outcome<readonly ComparableTape[]>> {
    const { folder, readHeader } = this.#deps;
    const items = await folder.list();
    if (!items.ok) return items;
    const newest = items.value.toSorted((one, other) => other.changedAt - one.changedAt);
    const found = newest.slice(0, maxListed).flatMap(({ name }): readonly ComparableTape[] => {
      const header = name === excluded ? undefined : readHeader(`${folder.path}/${name}`);
      if (header === undefined || header.mode === 'chat') return [];
      const { mode, endpoint: server, recordedAt } = header;
      return [{ tape: name, mode, server, recordedAt }];
    });
    return { ok: true, value: found };
  }

  async #compare(tape: string, other: string): Promise<Outcome<ComparedTapes>> {
    const one = await this.#measure(tape);
    if (!one.ok) return one;
    const two = await this.#measure(other);
    if (!two.ok) return two;
    const comparison = compareTalks(one.value.talk, two.value.talk);
    const differs = differencesBeyond(comparison, defaultComparisonBounds);
    const incomplete = one.value.incomplete || two.value.incomplete;
    return { ok: true, value: { comparison, differs, incomplete } };
  }

  async #measure(name: string): Promise<Outcome<{ talk: MeasuredTalk; incomplete: boolean }>> {
    const { tapes, rendering, clock } = this.#deps;
    const found = await tapes.openStored(name);
    if (!found.ok) return found;
    const { tape, release } = found.value;
    // Renders in slices, because a talk may be running.
    const pace = { clock, isStopped: () => false, onProgress: () => undefined };
    const made = await renderTape(tape, await rendering(), pace);
    await release();
    if (!made.ok) return made;
    const isDamaged = tape.damage !== undefined && tape.damage.code !== 'tapeUnfinished';
    const incomplete = isDamaged || tape.missing().length > 0;
    return { ok: true, value: { talk: measureTalk(made.value.rendered, tape.header), incomplete } };
  }

  async #rerun(name: string, server: string, page: Page): Promise<Outcome<{ tape: string }>> {
    if (this.#rerunning.isRunning) return failure('rerunGoesOn');
    return this.#rerunning.run(page, async (stoppable) => {
      const found = await this.#deps.tapes.openStored(name);
      return found.ok ? this.#send(found.value, server, stoppable) : found;
    });
  }

  async #send(
    { tape, release }: LoadedTape,
    server: string,
    stoppable: (stop: () => void) => void,
  ): Promise<Outcome<{ tape: string }>> {
    const { connect, post } = this.#deps;
    let made: ConnectedRerun | undefined;
    const sent = await rerunTape(
      {
        tape,
        connect: async (facts) => {
          const connected = await connect(server, facts);
          if (connected.ok) made = connected.value;
          return connected;
        },
        onProgress: (progress) => post('rerunProgress', progress),
        onStoppable: stoppable,
      },
      this.#deps,
    );
    await made?.finish();
    if (!sent.ok && uselessTapes.has(sent.error.code)) await made?.discard();
    await release();
    if (!sent.ok) return sent;
    return made === undefined
      ? failure('rerunNotRecorded')
      : { ok: true, value: { tape: made.tape } };
  }
}
