import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { unpackTape } from '../../electron/platform/files/zip.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { serializeTalk } from '../../electron/recordings/history/talk-source.ts';
import { decodeWav, encodeWav } from '../../shared/audio/wav.ts';
import { OpenPage } from '../../shared/ipc/page.ts';
import { coreWithFakes } from '../fakes/core-with-fakes.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { mountSmallDisk, workFolder } from '../fakes/work-folder.ts';

type Core = ReturnType<typeof coreWithFakes>;

const stamp = '2026-11-20T10-00-00-000Z';
const talk = { kind: 'talk', id: stamp } as const;
const cores: Core[] = [];
afterEach(async () => {
  for (const core of cores.splice(0)) await core.lifetime.end();
});

/** A core whose user saves every file as `target`, and the names that the dialog suggested. */
function openCore(at: (name: string) => string, target: () => string | undefined) {
  const suggestedNames: string[] = [];
  mkdirSync(at('mine'));
  const core = coreWithFakes(at('state'), systemClock, {
    saveMethod: {
      kind: 'dialog',
      choose: (name) => {
        suggestedNames.push(name);
        return Promise.resolve(target());
      },
      chooseFolder: () => Promise.resolve(undefined),
    },
  });
  cores.push(core);
  return { core, suggestedNames };
}

async function storeExampleTape(at: (name: string) => string): Promise<void> {
  const example = new URL('../../resources/tapes/voice.parleytape', import.meta.url).pathname;
  const unpacked = unwrap(await unpackTape(example));
  mkdirSync(at('state/tapes'), { recursive: true });
  renameSync(unpacked.folder, at(`state/tapes/${stamp}`));
}

const record = {
  title: 'Tea: how / why?',
  pinned: false,
  mode: 'audio',
  server: { name: 'Demonstration' },
  begunAt: 1_700_000_000_000,
  savedAt: 1_700_000_060_000,
  turns: [{ by: 'parley', at: 1000, text: 'Green tea is steamed.', heard: 21 }],
  events: [],
  pictures: [],
} as const;

function storeTalkText(at: (name: string) => string, title: string = record.title): void {
  mkdirSync(at(`state/talks/${stamp}`), { recursive: true });
  writeFileSync(at(`state/talks/${stamp}/talk.json`), serializeTalk({ ...record, title }));
}

