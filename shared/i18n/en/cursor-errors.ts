/** The placeholders are the facts of the codes in `shared/errors`. */
export const englishCursorErrors = {
  cursorElsewhere: 'Only the desktop app works in other programs.',
  cursorNoTalk: 'No talk with pictures is running. Start one with the camera or a screen.',
  cursorRegionGone: 'The picture of the screen is gone. Take it again.',
  cursorActionGone: 'That action no longer exists.',
  cursorActionsUnread: 'This is not a file of actions. Export one to see its form.',
  cursorActionsMany: 'There would be more than {{most}} actions. Delete some first.',
  cursorTargetGone: 'The other window is gone. The text is copied: paste it where you want it.',
  cursorTargetUnknown:
    'Parley cannot paste on this desktop. The text is copied: paste it with Ctrl + V.',
  cursorKeysFailed: 'The other program did not take the text. It is copied: paste it yourself.',
  cursorKeysRefused:
    'The desktop did not let Parley press keys. The text is copied: paste it with Ctrl + V.',
  cursorTextLong: 'The text is too long to put it there. It is copied: paste it yourself.',
  cursorNothingSelected: 'Nothing is selected. Select a text first, or copy one.',
};
