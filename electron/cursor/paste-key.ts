/** How a program takes pasted text. */
export interface PasteMethod {
  readonly chord: string;
  /** The key pastes the selection, so the text must become the selection. */
  readonly fromSelection: boolean;
  /** A line end in the text would run it as a command. */
  readonly isTerminal: boolean;
}

/** X11 classes of terminals that paste the selection. */
const selectionTerminals: ReadonlySet<string> = new Set(['xterm', 'uxterm', 'urxvt', 'rxvt', 'st']);

const terminals =
  /^(?:gnome-terminal(?:-server)?|org\.gnome\.(?:terminal|console|ptyxis)|konsole|org\.kde\.konsole|xfce4-terminal|mate-terminal|lxterminal|qterminal|tilix|terminator|terminology|alacritty|kitty|ghostty|com\.mitchellh\.ghostty|org\.wezfurlong\.wezterm|wezterm|deepin-terminal|guake|yakuake|tilda|cool-retro-term|hyper)$/u;

/** The key that pastes in a program, by its lower-case class. */
export function pasteMethodOf(program: string): PasteMethod {
  if (selectionTerminals.has(program))
    return { chord: 'Shift+Insert', fromSelection: true, isTerminal: true };
  if (terminals.test(program))
    return { chord: 'Control+Shift+KeyV', fromSelection: false, isTerminal: true };
  return { chord: 'Control+KeyV', fromSelection: false, isTerminal: false };
}

/** The text as one line for a terminal, where a line end would run it. */
export function terminalText(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n]+\s*/gu, ' ');
}
