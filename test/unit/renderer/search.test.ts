import { Moon } from 'lucide-react';
import { describe, expect, it } from 'vitest';
import { choiceCommands } from '../../../renderer/app/palette/command-palette.tsx';
import {
  findPaletteCommands,
  type PaletteCommand,
} from '../../../renderer/app/palette/palette-command.ts';
import { paletteCommands } from '../../../renderer/app/palette/palette-commands.ts';
import { initialUiState, type UiState } from '../../../renderer/app/ui-state.ts';
import { initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import { createI18n } from '../../../renderer/i18n/page-language.ts';
import {
  initialSettingsUiState,
  settingsSections,
} from '../../../renderer/settings/settings-ui-state.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import {
  sampleDevices,
  sampleSettings,
  sampleVoices,
  severalServers,
} from '../../gallery/sample-settings.ts';
import { openApp, sampleReplay } from './open-app.ts';
import { findSettings, loadSettingsIndex } from '../../../renderer/settings/find-settings.ts';
import { englishSettingsRows } from '../../../shared/i18n/en/settings-rows.ts';
import { defaultSettings } from '../../../shared/settings/settings.ts';
import { findInGuide, readGuide } from '../../../renderer/guide/guide-sheet.tsx';

const { t } = await createI18n('en');

function commandsIn(part: Partial<UiState>): readonly PaletteCommand[] {
  const context = { view: { ...initialUiState, ...part }, actions: openApp().actions, t };
  return [...paletteCommands(context), ...choiceCommands(context)];
}

function namesIn(part: Partial<UiState>): readonly string[] {
  return commandsIn(part).map(({ name }) => name);
}

/** The command that Enter runs. */
function firstFound(typed: string, part: Partial<UiState> = known): string | undefined {
  return findPaletteCommands(commandsIn(part), typed)[0]?.commands[0]?.name;
}

const known: Partial<UiState> = {
  windows: { main: true, mini: false },
  settings: { ...sampleSettings, endpoints: severalServers },
  settingsUi: { ...initialSettingsUiState, devices: sampleDevices, voices: sampleVoices('en') },
  chat: {
    ...initialChatUiState,
    list: [{ id: 'soup', title: 'Lentil soup for six', updatedAt: 0, pinned: false }],
  },
};
const live = { ...known, talkState: { value: { phase: 'live' }, at: 0 } } as const;

describe('the palette', () => {
  it('offers the commands that apply now', () => {
    const idle = namesIn({});
    const live = namesIn({ talkState: { value: { phase: 'live' }, at: 0 } });
    const place = { position: 2, length: 5, etaSeconds: undefined };
    const queued = namesIn({ talkState: { value: { phase: 'queued', ...place }, at: 0 } });
    expect(idle).toContain('Start talking');
    expect(idle).not.toContain('Interrupt');
    expect(live.slice(0, 5)).toEqual(['Interrupt', 'Mute', 'Pause', 'Hear this computer', 'End']);
    expect(live).not.toContain('Mic mode: Open microphone');
    expect(queued[0]).toBe('End');
    expect(idle).toEqual(
      expect.arrayContaining(['Settings: Servers', 'Theme: Dark', 'Language: 中文']),
    );
    expect(idle).not.toContain('Talk');
  });

  it('offers replay commands on the replay screen, beside those of a running talk', () => {
    const talkState = { value: { phase: 'live' }, at: 0 } as const;
    const replayed = namesIn({ talkState, screen: 'replay', replay: sampleReplay });
    expect(replayed.slice(0, 4)).toEqual([
      'Replay: Play',
      'Replay: Next event',
      'Replay: Previous event',
      'Close the replay',
    ]);
    expect(replayed).toContain('Pause');
    expect(new Set(replayed).size).toBe(replayed.length);
    expect(namesIn({ replay: sampleReplay })[0]).toBe('Replay');
    expect(namesIn({})).not.toContain('Replay');
    expect(namesIn({})).toContain('See an example: A talk with pictures');
  });

  it.each([
    ['dark', 'Theme: '],
    ['quit', 'Quit Parley'],
    ['new chat', 'New chat'],
    ['recordings', 'History'],
    ['webcam', 'Start with the camera'],
    ['headset', 'Microphone: USB Headset'],
    ['realtime.example', 'Talk to: MiniCPM-o, hosted'],
    ['soup', 'Chat: Lentil soup for six'],
    ['中文', 'Language: 中文'],
    ['hotkeys', 'Keyboard shortcuts'],
    ['watch', 'See an example: '],
    ['bigger text', 'Text size: Larger'],
    ['push to talk', 'Mic mode: Hold Space'],
    ['delete everything', 'Delete everything…'],
  ])('lists first for “%s” the command “%s”', (typed, name) => {
    expect(firstFound(typed)).toMatch(new RegExp(`^${name}`, 'u'));
  });

  it('offers to continue an ended talk only if that is possible', () => {
    const ending = { error: appError('endedByPerson'), by: 'client', orderly: true } as const;
    const after = (offer: 'none' | 'checkToken', by: 'client' | 'server') =>
      namesIn({
        talkState: { value: { phase: 'ended', ending: { ...ending, by }, offer }, at: 0 },
      })[0];
    expect(after('none', 'client')).toBe('Continue this talk');
    expect(after('none', 'server')).toBe('Start talking');
    expect(after('checkToken', 'server')).toBe('Start talking');
  });

  it('offers the default device only if a specific one is chosen', () => {
    const settings = {
      ...sampleSettings,
      audio: { ...sampleSettings.audio, speaker: { name: 'USB Headset', hostApi: 'ALSA' } },
    };
    expect(namesIn({ ...known, settings })).toContain('Speaker: System default');
    expect(namesIn(known)).not.toContain('Speaker: System default');
  });

  it.each([
    ['shut up', 'Interrupt'],
    ['hang up', 'End'],
  ])('lists first for “%s” during a talk the command “%s”', (typed, name) => {
    expect(firstFound(typed, live)).toBe(name);
  });

  it('finds commands that match all words, and ranks names first', () => {
    const command = (name: string, also = ''): PaletteCommand => ({
      group: 'looks',
      icon: Moon,
      name,
      keywords: also,
      run: () => undefined,
    });
    const commands = [command('Light', 'ink off'), command('Inkwell'), command('Theme: Ink')];
    const found = (typed: string) =>
      findPaletteCommands(commands, typed).flatMap((group) =>
        group.commands.map(({ name }) => name),
      );
    expect(found('ink the')).toEqual(['Theme: Ink']);
    expect(found('ink')).toEqual(['Inkwell', 'Theme: Ink', 'Light']);
    expect(found(' ')).toHaveLength(3);
    expect(found('nothing')).toEqual([]);
  });

  it('lists search-only commands only in search results', () => {
    const shown = findPaletteCommands(commandsIn(known), '').flatMap(({ commands }) => commands);
    const names = shown.map(({ name }) => name);
    expect(names).toContain('Talk to: MiniCPM-o, hosted');
    expect(names).not.toContain('Chat: Lentil soup for six');
    expect(firstFound('lentil')).toBe('Chat: Lentil soup for six');
  });
});

