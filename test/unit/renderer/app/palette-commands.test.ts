import { Moon } from 'lucide-react';
import { describe, expect, it } from 'vitest';
import { choiceCommands } from '../../../../renderer/app/palette/command-palette.tsx';
import {
  findPaletteCommands,
  type PaletteCommand,
} from '../../../../renderer/app/palette/palette-command.ts';
import { paletteCommands } from '../../../../renderer/app/palette/palette-commands.ts';
import { initialUiState, type UiState } from '../../../../renderer/app/ui-state.ts';
import { initialChatUiState } from '../../../../renderer/chat/chat-ui-state.ts';
import { createI18n } from '../../../../renderer/i18n/page-language.ts';
import { initialSettingsUiState } from '../../../../renderer/settings/settings-ui-state.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import {
  sampleDevices,
  sampleSettings,
  sampleVoices,
  severalServers,
} from '../../../gallery/sample-settings.ts';
import { openApp } from '../open-app.ts';
import { sampleReplay } from '../replay/sample-replay.ts';

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

  it('gives every command of a live talk a unique name', () => {
    const live = namesIn({ talkState: { value: { phase: 'live' }, at: 0 } });
    expect(new Set(live).size).toBe(live.length);
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
    ['night', 'Theme: '],
    ['white', 'Theme: '],
    ['quit', 'Quit Parley'],
    ['exit', 'Quit Parley'],
    ['new chat', 'New chat'],
    ['write', 'Chat'],
    ['preferences', 'Settings'],
    ['recordings', 'History'],
    ['call', 'Start talking'],
    ['webcam', 'Start with the camera'],
    ['share', 'Start with the screen'],
    ['private', 'Turn on Incognito'],
    ['headset', 'Microphone: USB Headset'],
    ['microphone headset', 'Microphone: USB Headset'],
    ['speaker built', 'Speaker: Built-in Audio'],
    ['hosted', 'Talk to: MiniCPM-o, hosted'],
    ['realtime.example', 'Talk to: MiniCPM-o, hosted'],
    ['soup', 'Chat: Lentil soup for six'],
    ['中文', 'Language: 中文'],
    ['font', 'Caption size: '],
    ['bug', ''],
    ['hotkeys', 'Keyboard shortcuts'],
    ['small window', ''],
    ['version', 'About Parley'],
    ['demo', 'Talk to: Demonstration'],
    ['watch', 'See an example: '],
    ['bigger text', 'Text size: Larger'],
    ['push to talk', 'Mic mode: Hold Space'],
    ['test connection', 'Test connection: '],
    ['talk key', 'Change the talk key'],
    ['delete everything', 'Delete everything…'],
  ])('finds with “%s” first the command “%s”', (typed, name) => {
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

  it('offers the default device if a specific one is chosen', () => {
    const settings = {
      ...sampleSettings,
      audio: { ...sampleSettings.audio, speaker: { name: 'USB Headset', hostApi: 'ALSA' } },
    };
    expect(namesIn({ ...known, settings })).toContain('Speaker: System default');
    expect(namesIn(known)).not.toContain('Speaker: System default');
  });

  it.each([
    ['shut up', 'Interrupt'],
    ['mic off', 'Mute'],
    ['hang up', 'End'],
    ['wait', 'Pause'],
  ])('finds during a talk with “%s” first the command “%s”', (typed, name) => {
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
