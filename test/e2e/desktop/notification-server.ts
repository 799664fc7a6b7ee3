import { expect } from '@playwright/test';
import type { BusClient, ServedInterface } from './test-bus.ts';

const name = 'org.freedesktop.Notifications';
const path = '/org/freedesktop/Notifications';

const served: ServedInterface = {
  name,
  methods: {
    GetCapabilities: ['', 'as'],
    GetServerInformation: ['', 'ssss'],
    Notify: ['susssasa{sv}i', 'u'],
    CloseNotification: ['u', ''],
  },
  signals: { ActionInvoked: ['us'], NotificationClosed: ['uu'] },
};

interface ShownNotification {
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

/** A notification server on the test's bus, which can click on notifications. */
export class NotificationServer {
  readonly #client: BusClient;
  readonly shown: ShownNotification[] = [];

  constructor(client: BusClient) {
    this.#client = client;
  }

  async start(): Promise<void> {
    const { shown } = this;
    await this.#client.serve(name, path, served, {
      GetCapabilities: () => ['actions', 'body'],
      GetServerInformation: () => ['test', 'Parley', '1', '1.2'],
      Notify: (_app: string, _replaces: number, _icon: string, title: string, body: string) => {
        const id = shown.length + 1;
        shown.push({ id, title, body });
        return id;
      },
      CloseNotification: () => undefined,
    });
  }

  titles(): readonly string[] {
    return this.shown.map(({ title }) => title);
  }

  async waitForTitle(title: string): Promise<void> {
    await expect.poll(() => this.titles()).toContain(title);
  }

  async click(title: string): Promise<void> {
    await this.waitForTitle(title);
    const id = this.shown.find((each) => each.title === title)?.id ?? 0;
    this.#client.signal(path, name, 'ActionInvoked', 'us', [id, 'default']);
    this.#client.signal(path, name, 'NotificationClosed', 'uu', [id, 2]);
  }
}
