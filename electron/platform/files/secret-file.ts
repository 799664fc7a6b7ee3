import { failure, type Outcome, describeError } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import { isJsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import type { SecretsKind } from '../../../shared/settings/connection-settings.ts';
import type { Keychain, Secrets } from '../../../shared/ports/secrets.ts';

interface Entry {
  readonly form: 'plain' | 'sealed';
  readonly text: string;
}

type Entries = ReadonlyMap<string, Entry>;

/**
 * Stores secrets, mostly tokens, in a file that only this account can read: encrypted if a keychain is
 * available, otherwise in plain text. If the file cannot be written, they stay in memory.
 */
export function createSecretFile(file: StateFile, keychain?: Keychain): Secrets {
  const unsaved = new Map<string, string>();
  /** Runs one change after the other. Each reads the file again, because another Parley may have written it. */
  const queue = new SerialQueue();

  const canSeal = (): boolean => keychain?.available() === true;

  const kind = (): SecretsKind => {
    if (unsaved.size > 0) return 'none';
    return canSeal() ? 'keychain' : 'plain';
  };

  /** Edits the file. Sets a damaged one aside, and keeps one that cannot be read, because writing would lose its tokens. */
  const change = async (
    edit: (entries: Map<string, Entry>) => boolean,
  ): Promise<Outcome<undefined>> => {
    const read = readEntries(file);
    if (!read.ok) return read;
    const entries = new Map(read.value);
    if (!edit(entries)) return { ok: true, value: undefined };
    if (read.value === undefined) file.setAside();
    return file.write(serializeEntries(entries));
  };

  const put = (id: string, entry: Entry): Promise<Outcome<undefined>> =>
    change((entries) => {
      entries.set(id, entry);
      return true;
    });

  return {
    kind,
    get: (id) =>
      queue.run(async (): Promise<Outcome<string | undefined>> => {
        const secret = unsaved.get(id);
        if (secret !== undefined) return { ok: true, value: secret };
        const read = readEntries(file);
        if (!read.ok) return read;
        const entry = read.value?.get(id);
        if (entry === undefined) return { ok: true, value: undefined };
        if (entry.form === 'sealed') return unseal(entry, keychain);
        // The secret was stored as plain text before there was a keychain, and is encrypted now.
        const sealed = createEntry(entry.text, canSeal() ? keychain : undefined);
        if (sealed.ok && sealed.value.form === 'sealed') await put(id, sealed.value);
        return { ok: true, value: entry.text };
      }),
    set: (id, secret) =>
      queue.run(async () => {
        const entry = createEntry(secret, canSeal() ? keychain : undefined);
        if (!entry.ok) return entry;
        const written = await put(id, entry.value);
        if (written.ok) unsaved.delete(id);
        else unsaved.set(id, secret);
        return { ok: true, value: undefined };
      }),
    delete: (id) =>
      queue.run(async () => {
        unsaved.delete(id);
        return change((entries) => entries.delete(id));
      }),
    count: () => {
      const read = readEntries(file);
      const stored = read.ok ? read.value : undefined;
      return stored === undefined ? 1 : new Set([...stored.keys(), ...unsaved.keys()]).size;
    },
    deleteAll: () =>
      queue.run(async () => {
        unsaved.clear();
        const read = readEntries(file);
        const stored = read.ok ? read.value : undefined;
        // Overwrites even a damaged file without setting it aside, because every token must go.
        return stored?.size === 0
          ? { ok: true, value: undefined }
          : file.write(serializeEntries(new Map()));
      }),
  };
}

function createEntry(secret: string, keychain: Keychain | undefined): Outcome<Entry> {
  if (keychain === undefined) return { ok: true, value: { form: 'plain', text: secret } };
  try {
    const text = Buffer.from(keychain.seal(secret)).toString('base64');
    return { ok: true, value: { form: 'sealed', text } };
  } catch (error) {
    return failure('keychainRefuses', {}, { detail: describeError(error) });
  }
}

function unseal({ text }: Entry, keychain: Keychain | undefined): Outcome<string> {
  if (keychain === undefined) return failure('keychainElsewhere');
  if (!keychain.available()) return failure('keychainAway');
  try {
    return { ok: true, value: keychain.open(Buffer.from(text, 'base64')) };
  } catch {
    // The key belongs to another account or machine, so the library's message would not help.
    return failure('keychainClosed');
  }
}

/** Reads the entries. Undefined if the file is damaged. */
function readEntries(file: StateFile): Outcome<Entries | undefined> {
  const text = file.read();
  if (!text.ok) return text.error.code === 'fileTooLarge' ? { ok: true, value: undefined } : text;
  if (text.value === undefined) return { ok: true, value: new Map() };
  const { tokens } = parseJsonObject(text.value) ?? {};
  return {
    ok: true,
    value: Array.isArray(tokens) ? new Map(tokens.flatMap(readEntry)) : undefined,
  };
}

function readEntry(value: unknown): readonly (readonly [string, Entry])[] {
  if (!isJsonObject(value)) return [];
  const { id, plain, sealed } = value;
  if (typeof id !== 'string') return [];
  if (typeof plain === 'string') return [[id, { form: 'plain', text: plain }]];
  return typeof sealed === 'string' ? [[id, { form: 'sealed', text: sealed }]] : [];
}

function serializeEntries(entries: Entries): string {
  const tokens = [...entries].map(([id, { form, text }]) => ({ id, [form]: text }));
  return `${JSON.stringify({ version: 1, tokens }, undefined, 2)}\n`;
}
