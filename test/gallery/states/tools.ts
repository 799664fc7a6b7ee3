import type { UiState } from '../../../renderer/app/ui-state.ts';
import { initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import type { ToolCall } from '../../../shared/chat/chat-thread.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import type { FoundServerFile, ToolsView } from '../../../shared/tools/tools-view.ts';
import type { TalkRequest } from '../../../shared/talk/talk-view.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import { answer, conversationOf, question, sampleList } from '../sample-chat.ts';
import { sampleSettings, section } from '../sample-settings.ts';
import { live } from './talk.ts';

const texts = {
  en: ['Remind me in ten minutes to call home', 'call home', 'I will remind you.'],
  zh: ['十分钟后提醒我给家里打电话', '给家里打电话', '我会提醒你。'],
} as const;

const textsIn = (language: Language) =>
  inLanguage<readonly [string, string, string]>(texts, language);

const reminderCall = (language: Language, part: Partial<ToolCall> = {}): ToolCall => ({
  id: 'c1',
  at: 0,
  callName: 'set_reminder',
  tool: 'set_reminder',
  server: '',
  args: JSON.stringify({ text: textsIn(language)[1], in_minutes: 10 }),
  state: 'asking',
  isRisky: false,
  response: '',
  ...part,
});

const chatWith = (
  calls: (language: Language) => readonly ToolCall[],
  hasAnswer: boolean,
): GalleryState => ({
  view: (language): Partial<UiState> => {
    const [asked, , answered] = textsIn(language);
    const turn = answer('t2', hasAnswer ? answered : '');
    const state = hasAnswer ? turn.state : ({ kind: 'streaming' } as const);
    const conversation = conversationOf([
      question('t1', asked),
      { ...turn, state, calls: calls(language) },
    ]);
    const chat = { ...initialChatUiState, list: sampleList(language), conversation };
    return { screen: 'chat', settings: sampleSettings, chat };
  },
});

type Requested = Pick<TalkRequest, 'state' | 'voice' | 'error'>;

const allOn = { clock: true, reminders: true, files: true, history: true, talks: true };

/** A talk with a request of the user. */
const requested =
  (part: Requested, calls: (language: Language) => readonly ToolCall[], hasAnswer: boolean) =>
  (language: Language): Partial<UiState> => {
    const [asked, , answered] = textsIn(language);
    const turn = answer('t2', hasAnswer ? answered : '');
    const request = { id: 'r1', after: 9, words: asked, ...part };
    return {
      ...live(language),
      settings: sampleSettings,
      floor: 'nobody',
      talkRequests: [{ ...request, answer: { ...turn, calls: calls(language) } }],
    };
  };
const asking = requested(
  { state: 'answering', voice: 'no' },
  (language) => [reminderCall(language)],
  false,
);

const toolsView = (language: Language): ToolsView => ({
  reminders: [{ id: 1, at: Date.UTC(2026, 10, 28, 18, 30), text: textsIn(language)[1] }],
  due: [],
  sharedPaths: ['/home/ada/Documents/lighthouse'],
  always: [{ server: '', tool: 'calculate' }],
  servers: [
    {
      id: 's1',
      name: 'notes',
      place: 'npx notes-mcp --all',
      state: 'running',
      tools: [
        { name: 'search_notes', description: 'Finds notes.', isRisky: false, isOn: true },
        { name: 'delete_note', description: 'Deletes a note.', isRisky: true, isOn: false },
      ],
    },
    {
      id: 's2',
      name: 'weather',
      place: 'https://weather.example.invalid/mcp',
      state: 'idle',
      error: appError('toolServerEnded', { name: 'weather' }),
      tools: [],
    },
  ],
});

const toolsSection = section('tools', {}, { tools: allOn });

const foundServers: readonly FoundServerFile[] = [
  {
    program: 'Claude Desktop',
    path: '/home/ada/.config/Claude/claude_desktop_config.json',
    servers: [
      { id: 'f1', name: 'files', place: 'npx files-mcp /home/ada', variables: [], isKnown: true },
      { id: 'f2', name: 'calendar', place: 'uvx calendar-mcp', variables: ['CALENDAR_TOKEN'] },
    ],
  },
  {
    program: 'VS Code',
    path: '/home/ada/.config/Code/User/mcp.json',
    servers: [
      {
        id: 'f3',
        name: 'tickets',
        place: '',
        variables: [],
        problem: appError('toolServerPlaceholder', { name: 'tickets' }),
      },
    ],
  },
  {
    program: 'Zed',
    path: '/home/ada/.config/zed/settings.json',
    servers: [],
    problem: appError('toolFileLink', { path: '/home/ada/.config/zed/settings.json' }),
  },
];

export const toolStates: Readonly<Record<string, GalleryState>> = {
  'chat-tool-question': chatWith((language) => [reminderCall(language)], false),
  'chat-tool-risky': chatWith(
    () => [
      {
        ...reminderCall('en'),
        tool: 'delete_note',
        server: 'notes',
        args: JSON.stringify({ title: 'a '.repeat(600), tags: ['b', 'c'] }),
        isRisky: true,
      },
    ],
    false,
  ),
  'chat-tool-done': chatWith(
    (language) => [
      reminderCall(language, { id: 'c0', state: 'denied' }),
      reminderCall(language, { state: 'done', response: '1: 18:30' }),
    ],
    true,
  ),
  'talk-request-asking': { view: asking },
  'talk-request-done': {
    view: requested(
      { state: 'done', voice: 'later' },
      (language) => [reminderCall(language, { state: 'done', response: '1: 18:30' })],
      true,
    ),
  },
  'talk-request-refused': {
    view: requested(
      { state: 'failed', voice: 'no', error: appError('requestOnComputer') },
      () => [],
      false,
    ),
  },
  'talk-request-written': {
    view: (language) => ({
      ...live(language),
      problem: appError('requestNoWords'),
      writesRequest: true,
    }),
  },
  'mini-request-asking': {
    size: { width: 420, height: 216 },
    view: (language) => ({
      ...asking(language),
      settings: { ...sampleSettings, tools: allOn },
      windows: { main: true, mini: true },
      window: 'mini',
    }),
  },
  'settings-tools': {
    ...toolsSection,
    view: (language: Language) => ({
      ...toolsSection.view(language),
      toolsView: toolsView(language),
    }),
  },
  'settings-tools-found': {
    ...toolsSection,
    view: (language: Language) => ({ ...toolsSection.view(language), foundServers }),
  },
  'settings-tools-found-none': {
    ...toolsSection,
    view: (language: Language) => ({ ...toolsSection.view(language), foundServers: [] }),
  },
  'settings-tools-off': section('tools'),
};
