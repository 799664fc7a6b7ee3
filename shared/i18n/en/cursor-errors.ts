/** The placeholders are the facts of the codes in `shared/errors`. */
export const englishCursorErrors = {
  cursorElsewhere: 'Only the desktop app works in other programs.',
  cursorActionGone: 'That action no longer exists.',
  cursorNothingSelected: 'Nothing is selected. Select a text first, or copy one.',
};
