import { fakeTerminal } from '../fakes/fake-terminal.ts';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelCommand } from '../../electron/hosts/terminal/commands/model-command.ts';
import {
  CommandError,
  type ExitCode,
  type Terminal,
} from '../../electron/hosts/terminal/terminal-command.ts';
import type { ModelSettings } from '../../shared/settings/app-settings.ts';
import { defaultSettings } from '../../shared/settings/settings.ts';
import { languageFile, ModelStage, totalBytes } from './model-stage.ts';

let stage: ModelStage;

beforeEach(async () => {
  stage = new ModelStage();
  await stage.begin();
});

afterEach(() => stage.end());

it('refuses an empty folder, for which it would delete the model in the default folder', async () => {
  expect(await run('remove --yes --folder=')).toMatchObject({
    code: 2,
    err: '--folder needs a value, and not an empty one.',
  });
});

interface Run {
  readonly out: string;
  readonly err: string;
  readonly code: ExitCode;
  /** The output of `--json`. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

interface RunOptions extends Pick<Terminal, 'screen'> {
  readonly onOut?: (interrupt: () => void) => void;
  readonly mirror?: ModelSettings['mirror'];
}

/** Runs `parley model …`. `onOut` runs at each output, with a function that presses Ctrl-C. */
async function run(
  args: string,
  { screen, onOut, mirror = 'huggingface' }: RunOptions = {},
): Promise<Run> {
  const { terminal, written, interrupt } = fakeTerminal();
  const out = (text: string): void => {
    terminal.out(text);
    onOut?.(interrupt);
  };
  const settings = { ...defaultSettings, model: { ...defaultSettings.model, mirror } };
  const core = {
    settings: { get: () => settings },
    openModelFiles: (folder = '') => Promise.resolve(stage.open({ folder, idleMs: 20_000 })),
  };
  const code = await modelCommand
    .run(args.split(' '), { ...terminal, out, screen }, () => core)
    .catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      terminal.err(error.message);
      return error.code;
    });
  const lines = args.includes('--json') ? written.out.trim().split('\n') : [];
  return { ...written, code, events: lines.map((line) => JSON.parse(line) as Run['events'][0]) };
}

describe('parley model', () => {
  it('downloads, verifies and removes the model, and prints each result', async () => {
    const { folder } = stage;
    expect(await run('status')).toMatchObject({
      code: 1,
      out: `Files: 0.0 of 3.2 MB: run parley model download for the rest\nFolder: ${folder}\n`,
    });
    expect(await run('download')).toMatchObject({
      code: 0,
      out: `The model is complete: ${folder}\n`,
      err: '',
    });
    expect(await run('status')).toMatchObject({
      code: 0,
      out: `Files: complete and verified, 3.2 MB\nFolder: ${folder}\n`,
    });
    expect((await run('verify')).code).toBe(0);
    expect(await run('remove')).toMatchObject({
      code: 2,
      err: `3.2 MB in ${folder} would be deleted: add --yes to confirm.`,
    });
    expect(await run('remove --yes')).toMatchObject({
      code: 0,
      out: `Deleted 3.2 MB in ${folder}.\n`,
    });
    expect(existsSync(folder)).toBe(false);
  });

  it('prints one JSON object per line with --json', async () => {
    const { events } = await run('download --json');
    expect(events[0]).toEqual({
      event: 'progress',
      file: 1,
      files: 2,
      bytes: 0,
      totalBytes,
      bytesPerSecond: 0,
      mirror: stage.first.url.host,
    });
    expect(events.at(-1)).toEqual({ event: 'ready', folder: stage.folder, totalBytes });
    const verified = await run('verify --json');
    expect(verified.events[0]).toEqual({ event: 'verifying', bytes: 0, totalBytes });
    expect((await run('status --json')).events).toEqual([
      {
        event: 'status',
        state: 'ready',
        folder: stage.folder,
        isForeign: false,
        totalBytes,
      },
    ]);
    expect((await run('remove --yes --json')).events).toEqual([
      { event: 'removed', folder: stage.folder, bytes: totalBytes },
    ]);
  });

  it('uses the mirror of the settings first, unless the user names another', async () => {
    const { events } = await run('download --json', { mirror: 'hf-mirror' });
    expect(events[0]).toMatchObject({ mirror: stage.second.url.host });
    await run('remove --yes');
    const named = await run('download --mirror huggingface --json', { mirror: 'hf-mirror' });
    expect(named.events[0]).toMatchObject({ mirror: stage.first.url.host });
  });

  it('pauses at Ctrl-C and prints how to resume', async () => {
    stage.first.answers.set('language.gguf', (_request, response) => {
      response.writeHead(200, { 'content-length': languageFile.length });
      response.write(languageFile.subarray(0, 1_600_000));
    });
    const screen = { columns: () => 200, colours: false };
    let shown = 0;
    const paused = await run('download', {
      screen,
      onOut: (interrupt) => {
        shown += 1;
        if (shown === 3) interrupt();
      },
    });
    expect(paused.code).toBe(1);
    expect(paused.out).toContain('File 1 of 2');
    expect(paused.err).toContain('Paused at 1.6 of 3.2 MB: parley model download resumes it.');
  });

  it('prints why a mirror failed, and has an exit code per kind of failure', async () => {
    stage.first.files.delete('language.gguf');
    const { host } = stage.first.url;
    const { err } = await run('download');
    expect(err).toContain(`${host} refuses the model’s file (HTTP 404).`);
    expect(err).toContain(`The download continues from ${stage.second.url.host}.`);
    await run('remove --yes');
    stage.second.files.delete('language.gguf');
    const { code, events } = await run('download --json');
    expect(code).toBe(3);
    expect(events.at(-1)).toMatchObject({ event: 'error', code: 'modelMirrorRefuses' });
    expect(events.find(({ trouble }) => trouble !== undefined)).toMatchObject({
      trouble: 'modelMirrorRefuses',
      mirror: stage.second.url.host,
    });
    expect((await run('verify')).code).toBe(1);
  });
});
