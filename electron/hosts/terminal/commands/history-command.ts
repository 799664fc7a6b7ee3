import { sanitizeLine, stripControlCharacters, toSafeJson } from '../../../../shared/text.ts';
import {
  type HistoryHit,
  type HistoryItem,
  historyKinds,
  type HistoryRef,
} from '../../../../shared/recordings/history-item.ts';
import {
  formatLocalTime,
  type HistoryDocument,
} from '../../../recordings/history/history-index.ts';
import {
  exitCode,
  UsageError,
  type OpenCore,
  type Terminal,
  terminalCommand,
  type TerminalCore,
} from '../terminal-command.ts';
import { reportError, unwrapOrExit } from '../options/command-files.ts';
import { jsonOption } from '../options/connection-options.ts';

type HistoryCore = Pick<TerminalCore, 'history' | 'historyEditor' | 'notices'>;

export const historyCommand = terminalCommand(
  {
    name: 'history',
    summary: 'list, search, show and delete saved talks and chats',
    options: {
      search: { value: 'WORDS', about: 'lists those with all these words' },
      show: { value: 'ID', about: 'prints the text of a talk or chat', instead: 'search' },
      delete: {
        value: 'ID',
        about: 'deletes a talk or chat permanently, but keeps the recording of a talk',
      },
      'with-recording': { about: 'with --delete: also deletes the recording' },
      count: {
        value: 'N',
        range: { min: 1, max: 10_000, integer: true },
        about: 'the maximum number of entries (default: 50)',
      },
      ...jsonOption,
    },
    notes: ['Exit: 0 done, 2 wrong usage, or the entry cannot be read or deleted'],
  },
  async ({ options }, terminal, openCore: OpenCore<HistoryCore>) => {
    const { search, show, delete: remove, withRecording, count = 50, json } = options;
    if (remove !== undefined && (search ?? show) !== undefined)
      throw new UsageError('--delete cannot be combined with --show or --search.');
    if (withRecording && remove === undefined)
      throw new UsageError('--with-recording requires --delete.');
    const parley = await openCore();
    const { history, notices } = parley;
    const stopListening = notices.listen((notice) => {
      if (notice.name === 'talkTrouble' || notice.name === 'chatProblem')
        reportError(terminal, notice.payload);
    });
    await history.scan();
    stopListening();
    if (remove !== undefined) {
      await removeItem(parley, await find(parley, remove), withRecording);
    } else if (show !== undefined) showItem(terminal, await find(parley, show), json);
    else if (search !== undefined) {
      const found = unwrapOrExit(await history.search(search, { skip: 0, count, filter: {} }));
      for (const hit of found.entries) terminal.out(`${json ? toSafeJson(hit) : formatHit(hit)}\n`);
    } else {
      const found = unwrapOrExit(await history.list({ skip: 0, count, filter: {} }));
      for (const item of found.entries)
        terminal.out(`${json ? toSafeJson(item) : formatItem(item)}\n`);
    }
    return exitCode.done;
  },
);

const goneCodes: ReadonlySet<string> = new Set(['talkRecordGone', 'chatGone', 'fileGone']);

/** Finds a talk or a chat by its id. No talk has the id of a chat. */
async function find({ history }: HistoryCore, id: string): Promise<HistoryDocument> {
  const refs = historyKinds.map((kind): HistoryRef => ({ kind, id }));
  const entries = await Promise.all(refs.map((ref) => history.read(ref)));
  const entry =
    entries.find(({ ok }) => ok) ??
    entries.find((found) => !found.ok && !goneCodes.has(found.error.code));
  if (entry === undefined) throw new UsageError(`No talk or chat has the ID ${id}.`);
  return unwrapOrExit(entry);
}

/** Deletes a talk or chat. A talk that is only a recording is deleted only with `--with-recording`. */
async function removeItem(
  { history, historyEditor }: HistoryCore,
  { item, texts }: HistoryDocument,
  withRecording: boolean,
): Promise<void> {
  const isRecording = item.kind === 'talk' && texts.every(({ turn }) => turn === undefined);
  if (isRecording && !withRecording) {
    throw new UsageError(
      `Only the recording of ${item.id} is saved; add --with-recording to delete it.`,
    );
  }
  unwrapOrExit(await historyEditor.remove([item]));
  if (isRecording || !withRecording || item.kind !== 'talk') return;
  // After its text is deleted, the recording is listed as another entry.
  await history.scan();
  const recording = await history.read(item);
  if (recording.ok) unwrapOrExit(await historyEditor.remove([item]));
}

function showItem({ out }: Terminal, { item, texts: all }: HistoryDocument, json: boolean): void {
  // The document also holds the server's name, which was not spoken.
  const texts = all.filter(({ turn, chatTurn }) => (turn ?? chatTurn) !== undefined);
  if (json) {
    out(`${toSafeJson({ ...item, texts: texts.map(({ text }) => text) })}\n`);
    return;
  }
  out(`${formatItem(item)}\n`);
  for (const { text } of texts) out(`\n${stripControlCharacters(text)}\n`);
}

function formatItem(item: HistoryItem): string {
  const { kind, id, at, title, firstWords } = item;
  return [id, formatLocalTime(at), kind, sanitizeLine(title === '' ? firstWords : title)]
    .join('  ')
    .trimEnd();
}

function formatHit({ item, place }: HistoryHit): string {
  return place.excerpt === ''
    ? formatItem(item)
    : `${formatItem(item)}\n    ${sanitizeLine(place.excerpt)}`;
}
