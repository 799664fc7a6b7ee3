/** The placeholders are the facts of the codes in `shared/errors`. */
export const englishToolErrors = {
  toolCallGone: 'Parley no longer waits for this. Ask again if you still need it.',
  toolPathOutside: 'You have not shared {{path}}. Share it in Settings, Tools.',
  toolNotText: '{{path}} is not a text file. Parley reads only text.',
  toolPlacesMany: 'You share {{most}} places already. Stop sharing one first.',
  toolNoDialog: 'Only the desktop app can share files. Open Parley there.',
  remindersMany: 'You have {{most}} reminders already. Cancel one first.',
  reminderGone: 'There is no such reminder. It may be over.',
};