const settingRows: Readonly<Record<string, object>> = englishSettingsRows;
await loadSettingsIndex();

const found = (typed: string): readonly string[] => findSettings(typed).map(({ id }) => id);

describe('the settings search', () => {
  it.each([
    ['volume', 'audio.playbackVolume'],
    ['音量', 'audio.playbackVolume'],
    ['PUSH  to talk', 'talking.mode'],
    ['token password', 'endpoints.token'],
    ['proxy', 'endpoints.proxy'],
  ])('lists for “%s” the setting %s', (typed, id) => {
    expect(found(typed)).toContain(id);
  });

  it('ranks names before hints', () => {
    expect(found('volume').slice(0, 2)).toEqual(['audio.playbackVolume', 'audio.inputVolume']);
    expect(found('麦克风音量')[0]).toBe('audio.inputVolume');
    // The hint of a different setting has this word too.
    expect(found('louder')[0]).toBe('audio.playbackVolume');
    expect(found('record voice')[0]).toBe('voices.take');
    expect(found('  ')).toEqual([]);
    expect(found('xyzzy')).toEqual([]);
  });

  it('has a row for every setting', () => {
    const parts = (settingsSections as readonly string[]).filter((name) => name in defaultSettings);
    const { generation, ...assistant } = defaultSettings.assistant;
    const { overlap, ...talking } = defaultSettings.talking;
    const groups = {
      ...defaultSettings,
      assistant: { ...assistant, ...generation },
      talking: { ...talking, overlap, shortMs: overlap.shortMs },
      endpoints: { list: [] },
    };
    for (const name of parts) {
      const rows = Object.keys(settingRows[name] ?? {});
      expect(rows, name).toEqual(
        expect.arrayContaining(Object.keys(groups[name as keyof typeof groups])),
      );
    }
    // Chat shows its own options, and the Servers section those of proxy and model. Parley itself sets `firstRun` and `told`.
    const elsewhere = new Set(['chat', 'firstRun', 'told', 'proxy', 'model']);
    expect(parts.toSorted()).toEqual(
      Object.keys(defaultSettings)
        .filter((name) => !elsewhere.has(name))
        .toSorted(),
    );
  });
});

/** Where the texts have the name of each setting of the model on this computer, which has no rows. */
const modelTexts = {
  program: 'programPath',
  folder: 'folderPath',
  mirror: 'mirror',
  idleMinutes: 'idle',
  chatWhileTalking: 'chatWhileTalking',
} as const satisfies Readonly<Record<keyof typeof defaultSettings.model, string>>;

it('no two settings of the model on this computer have the same name', () => {
  const names = Object.values(modelTexts).map((text) => t(`model.${text}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.startsWith('model.'))).toEqual([]);
});

const source = `# A guide

Before all.

## Talking

Press **Start**.

![A talk](pictures/en/talk.webp)

Then speak: the key is F9.

## Keys

Every key.

## Seeing
`;

describe('the guide', () => {
  it('is split into sections of text and pictures', () => {
    const sections = readGuide(source);
    expect(sections.map(({ title }) => title)).toEqual(['A guide', 'Talking', 'Keys', 'Seeing']);
    expect(sections.map(({ parts }) => parts)).toEqual([
      [{ kind: 'text', text: 'Before all.' }],
      [
        { kind: 'text', text: 'Press **Start**.' },
        { kind: 'picture', alt: 'A talk', file: 'pictures/en/talk.webp' },
        { kind: 'text', text: 'Then speak: the key is F9.' },
      ],
      [{ kind: 'text', text: 'Every key.' }],
      [],
    ]);
  });

  it('has its subheadings moved up one level, to just below the section’s title', () => {
    const [section] = readGuide('## Tools\n\n### In a talk\n\nAsk.\n');
    expect(section?.parts).toEqual([{ kind: 'text', text: '## In a talk\n\nAsk.' }]);
  });

  it.each([
    ['', ['A guide', 'Talking', 'Keys', 'Seeing']],
    ['  ', ['A guide', 'Talking', 'Keys', 'Seeing']],
    ['KÉY', ['Keys', 'Talking']],
    ['key f9', ['Talking']],
    ['aeroplane', []],
  ])('lists for %j the sections %j', (typed, titles) => {
    expect(findInGuide(readGuide(source), typed).map(({ title }) => title)).toEqual(titles);
  });
});
