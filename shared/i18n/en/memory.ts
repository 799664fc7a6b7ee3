/** The screen of the memory. */
export const englishMemory = {
  empty: 'Parley remembers nothing about you yet.',
  amount: '{{count}} of {{most}} sentences. {{percent}} % of the room is used.',
  sources: {
    person: 'You wrote this',
    talk: 'From the talk “{{title}}”',
    chat: 'From the chat “{{title}}”',
    untitled: 'untitled',
  },
  from: '{{source}}, {{date}}',
  on: 'Use “{{text}}”',
  up: 'Move up: {{text}}',
  down: 'Move down: {{text}}',
  edit: 'Edit: {{text}}',
  remove: 'Delete: {{text}}',
  past: {
    title: 'From earlier:',
    open: '{{title}}, {{date}}',
    remove: 'Don’t send “{{title}}”',
    nextSession: 'Parley can use this in a few minutes, not at once.',
    inTalk: 'Parley has this now.',
  },
  suggestions: {
    title: 'Remember this?',
    replaces: 'Instead of: {{text}}',
    accept: 'Remember',
    reject: 'No',
    acceptThis: 'Remember: {{text}}',
    rejectThis: 'No: {{text}}',
    first: 'Parley found something worth remembering. How do you want to handle this?',
    more: 'Show all {{count}}',
  },
  write: 'A sentence about you',
  add: 'Add',
  example: 'I have two children and live in Bergen.',
  deleteAll: 'Delete all',
  askAll: 'Forget everything about you?',
  askAllText: 'Every sentence is deleted. This can’t be undone.',
  yesAll: 'Forget everything',
} as const;

export const englishSettingsMemory = {
  use: {
    name: 'Use the memory',
    hint: 'Sends what is turned on below with each talk and chat, except in Incognito.',
    also: 'remember personal facts about me privacy off',
  },
  suggest: {
    name: 'Suggestions',
    hint: 'After a talk or chat that is kept, its server is asked what to remember. Talks need your words written down.',
    also: 'remember automatic propose learn from talks',
  },
  past: {
    name: 'Look into History',
    hint: 'If a question refers to an earlier talk or chat, two passages go along to the server.',
    also: 'we talked about last time remember search passages earlier conversations',
  },
  list: {
    name: 'What Parley knows about you',
    hint: 'If not all of it fits, the first sentences are sent.',
    also: 'remember forget facts personal sentences delete edit sort',
  },
  write: {
    name: 'Tell Parley something',
    hint: 'One short sentence. Don’t write passwords here.',
    also: 'remember add new fact',
  },
} as const;
