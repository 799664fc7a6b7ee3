import { expect } from '@playwright/test';
import { unwrapVariant, type BusClient, type ServedInterface } from './test-bus.ts';

const watcher = 'org.kde.StatusNotifierWatcher';
const item = 'org.kde.StatusNotifierItem';
const menu = 'com.canonical.dbusmenu';
const path = '/StatusNotifierWatcher';

const served: ServedInterface = {
  name: watcher,
  methods: {
    RegisterStatusNotifierItem: ['s', ''],
    RegisterStatusNotifierHost: ['s', ''],
  },
  signals: { StatusNotifierItemRegistered: ['s'], StatusNotifierHostRegistered: [''] },
  properties: {
    IsStatusNotifierHostRegistered: 'b',
    ProtocolVersion: 'i',
    RegisteredStatusNotifierItems: 'as',
  },
};

export interface TrayMenuEntry {
  readonly id: number;
  readonly label: string;
  readonly enabled: boolean;
  readonly checked: boolean;
  readonly entries: readonly TrayMenuEntry[];
}

/** A panel with a tray, as far as a program can tell. */
export class TrayHost {
  readonly #client: BusClient;
  readonly #items: string[] = [];
  #leave: () => Promise<void> = () => Promise.resolve();

  constructor(client: BusClient) {
    this.#client = client;
  }

  async appear(): Promise<void> {
    const items = this.#items;
    this.#leave = await this.#client.serve(watcher, path, served, {
      IsStatusNotifierHostRegistered: true,
      ProtocolVersion: 0,
      RegisteredStatusNotifierItems: [],
      RegisterStatusNotifierItem: (service: string) => {
        items.push(service);
      },
      RegisterStatusNotifierHost: () => undefined,
    });
  }

  async disappear(): Promise<void> {
    this.#items.length = 0;
    await this.#leave();
  }

  /** The address of the newest icon; waits until there is one. */
  async icon(): Promise<string> {
    await expect
      .poll(() => this.#items.length, { message: 'an icon in the tray' })
      .toBeGreaterThan(0);
    return this.#items.at(-1) ?? '';
  }

  get shown(): readonly string[] {
    return this.#items;
  }

  async property(name: string): Promise<unknown> {
    return this.#client.property(await this.icon(), '/StatusNotifierItem', item, name);
  }

  async click(): Promise<void> {
    await this.#client.call({
      destination: await this.icon(),
      path: '/StatusNotifierItem',
      interface: item,
      member: 'Activate',
      signature: 'ii',
      body: [10, 10],
    });
  }

  async menu(): Promise<readonly TrayMenuEntry[]> {
    const [, layout] = await this.#menuCall('GetLayout', 'iias', [0, -1, []]);
    return entryOf(layout).entries;
  }

  /**
   * Chooses an entry by its labels, from the outermost. Retries once, because Parley may rebuild the menu, which gives
   * entries new ids.
   */
  async choose(...labels: readonly string[]): Promise<void> {
    const chosen = await this.#entryAt(labels);
    try {
      await this.#clickEntry(chosen);
    } catch (problem) {
      const now = await this.#entryAt(labels);
      if (now === chosen) throw problem;
      await this.#clickEntry(now);
    }
  }

  async #entryAt(labels: readonly string[]): Promise<number> {
    let entries = await this.menu();
    let found: TrayMenuEntry | undefined;
    for (const label of labels) {
      found = entries.find((entry) => entry.label === label);
      if (found === undefined) throw new Error(`The tray's menu has no ${label}.`);
      entries = found.entries;
    }
    return found?.id ?? 0;
  }

  async #clickEntry(id: number): Promise<void> {
    await this.#menuCall('Event', 'isvu', [id, 'clicked', ['i', 0], 0]);
  }

  async #menuCall(
    member: string,
    signature: string,
    body: readonly unknown[],
  ): Promise<readonly unknown[]> {
    const at = await this.property('Menu');
    return this.#client.call({
      destination: await this.icon(),
      path: String(at),
      interface: menu,
      member,
      signature,
      body,
    });
  }
}

function entryOf(layout: unknown): TrayMenuEntry {
  const [id, properties, children] = layout as [number, [string, unknown][], unknown[]];
  const known = new Map(properties.map(([name, value]) => [name, unwrapVariant(value)]));
  return {
    id,
    label: textOf(known.get('label')).replaceAll('__', '_'),
    enabled: known.get('enabled') !== false,
    checked: known.get('toggle-state') === 1,
    entries: children.map((child) => entryOf(unwrapVariant(child))),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
