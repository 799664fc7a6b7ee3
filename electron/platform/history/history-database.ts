import sqlite from 'node-sqlite3-wasm';
import type {
  FoundPlace,
  HistoryItem,
  HistoryRef,
} from '../../../shared/recordings/history-item.ts';
import { findPlace, type PlacedText } from '../../recordings/history/find-place.ts';
import type {
  IndexedVersion,
  IndexEntry,
  IndexPage,
  IndexQuery,
} from '../../recordings/history/history-index.ts';

/** Increase this with every change of tables or stored values. A database of another version is rebuilt. */
const schema = 3;

const tables = `
  PRAGMA user_version = ${schema};
  CREATE TABLE items (
    key INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL,
    at REAL NOT NULL, pinned INTEGER NOT NULL, item TEXT NOT NULL, UNIQUE (kind, id));
  CREATE TABLE texts (key INTEGER PRIMARY KEY, texts TEXT NOT NULL);
  CREATE INDEX items_at ON items (at DESC, kind, pinned);
  CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 0', prefix = '1 2 3');
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
`;

/** The index in SQLite, in a file or in memory. Throws SQLite's errors. */
export class IndexDatabase {
  readonly #database: sqlite.Database;

  /** With `mustCheck`, verifies the whole file, because a crash may have interrupted a write. */
  constructor(path: string, mustCheck = false) {
    this.#database = new sqlite.Database(path);
    try {
      this.#prepare();
      if (mustCheck) this.#check();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  known(): readonly IndexedVersion[] {
    const rows = this.#database.all('SELECT kind, id, version FROM items');
    return rows.map(({ kind, id, version }) => ({
      kind: kind === 'chat' ? 'chat' : 'talk',
      id: textIn(id),
      version: textIn(version),
    }));
  }

  put(entries: readonly IndexEntry[]): void {
    this.#inTransaction(() => {
      for (const { item, version, words, texts } of entries) {
        this.#drop(item);
        const { lastInsertRowid } = this.#database.run(
          'INSERT INTO items (kind, id, version, at, pinned, item) VALUES (?, ?, ?, ?, ?, ?)',
          [item.kind, item.id, version, item.at, item.pinned, JSON.stringify(item)],
        );
        this.#database.run('INSERT INTO words (rowid, text) VALUES (?, ?)', [
          lastInsertRowid,
          words,
        ]);
        this.#database.run('INSERT INTO texts (key, texts) VALUES (?, ?)', [
          lastInsertRowid,
          JSON.stringify(texts),
        ]);
      }
    });
  }

  remove(refs: readonly HistoryRef[]): void {
    this.#inTransaction(() => {
      for (const ref of refs) this.#drop(ref);
    });
  }

  find({ match, filter, talks, placeWords, skip, count }: IndexQuery): IndexPage {
    const conditions: string[] = [];
    const values: (string | number)[] = [];
    const addCondition = (condition: string, ...parameters: readonly (string | number)[]): void => {
      conditions.push(condition);
      values.push(...parameters);
    };
    if (match !== undefined)
      addCondition('key IN (SELECT rowid FROM words WHERE words MATCH ?)', match);
    if (filter.kind !== undefined) addCondition('kind = ?', filter.kind);
    if (filter.pinned === true) addCondition('pinned = 1');
    if (talks !== undefined)
      addCondition(
        `kind = 'talk' AND id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(talks),
      );
    const from = `FROM items${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`;
    const order = 'ORDER BY at DESC, key DESC';
    // Only the rows of the page are read completely. To count the results by themselves takes a fraction of the time that a
    // window function over them takes, even if the words are looked up twice.
    const rows = this.#database.all(
      `SELECT key, item, (SELECT count(*) ${from}) AS total
        FROM items JOIN (SELECT key AS wanted ${from} ${order} LIMIT ? OFFSET ?) ON key = wanted ${order}`,
      [...values, ...values, count, skip],
    );
    const total = rows[0]?.['total'] ?? (skip === 0 ? 0 : this.#count(from, values));
    return {
      items: rows.map(({ item }) => JSON.parse(textIn(item)) as HistoryItem),
      places: placeWords && rows.map(({ key }) => this.#placeIn(Number(key), placeWords)),
      total: Number(total),
    };
  }

  #placeIn(key: number, words: readonly string[]): FoundPlace {
    const texts = this.#database.get('SELECT texts FROM texts WHERE key = ?', [key])?.['texts'];
    return findPlace(JSON.parse(textIn(texts)) as readonly PlacedText[], words);
  }

  /** Counts the results, for a page past the end, which has no row with the total. */
  #count(from: string, values: readonly (string | number)[]): number {
    return Number(this.#database.get(`SELECT count(*) AS total ${from}`, [...values])?.['total']);
  }

  close(): void {
    this.#database.close();
  }

  #prepare(): void {
    // Overwrites free pages, so that deleted words are gone from the file.
    this.#database.exec(
      'PRAGMA secure_delete = ON; PRAGMA journal_mode = DELETE; PRAGMA cache_size = -16000;',
    );
    const version = Number(this.#database.get('PRAGMA user_version')?.['user_version']);
    if (version !== 0 && version !== schema)
      throw new Error(`the index has the unknown version ${version}`);
    if (version === 0) {
      this.#inTransaction(() => this.#database.exec(tables));
    }
  }

  #check(): void {
    const result = this.#database.get('PRAGMA quick_check(1)')?.['quick_check'];
    if (result !== 'ok') throw new Error(`the index is damaged: ${textIn(result)}`);
  }

  #drop({ kind, id }: HistoryRef): void {
    const key = this.#database.get('SELECT key FROM items WHERE kind = ? AND id = ?', [kind, id])?.[
      'key'
    ];
    if (key === undefined || typeof key === 'object') return;
    this.#database.run('DELETE FROM words WHERE rowid = ?', [key]);
    this.#database.run('DELETE FROM texts WHERE key = ?', [key]);
    this.#database.run('DELETE FROM items WHERE key = ?', [key]);
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
