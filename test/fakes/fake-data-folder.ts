import { done, type Outcome } from '../../shared/errors/app-error.ts';
import type { DataFolder, DataFolderItem } from '../../shared/ports/files.ts';

/** A folder in memory. Records all calls. */
export class FakeDataFolder implements DataFolder {
  readonly path: string;
  readonly items = new Map<string, Omit<DataFolderItem, 'name'>>();
  readonly calls: string[] = [];
  /** How often an item's size and time were read. */
  inspectedItems = 0;

  constructor(path: string) {
    this.path = path;
  }

  put(name: string, changedAt = 0, bytes = 1): void {
    this.items.set(name, { bytes, changedAt });
  }

  readonly make: DataFolder['make'] = () => this.#answer('make', undefined);

  readonly names: DataFolder['names'] = () => this.#answer('names', [...this.items.keys()]);

  readonly list: DataFolder['list'] = () => {
    this.inspectedItems += this.items.size;
    const listed = [...this.items].map(([name, { bytes, changedAt }]) => ({
      name,
      bytes,
      changedAt,
    }));
    return this.#answer('list', listed);
  };

  readonly find: DataFolder['find'] = (name) => {
    const item = this.items.get(name);
    this.inspectedItems += item === undefined ? 0 : 1;
    return this.#answer('find', item && { name, ...item });
  };

  readonly unchangedSince: DataFolder['unchangedSince'] = (time) => {
    this.inspectedItems += this.items.size;
    const old = [...this.items].filter(([, { changedAt }]) => changedAt < time);
    return this.#answer(
      'unchangedSince',
      old.map(([name]) => name),
    );
  };

  readonly remove: DataFolder['remove'] = async (name) => {
    await this.#answer('remove', undefined);
    this.items.delete(name);
    return done;
  };

  readonly move: DataFolder['move'] = async (name) => {
    await this.#answer('move', undefined);
    this.items.delete(name);
    return done;
  };

  #answer<Value>(call: string, value: Value): Promise<Outcome<Value>> {
    this.calls.push(call);
    return Promise.resolve({ ok: true, value });
  }
}
