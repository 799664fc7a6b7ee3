/** The list of keys, and what each of them does. */
export const englishShortcuts = {
  name: 'Keyboard shortcuts',
  groups: {
    everywhere: 'Everywhere',
    talk: 'In a talk',
    chat: 'In Chat',
    history: 'In History',
    part: 'Choosing a part of the picture',
    inspector: 'In the list of the inspector',
    mini: 'In the mini window',
  },
  lines: {
    shortcuts: 'This list',
    close: 'Close what is open',
    talkKey: 'Hold or tap to talk',
    globalKey: 'The same from every program',
    send: 'Send',
    newLine: 'Begin a new line',
    paste: 'Attach a picture that was copied',
    stopEditing: 'Leave a question as it was',
    movePart: 'Move the part',
    sizePart: 'Make it larger or smaller',
    walk: 'Go up and down',
    ends: 'Go to the first or the last',
    closeWindow: 'Close it',
  },
  or: 'or',
} as const;