describe('exporting a recording', { timeout: 60_000 }, () => {
  it('offers every format for a tape, and exports one of them under the title of the talk, with progress', async () => {
    const at = workFolder();
    const { core, suggestedNames } = openCore(at, () => at('mine/talk.wav'));
    await storeExampleTape(at);
    storeTalkText(at);
    const offer = await core.ask('exportOffer', { origin: talk });
    expect(offer.formats).toHaveLength(10);
    writeFileSync(at('mine/talk.wav'), 'what was there');
    const made = await core.ask('exportFile', { origin: talk, format: 'wav', mix: false });
    expect(made).toEqual({ kind: 'file', path: at('mine/talk.wav') });
    expect(suggestedNames).toEqual(['Tea how why.wav']);
    expect(readdirSync(at('mine'))).toEqual(['talk.wav']);
    const wav = decodeWav(readFileSync(at('mine/talk.wav')));
    expect(wav.ok && wav.value.channels).toBe(2);
    const fractions = core.payloads('exportProgress').map(({ fraction }) => fraction);
    expect(fractions.length).toBeGreaterThan(5);
    expect(fractions).toEqual(fractions.toSorted((one, other) => one - other));
    expect(fractions.at(-1)).toBe(1);
    expect(await core.ask('showSaved', { of: 'export' })).toEqual({
      path: at('mine'),
      opened: false,
    });
    // Each button shows what it saved itself.
    const others = core.ask('showSaved', { of: 'roomTest' });
    await expect(others).rejects.toThrow('Nothing has been saved');
  });

  it('keeps the existing file if the export is stopped, fails or is abandoned', async () => {
    const at = workFolder();
    let target: string | undefined = at('mine/talk.zip');
    const { core } = openCore(at, () => target);
    await storeExampleTape(at);
    writeFileSync(at('mine/talk.zip'), 'what was there');
    const zipRequest = { origin: talk, format: 'zip', mix: false } as const;
    const made = core.ask('exportFile', zipRequest);
    const refused = expect(made).rejects.toThrow('was stopped');
    await vi.waitFor(() => {
      expect(core.payloads('exportProgress').length).toBeGreaterThan(2);
    });
    await expect(core.ask('exportFile', zipRequest)).rejects.toThrow('Another export is running');
    await core.ask('stopExport', undefined);
    await refused;
    expect(readFileSync(at('mine/talk.zip'), 'utf8')).toBe('what was there');
    // A page that closes abandons its export.
    const page = new OpenPage();
    const going = core.ask('exportFile', zipRequest, page);
    const gone = expect(going).rejects.toThrow('was stopped');
    page.gone();
    await gone;
    target = at('none/talk.zip');
    const failing = core.ask('exportFile', { ...zipRequest, format: 'md' });
    await expect(failing).rejects.toThrow(`${at('none')} does not exist`);
    target = undefined;
    expect(await core.ask('exportFile', zipRequest)).toEqual({ kind: 'cancelled' });
    await expect(core.ask('showSaved', { of: 'export' })).rejects.toThrow('Nothing has been saved');
    expect(readdirSync(at('mine'))).toEqual(['talk.zip']);
  });

  it('names the file of an untitled talk after its local time', async () => {
    vi.stubEnv('TZ', 'Asia/Shanghai');
    onTestFinished(() => void vi.unstubAllEnvs());
    const at = workFolder();
    const { core, suggestedNames } = openCore(at, () => at('mine/talk.md'));
    storeTalkText(at, '');
    await core.ask('exportFile', { origin: talk, format: 'md', mix: false });
    await storeExampleTape(at);
    await core.ask('openReplay', { kind: 'tape', tape: stamp });
    await core.ask('exportFile', { origin: { kind: 'replay' }, format: 'md', mix: false });
    expect(suggestedNames).toEqual(['Parley 2026-11-20 18-00.md', 'Parley 2026-11-20 18-00.md']);
  });

  it('exports a talk without sound as text only, and refuses ids outside the talks folder', async () => {
    const at = workFolder();
    const { core } = openCore(at, () => at('mine/tea.md'));
    storeTalkText(at);
    const { formats } = await core.ask('exportOffer', { origin: talk });
    expect(formats).toEqual(['md', 'txt', 'json', 'vtt', 'srt', 'zip']);
    await core.ask('exportFile', { origin: talk, format: 'md', mix: false });
    expect(readFileSync(at('mine/tea.md'), 'utf8')).toContain('**0:01 Parley:** Green tea is');
    const wav = core.ask('exportFile', { origin: talk, format: 'wav', mix: false });
    await expect(wav).rejects.toThrow('has only text');
    for (const id of ['../talks', 'never', `${stamp}/..`])
      await expect(
        core.ask('exportFile', { origin: { kind: 'talk', id }, format: 'md', mix: false }),
      ).rejects.toThrow();
    await expect(core.ask('exportOffer', { origin: { kind: 'replay' } })).rejects.toThrow();
    expect(existsSync(at('mine/tea.md'))).toBe(true);
  });

  it('exports the tape open for replay', async () => {
    const at = workFolder();
    const { core, suggestedNames } = openCore(at, () => at('mine/example.txt'));
    await core.ask('openReplay', { kind: 'example', example: 'voice' });
    await core.ask('exportFile', { origin: { kind: 'replay' }, format: 'txt', mix: false });
    expect(suggestedNames).toEqual(['voice.txt']);
    expect(readFileSync(at('mine/example.txt'), 'utf8')).toContain('Parley: ');
  });

  it('exports even an unsaved chat', async () => {
    const at = workFolder();
    const { core, suggestedNames } = openCore(at, () => at('mine/chat.md'));
    await core.ask('changeSettings', { privacy: { keepChats: false } });
    await core.ask('sendChat', {
      parts: [{ type: 'text', text: 'Why is *green* tea green?' }],
    });
    const { conversation } = await core.ask('chat', undefined);
    const origin = { kind: 'chat', id: conversation.id } as const;
    expect((await core.ask('exportOffer', { origin })).formats).toEqual([
      'md',
      'txt',
      'json',
      'zip',
    ]);
    await core.ask('exportFile', { origin, format: 'md', mix: false });
    expect(suggestedNames).toEqual(['Why is green tea green.md']);
    expect(readFileSync(at('mine/chat.md'), 'utf8')).toContain(
      '**You**\n\nWhy is \\*green\\* tea green?',
    );
    await core.ask('exportFile', { origin, format: 'md', mix: false, language: 'zh' });
    expect(readFileSync(at('mine/chat.md'), 'utf8')).toContain('**你**\n\nWhy is');
    const wav = core.ask('exportFile', { origin, format: 'wav', mix: false });
    await expect(wav).rejects.toThrow('Only the text of a chat');
    const gone = core.ask('exportOffer', { origin: { kind: 'chat', id: 'never' } });
    await expect(gone).rejects.toThrow();
    expect(readdirSync(at('mine'))).toEqual(['chat.md']);
  });

  it('zips a chat with its pictures and sounds, whose file names are in the exported texts', async () => {
    const at = workFolder();
    const { core } = openCore(at, () => at('mine/chat.zip'));
    const wav = encodeWav(new Float32Array(8000), { rate: 16_000, channels: 1, coding: 'pcm16' });
    const { part: picture } = await core.ask('attachFile', { name: 'a.jpg', file: fakeJpeg });
    const { part: sound } = await core.ask('attachFile', { name: 'a.wav', file: wav });
    const text = { type: 'text', text: 'What is that?' } as const;
    await core.ask('sendChat', { parts: [text, picture, sound] });
    const { conversation } = await core.ask('chat', undefined);
    const origin = { kind: 'chat', id: conversation.id } as const;
    await core.ask('exportFile', { origin, format: 'zip', mix: false });
    const names = execFileSync('unzip', ['-Z1', at('mine/chat.zip')], { encoding: 'utf8' });
    expect(names.trim().split('\n')).toEqual([
      'picture-1.jpg',
      'sound-1.wav',
      'conversation.md',
      'conversation.txt',
      'conversation.json',
    ]);
    const inside = (name: string) => execFileSync('unzip', ['-p', at('mine/chat.zip'), name]);
    expect(decodeWav(inside('sound-1.wav')).ok).toBe(true);
    expect(inside('picture-1.jpg').subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    expect(inside('conversation.md').toString()).toContain('](picture-1.jpg)');
    expect(inside('conversation.md').toString()).toContain('](sound-1.wav)');
    expect(inside('conversation.txt').toString()).toContain(': sound-1.wav)');
    expect(inside('conversation.json').toString()).toContain('"file": "picture-1.jpg"');
  });

  it('keeps the existing file on a full disk, leaves no partial file, and reports the full disk', async (context) => {
    const at = workFolder();
    const target = at('mine/talk.file');
    const { core } = openCore(at, () => target);
    mountSmallDisk(at('mine'), context, '40k');
    await storeExampleTape(at);
    storeTalkText(at);
    const { ffmpeg } = await core.ask('exportOffer', { origin: talk });
    writeFileSync(target, 'what was there');
    const formats = [
      ...(['wav', 'parleytape'] as const),
      ...(ffmpeg ? (['flac', 'mp4'] as const) : []),
    ];
    for (const format of formats) {
      await expect(
        core.ask('exportFile', { origin: talk, format, mix: false }),
        format,
      ).rejects.toThrow(`refused: ${target} cannot be written: the disk is full.`);
      expect([format, readdirSync(at('mine'))]).toEqual([format, ['talk.file']]);
      expect(readFileSync(target, 'utf8')).toBe('what was there');
    }
    const filler = openSync(at('mine/filler'), 'w');
    expect(() => {
      for (;;) writeSync(filler, new Uint8Array(512));
    }).toThrow('ENOSPC');
    closeSync(filler);
    await expect(
      core.ask('exportFile', { origin: talk, format: 'json', mix: false }),
    ).rejects.toThrow('the disk is full');
    expect(readdirSync(at('mine'))).toEqual(['filler', 'talk.file']);
  });
});
