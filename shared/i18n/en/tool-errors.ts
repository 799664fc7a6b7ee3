/** The placeholders are the facts of the codes in `shared/errors`. */
export const englishToolErrors = {
  toolCallGone: 'Parley no longer waits for this. Ask again if you still need it.',
  toolPathOutside: 'You have not shared {{path}}. Share it in Settings, Tools.',
  toolNotText: '{{path}} is not a text file. Parley reads only text.',
  toolPlacesMany: 'You share {{most}} places already. Stop sharing one first.',
  toolNoDialog: 'Only the desktop app can share files. Open Parley there.',
  toolServersUnread:
    'This names no servers. It must be JSON with “mcpServers”, as other assistants use it.',
  toolServersMany: 'There would be more than {{most}} servers. Remove some first.',
  toolServerUnread: 'The server {{name}} is not complete. It needs a “command” or a “url”.',
  toolServerAddress:
    'The address of {{name}} must begin with https://. Only this computer may use http://.',
  toolServerPlaceholder:
    '{{name}} has a place for a secret, such as ${…}. Paste it above with the secret.',
  toolFileLink: '{{path}} is a link to another file. Choose that file with “Import from a file”.',
  toolFileLarge: '{{path}} is too large. Paste its servers above.',
  toolServerDenied: 'You did not allow {{name}}, so it was not added.',
  toolServerGone: 'That server was removed.',
  toolServerStopped: '{{name}} was stopped. Try again.',
  toolServerEnded: '{{name}} ended by itself. Try again, or start it in a terminal to see why.',
  toolServerSlow: '{{name}} did not answer within {{seconds}} seconds. Try again.',
  toolServerFloods: '{{name}} sent too much, so Parley ended it.',
  toolServerFailed: '{{name}} failed: {{error}}',
  toolProgramMissing: 'The program of {{name}} was not found. Install it, or write its full path.',
  toolGone: '{{name}} no longer has {{tool}}. Look at its tools in Settings, Tools.',
  toolChanged: '{{name}} changed {{tool}}. Look at it in Settings, Tools, and switch it on again.',
  requestNoTools: 'No tools are on for talks. Turn them on in Settings, Tools.',
  requestIncognito: 'Parley uses no tools in an incognito talk. Ask in Chat.',
  requestNoWords: 'Parley heard nothing lately. Say what to do, or write it.',
  requestUnclear: 'Parley could not make out your words. Say it again, or write it.',
  requestRunning: 'Parley is still busy with your last request. Ask again after it.',
  requestOnComputer:
    'The model on this computer cannot use tools beside this talk. On a large card, write a chat first.',
  requestNoPlace: 'The server has no free place beside the talk. Ask again later.',
  requestSlow: 'This took more than {{seconds}} seconds, so Parley stopped it. Ask again.',
  remindersMany: 'You have {{most}} reminders already. Cancel one first.',
  reminderGone: 'There is no such reminder. It may be over.',
};
