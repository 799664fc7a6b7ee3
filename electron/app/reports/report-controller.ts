import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Page, PageCleanup } from '../../../shared/ipc/page.ts';
import type { ReportHandlers } from '../../../shared/ipc/recordings-ipc.ts';
import type { ChooseSaveTarget } from '../../../shared/ports/files.ts';
import type { ExportResult } from '../../../shared/recordings/export-form.ts';
import type { PreparedReport, ReportOf } from '../../../shared/recordings/problem-report.ts';
import type { SavedFolder } from '../../recordings/export/export-controller.ts';
import { isTapeOf, type TalkTapes } from '../../recordings/record/talk-tapes.ts';
import type { MadeReport, ReportMaker } from './report-maker.ts';

interface Deps {
  readonly maker: Pick<ReportMaker, 'make'>;
  readonly tapes: Pick<TalkTapes, 'names' | 'pathOf'>;
  readonly replayed: () => string | undefined;
  readonly shownTalk: () => string | undefined;
  readonly chooseTarget: ChooseSaveTarget;
  readonly saved: Pick<SavedFolder, 'note'>;
  /** The date for a file name. */
  readonly today: () => string;
}

/** Prepares a problem report, which the user reviews and then saves or drops. */
export class ReportController {
  readonly #deps: Deps;
  #report: MadeReport | undefined;
  readonly #pageCleanup = new PageCleanup();
  /** Counts requests, so that the result of an older one is dropped. */
  #requestCount = 0;

  readonly handlers: ReportHandlers = {
    prepareReport: ({ of }, page) => this.#prepare(of, page),
    saveReport: () => this.#save(),
    dropReport: () => this.drop(),
  };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async drop(): Promise<void> {
    this.#requestCount += 1;
    this.#pageCleanup.clear();
    const made = this.#report;
    this.#report = undefined;
    await made?.remove();
  }

  async #prepare(subject: ReportOf, page: Page): Promise<Outcome<PreparedReport>> {
    await this.drop();
    const requestNumber = this.#requestCount;
    const made = await this.#deps.maker.make(await this.#findTape(subject));
    if (!made.ok) return made;
    if (requestNumber !== this.#requestCount) {
      await made.value.remove();
      return failure('exportStopped');
    }
    this.#report = made.value;
    const { files, recordedAt } = made.value;
    this.#pageCleanup.set(page, () => void this.drop());
    return { ok: true, value: { files, recordedAt } };
  }

  async #findTape(subject: ReportOf): Promise<string | undefined> {
    const { tapes, replayed, shownTalk } = this.#deps;
    if (subject.kind === 'replay') return replayed();
    const names = [...(await tapes.names())].toSorted();
    const id = subject.kind === 'talk' ? subject.id : shownTalk();
    // Names sort by time. One talk can have several tapes, of its last minutes.
    const newest =
      subject.kind === 'last'
        ? names.at(-1)
        : names.findLast((name) => id !== undefined && isTapeOf(name, id));
    return newest === undefined ? undefined : tapes.pathOf(newest);
  }

  async #save(): Promise<Outcome<ExportResult>> {
    const made = this.#report;
    if (made === undefined) return failure('reportGone');
    const target = await this.#deps.chooseTarget(`Parley report ${this.#deps.today()}.zip`);
    if (target === undefined) return { ok: true, value: { kind: 'cancelled' } };
    const packed = await made.pack(target.draft);
    if (packed.ok) return this.#deps.saved.note(await target.commit());
    await target.discard();
    return packed;
  }
}
