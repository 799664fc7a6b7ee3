/** The placeholders are the facts of the codes in `shared/errors`. */
export const englishCursorErrors = {
  cursorElsewhere: 'Only the desktop app works in other programs.',
  cursorNoTalk: 'There is no talk that sees. Start one with the camera or a screen.',
  cursorActionGone: 'That action no longer exists.',
  cursorActionsUnread: 'This is not a file of actions. Export one to see its form.',
  cursorActionsMany: 'There would be more than {{most}} actions. Delete some first.',
  cursorNothingSelected: 'Nothing is selected. Select a text first, or copy one.',
};
