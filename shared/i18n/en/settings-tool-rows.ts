/** Tools that Parley may use in Chat and Quick ask. */
export const englishSettingsTools = {
  clock: {
    name: 'Clock and calculator',
    hint: 'Parley looks at the clock and calculates exactly.',
    also: 'tool time date math calculate numbers mcp function',
  },
  reminders: {
    name: 'Reminders',
    hint: '“Remind me in ten minutes to call home.” They appear while Parley runs.',
    also: 'tool timer alarm notification later mcp function',
  },
  reminderList: {
    name: 'Your reminders',
    hint: 'What Parley will remind you of.',
    also: 'timer alarm cancel',
  },
  files: {
    name: 'Read shared files',
    hint: 'Parley reads the files and folders you share here, and no others.',
    also: 'tool folder documents open read mcp function',
  },
  places: {
    name: 'Shared files and folders',
    hint: 'What a tool reads from them goes to the server that answers.',
    also: 'folder path directory',
  },
  history: {
    name: 'Search History',
    hint: 'Parley looks up what you said before, in the talks and chats you kept.',
    also: 'tool search earlier remember mcp function',
  },
  talks: {
    name: 'Tools in talks',
    hint: 'Say “Remind me…”, “Look up…” or “Calculate…” in a talk. The server’s chat does it meanwhile.',
    also: 'voice request speak call remind look up mcp function',
  },
  servers: {
    name: 'Tool servers',
    hint: 'Programs and services that offer tools by MCP. Each tool is off until you switch it on.',
    also: 'mcp model context protocol plugin extension connector function',
  },
  addServers: {
    name: 'Add tool servers',
    hint: 'Paste the JSON with “mcpServers” that other assistants use. A program runs with your rights.',
    also: 'mcp import claude cursor json config',
  },
  always: {
    name: 'Allowed without asking',
    hint: 'Tools you chose “Always allow” for.',
    also: 'permission consent approve revoke',
  },
} as const;
