import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as native from '@homebridge/dbus-native';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { endChild, spawnDyingWithParent } from '../fixtures/processes.ts';

export interface ServedInterface {
  readonly name: string;
  readonly methods: Readonly<Record<string, readonly [string, string]>>;
  readonly signals?: Readonly<Record<string, readonly [string]>>;
  readonly properties?: Readonly<Record<string, string>>;
}

interface Call {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly unknown[];
}

interface NativeBus {
  readonly connection: { end: () => void; on: (name: string, heard: () => void) => void };
  readonly invoke: (call: Call, done: (error: unknown, ...values: unknown[]) => void) => void;
  readonly exportInterface: (object: object, path: string, served: ServedInterface) => void;
  readonly requestName: (name: string, flags: number, done: (error: unknown) => void) => void;
  readonly releaseName: (name: string, done: (error: unknown) => void) => void;
  readonly sendSignal: (
    path: string,
    from: string,
    name: string,
    signature: string,
    args: readonly unknown[],
  ) => void;
}

/** The package's types lack most of its functions. */
const createClient = Reflect.get(native, 'createClient') as (options: {
  readonly busAddress: string;
}) => NativeBus;

const config = (
  socket: string,
): string => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** A private D-Bus session bus, whose dbus-daemon ends with the test. */
export class TestBus {
  readonly address: string;

  private constructor(address: string) {
    this.address = address;
  }

  static async start(lifetime: Lifetime): Promise<TestBus> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-bus-'));
    lifetime.add(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'session.conf');
    await writeFile(file, config(join(folder, 'bus')));
    const words = ['--nofork', `--config-file=${file}`, '--print-address'];
    const daemon = spawnDyingWithParent('dbus-daemon', words, {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    lifetime.add(() => endChild(daemon));
    if (daemon.stdout === null) throw new Error('The bus cannot say where it is.');
    const [line] = (await once(daemon.stdout, 'data')) as [Buffer];
    return new TestBus(line.toString().trim());
  }

  connect(lifetime: Lifetime): BusClient {
    const bus = createClient({ busAddress: this.address });
    // The library emits an error when a connection closes normally.
    bus.connection.on('error', () => undefined);
    lifetime.add(() => {
      bus.connection.end();
    });
    return new BusClient(bus);
  }
}

export class BusClient {
  readonly #bus: NativeBus;

  constructor(bus: NativeBus) {
    this.#bus = bus;
  }

  call(call: Call): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      this.#bus.invoke(call, (error, ...values) => {
        if (error === null || error === undefined) resolve(values);
        else reject(new Error(`${call.member}: ${JSON.stringify(error)}`));
      });
    });
  }

  async property(destination: string, path: string, of: string, name: string): Promise<unknown> {
    const [value] = await this.call({
      destination,
      path,
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [of, name],
    });
    return unwrapVariant(value);
  }

  /** Serves an object under a well-known name, and returns how to release the name. */
  async serve(
    name: string,
    path: string,
    served: ServedInterface,
    object: object,
  ): Promise<() => Promise<void>> {
    this.#bus.exportInterface(object, path, served);
    await new Promise<void>((resolve, reject) => {
      this.#bus.requestName(name, 0, (error) => {
        if (error === null || error === undefined) resolve();
        else reject(new Error(JSON.stringify(error)));
      });
    });
    return () =>
      new Promise((resolve) => {
        this.#bus.releaseName(name, () => {
          resolve();
        });
      });
  }

  signal(
    path: string,
    from: string,
    name: string,
    signature: string,
    args: readonly unknown[],
  ): void {
    this.#bus.sendSignal(path, from, name, signature, args);
  }
}

/** The value of a variant, which arrives as its signature and a list of one. */
export function unwrapVariant(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 2) return value;
  const [signature, held] = value as [unknown, unknown];
  const typed = Array.isArray(signature) && signature.every(isSignature);
  return typed && Array.isArray(held) && held.length === 1 ? (held[0] as unknown) : value;
}

const isSignature = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && 'type' in part && 'child' in part;
