import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { DataFolder } from '../../../shared/ports/files.ts';
import type { PrivacySettings } from '../../../shared/settings/app-settings.ts';
import type { RecentBufferState } from '../../../shared/talk/talk-view.ts';
import type { TapeFacts } from '../tape/tape.ts';
import { ignoreAfterClose, type TapeRecorder } from './tape-recorder.ts';

/** The buffer of a talk, which can be written as a tape. */
export interface BufferedTape {
  readonly recorder: TapeRecorder;
  readonly writeTo: (folder: string) => Promise<Outcome<{ readonly seconds: number }>>;
}

interface RecentTapeDeps {
  readonly folder: Pick<DataFolder, 'path' | 'make' | 'names'>;
  readonly openBuffer: (facts: TapeFacts) => BufferedTape;
  readonly privacy: () => Pick<PrivacySettings, 'holdRecent'>;
  readonly onChange: (recent: RecentBufferState | undefined) => void;
}

/** Lets the user save the last two minutes of a talk that is not being recorded. */
export class RecentTapeController {
  readonly #deps: RecentTapeDeps;
  #buffered: { readonly name: string; readonly tape: BufferedTape } | undefined;
  #writing: Promise<Outcome<undefined>> | undefined;

  constructor(deps: RecentTapeDeps) {
    this.#deps = deps;
  }

  /** Undefined if the user has turned the buffer off. The name is the talk record's id. */
  begin(name: string, facts: TapeFacts): TapeRecorder | undefined {
    const { holdRecent } = this.#deps.privacy();
    if (!holdRecent) return undefined;
    const tape = this.#deps.openBuffer({ ...facts, sound: 'pcm16', saved: true });
    this.#buffered = { name, tape };
    this.#deps.onChange({ kind: 'inMemory' });
    return ignoreAfterClose(tape.recorder);
  }

  /** Saves the buffer as a tape; concurrent calls share one tape. */
  keep(): Promise<Outcome<undefined>> {
    const buffered = this.#buffered;
    if (buffered === undefined) return Promise.resolve(failure('recentNotHeld'));
    this.#writing ??= this.#write(buffered.name, buffered.tape).finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** The talk is over: discards what was not saved. */
  async discard(name: string): Promise<void> {
    await this.#writing;
    if (this.#buffered?.name !== name) return;
    const { recorder } = this.#buffered.tape;
    this.#buffered = undefined;
    this.#deps.onChange(undefined);
    await recorder.close();
  }

  /** Deleting all recordings also drops the buffer of an ended talk. */
  async forget(): Promise<void> {
    if (this.#buffered !== undefined) await this.discard(this.#buffered.name);
  }

  async #write(name: string, tape: BufferedTape): Promise<Outcome<undefined>> {
    const { folder, onChange } = this.#deps;
    const made = await folder.make();
    const names = made.ok ? await folder.names() : made;
    if (!names.ok) return names;
    const usedNames = new Set(names.value);
    let freeName = name;
    for (let number = 2; usedNames.has(freeName); number += 1) freeName = `${name}-${number}`;
    const path = `${folder.path}/${freeName}`;
    const written = await tape.writeTo(path);
    if (!written.ok) return written;
    if (this.#buffered?.tape === tape)
      onChange({ kind: 'stored', path, seconds: written.value.seconds });
    return done;
  }
}
