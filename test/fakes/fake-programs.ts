import { done, type Outcome } from '../../shared/errors/app-error.ts';
import type {
  ClipboardContent,
  ForeignWindow,
  OtherPrograms,
  SelectedText,
} from '../../shared/ports/other-programs.ts';

/** The window of the other program. */
export const editor: ForeignWindow = { id: '0x1', title: 'Letter – Editor', program: 'editor' };

/** A desktop with one other program, whose window has the focus. */
export class FakePrograms implements OtherPrograms {
  focused: ForeignWindow | undefined = editor;
  selected: SelectedText = { text: '', cut: false };
  board: ClipboardContent = { kind: 'empty' };
  inserting: Outcome<undefined> = done;
  readonly inserted: { readonly text: string; readonly window: ForeignWindow | undefined }[] = [];
  readonly copied: string[] = [];
  readonly focusedAgain: ForeignWindow[] = [];

  active: OtherPrograms['active'] = () => Promise.resolve(this.focused);
  readonly selection = () => Promise.resolve(this.selected);
  readonly clipboard = () => Promise.resolve(this.board);

  readonly copy = (text: string): void => {
    this.copied.push(text);
  };

  /** Delays `focus` until it resolves. */
  beforeFocus: () => Promise<void> = () => Promise.resolve();

  readonly focus = async (window: ForeignWindow) => {
    this.focusedAgain.push(window);
    await this.beforeFocus();
    return done;
  };

  readonly canInsert: OtherPrograms['canInsert'] = (window) => window !== undefined;

  insert: OtherPrograms['insert'] = (text, window) => {
    this.inserted.push({ text, window });
    return Promise.resolve(this.inserting);
  };
}
