import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { DataFolder } from '../../../shared/ports/files.ts';
import type { RecentHold } from '../../../shared/recordings/talk-keeping.ts';
import type { PrivacySettings } from '../../../shared/settings/privacy-settings.ts';
import type { TapeHeader } from '../tape/tape.ts';
import { type TapeRecorder, untilClosed } from './tape-recorder.ts';

type TapeFacts = Omit<TapeHeader, 'format' | 'version' | 'recordedAt'>;

/** What of a talk is held in memory, and can become a tape. */
export interface HeldTape {
  readonly recorder: TapeRecorder;
  readonly writeTo: (folder: string) => Promise<Outcome<{ readonly seconds: number }>>;
}

interface Deps {
  readonly folder: Pick<DataFolder, 'path' | 'make' | 'names'>;
  readonly hold: (facts: TapeFacts) => HeldTape;
  readonly privacy: () => Pick<PrivacySettings, 'holdRecent'>;
  readonly changed: (recent: RecentHold | undefined) => void;
}

/** The last two minutes of a talk that is on no tape, for the moment in which one wishes it were. */
export class RecentTapes {
  readonly #deps: Deps;
  #held: { readonly name: string; readonly tape: HeldTape } | undefined;
  #writing: Promise<Outcome<undefined>> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Nothing where the person does not want it. The name is that of the talk's record, too. */
  begin(name: string, facts: TapeFacts): TapeRecorder | undefined {
    const { holdRecent } = this.#deps.privacy();
    if (!holdRecent) return undefined;
    const tape = this.#deps.hold({ ...facts, sound: 'pcm16', saved: true });
    this.#held = { name, tape };
    this.#deps.changed({ kind: 'held' });
    return untilClosed(tape.recorder);
  }

  /** Makes a tape of what is held now; asked for again meanwhile, it is the same one. */
  keep(): Promise<Outcome<undefined>> {
    const held = this.#held;
    if (held === undefined) return Promise.resolve(failure('recentNotHeld'));
    this.#writing ??= this.#write(held.name, held.tape).finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** The talk is over for good: what nobody has asked for goes. */
  async leave(name: string): Promise<void> {
    await this.#writing;
    if (this.#held?.name !== name) return;
    const { recorder } = this.#held.tape;
    this.#held = undefined;
    this.#deps.changed(undefined);
    await recorder.close();
  }

  /** Deleting all recordings also drops the minutes of an ended talk that are still in memory. */
  async forget(): Promise<void> {
    if (this.#held !== undefined) await this.leave(this.#held.name);
  }

  async #write(name: string, tape: HeldTape): Promise<Outcome<undefined>> {
    const { folder, changed } = this.#deps;
    const made = await folder.make();
    const names = made.ok ? await folder.names() : made;
    if (!names.ok) return names;
    const taken = new Set(names.value);
    let free = name;
    for (let more = 2; taken.has(free); more += 1) free = `${name}-${more}`;
    const path = `${folder.path}/${free}`;
    const written = await tape.writeTo(path);
    if (!written.ok) return written;
    if (this.#held?.tape === tape) changed({ kind: 'kept', path, seconds: written.value.seconds });
    return { ok: true, value: undefined };
  }
}
