import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { ModelCatalogue } from '../../electron/model/model-catalogue.ts';
import { ModelFiles } from '../../electron/model/model-files.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { createStateFile } from '../../electron/platform/files/state-file.ts';
import {
  createModelDownload,
  createModelDisk,
} from '../../electron/platform/model/model-storage.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { ModelDownloadState, ModelFilesState } from '../../shared/model/local-model-state.ts';
import type { Files } from '../../shared/ports/files.ts';
import type { Proxies } from '../../shared/ports/sockets.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { UpdateServer } from './update-server.ts';

export const languageFile = randomBytes(3_000_000);
const voice = randomBytes(200_000);
const contents = new Map([
  ['language.gguf', languageFile],
  ['tts/voice.gguf', voice],
]);
export const totalBytes = 3_200_000;

interface Changes extends Partial<ModelCatalogue> {
  readonly folder?: string;
  readonly idleMs?: number;
  readonly proxies?: Proxies;
  readonly freeSpace?: Files['freeSpace'];
}

/** For tests of the model's files and their download: a small model, two mirrors on loopback and a state folder. */
export class ModelStage {
  readonly first = new UpdateServer();
  readonly second = new UpdateServer();
  readonly work = workFolder();
  /** Parley's own folder. */
  folder = this.work('models/r1');
  fallbackUsed = false;
  readonly #opened: ModelFiles[] = [];

  async begin(): Promise<void> {
    for (const server of [this.first, this.second]) {
      await server.open();
      for (const [path, content] of contents) server.files.set(path, content);
    }
  }

  async end(): Promise<void> {
    for (const model of this.#opened) await model.pause();
    await Promise.all([this.first.close(), this.second.close()]);
  }

  /** Opens the model's files as a newly started Parley does. */
  open({ folder = '', idleMs = 300, freeSpace, proxies, ...changes }: Changes = {}): ModelFiles {
    const files = new ModelFiles(
      {
        catalogue: { ...this.#catalogue(), ...changes },
        disk: createModelDisk({ ...createFiles(), ...(freeSpace && { freeSpace }) }),
        fetch: createModelDownload(proxies, idleMs),
        clock: systemClock,
        verifiedFiles: createStateFile(this.work('state'), 'model-files'),
      },
      this.folder,
      folder,
    );
    files.listen((state) => {
      if (state.kind === 'downloading' && state.mirror === this.second.url.host)
        this.fallbackUsed = true;
    });
    this.#opened.push(files);
    return files;
  }

  #catalogue(): ModelCatalogue {
    return {
      revision: 'r1',
      files: [...contents].map(([path, content]) => ({
        path,
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })),
      mirrors: [this.first, this.second].map(({ url }, index) => ({
        id: index === 0 ? 'huggingface' : 'hf-mirror',
        host: url.host,
        base: url.href,
      })),
    };
  }
}

export function fillFolder(folder: string): void {
  for (const [path, content] of contents) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Expects the model's files with their content. */
export function expectModel(folder: string): void {
  for (const [path, content] of contents)
    expect(readFileSync(join(folder, path)).equals(content)).toBe(true);
}

export function codeOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? 'ok' : outcome.error.code;
}

export function readyState(folder: string, isForeign = false): ModelFilesState {
  return { kind: 'ready', folder, isForeign, totalBytes };
}

/** Resolves when a running download looks as wanted. */
export function untilDownload(
  model: ModelFiles,
  matches: (state: ModelDownloadState) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    model.listen((state) => {
      if (state.kind === 'downloading' && matches(state)) resolve();
    });
  });
}
