import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Parley } from '../../../../electron/core/compose-parley.ts';
import { counterAt } from '../../../../electron/adapters/portaudio-addon.ts';
import type { NativeSound, NativeStream } from '../../../../electron/adapters/portaudio-addon.ts';
import { OpenPage } from '../../../../electron/ipc/open-page.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import { gatewayHarness } from '../../../contract/gateway-server-harness.ts';
import { ExecutedFiles } from './executed-files.ts';

const blockSamples = 320;
const page = 'docs/architecture.md';
const limits = { files: 20, folders: 6 };

/** Only the addon can make one, and only the addon looks into it. */
const handle = {} as NativeStream;

/** A sound card whose microphone has something to read whenever the test says so. */
class FakeAddon implements NativeSound {
  readonly copies = 1;
  #queued = 0;
  #moved = 0;
  #callbacks = 0;
  #wake: () => void = () => undefined;

  /** A block has been captured; the addon calls as it does from its thread. */
  capture(): void {
    this.#queued = blockSamples;
    this.#wake();
  }

  readonly initialize: NativeSound['initialize'] = () =>
    Promise.resolve([
      {
        index: 0,
        name: 'Card',
        hostApi: 'Fake',
        inputChannels: 1,
        outputChannels: 1,
        rate: 48_000,
        defaultInput: 1,
        defaultOutput: 1,
      },
    ]);
  readonly terminate = () => Promise.resolve();
  readonly openSpeaker = () => Promise.resolve(handle);
  readonly openMicrophone: NativeSound['openMicrophone'] = (_plan, _blockSamples, wake) => {
    this.#wake = wake;
    return Promise.resolve(handle);
  };
  readonly close = () => Promise.resolve();
  readonly write = (_stream: NativeStream, samples: Float32Array) => samples.length;
  readonly flush = () => ({ played: 0, dropped: 0 });
  readonly setVolume = () => undefined;
  readonly take: NativeSound['take'] = (_stream, into) => {
    this.#queued = 0;
    this.#moved += into.length;
    into.fill(0.1);
    return into.length;
  };
  readonly look: NativeSound['look'] = (_stream, figures) => {
    figures[counterAt.active] = 1;
    figures[counterAt.callbacks] = this.#callbacks += 1;
    figures[counterAt.queued] = this.#queued;
    figures[counterAt.moved] = this.#moved;
    figures[counterAt.markPosition] = this.#moved;
    figures[counterAt.markTime] = this.#moved / 16_000;
  };
}

const { addon } = vi.hoisted(() => ({ addon: { load: (): unknown => undefined } }));
vi.mock('../../../../electron/adapters/portaudio-addon.ts', async (original) => ({
  ...(await original<object>()),
  loadNativeSound: () => addon.load(),
}));

const { serve } = gatewayHarness();
const executed = new ExecutedFiles();
let parley: Parley | undefined;

afterEach(async () => {
  executed.end();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await parley?.lifetime.end();
});

/** The files of the way as the page shows it. */
function shownWay(name: string): readonly string[] {
  const [, block = ''] =
    new RegExp(`^\`\`\`way ${name} *\\n(.*?)^\`\`\``, 'ms').exec(readFileSync(page, 'utf8')) ?? [];
  return block
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/)[0] ?? '')
    .filter((line) => line !== '');
}

/** Files of the product that a file imports, and not for their types only. */
function importsOf(file: string): readonly string[] {
  const imports = readFileSync(file, 'utf8').matchAll(
    /^import (?!type )[^;]*?from '(\.[^']*)';/gms,
  );
  return [...imports].map(([, from = '']) => posix.join(posix.dirname(file), from));
}

it('a block of the microphone goes to the WebSocket by the files that the page shows', async () => {
  const native = new FakeAddon();
  addon.load = () => native;
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  const { composeParley } = await import('../../../../electron/core/compose-parley.ts');
  parley = composeParley('browser', '0.0.0', new FakeLog());
  const { answer, settings, talk } = parley;
  const from = new OpenPage();
  const added = await answer(
    'putEndpoint',
    { name: 'Real', kind: 'local', url: await serve(), dialect: 'auto', headers: {}, query: {} },
    from,
  );
  if (!added.ok) throw new Error(added.error.code);
  const { id } = added.value as { readonly id: string };
  // With chunks of 51 blocks the level that pages are shown falls into another block than the last.
  const chosen = settings.change({
    endpoints: { chosen: id },
    assistant: { generation: { chunkMs: 1020 } },
  });
  if (!chosen.ok) throw new Error(chosen.error.code);
  const started = await talk.start('audio');
  if (!started.ok) throw new Error(started.error.code);
  await expect.poll(() => talk.view.state.phase).toBe('live');

  let measuring = false;
  const atSend: (readonly string[])[] = [];
  const send = vi.spyOn(WebSocket.prototype, 'send').mockImplementation(() => {
    if (measuring) atSend.push(executed.take());
  });
  executed.begin();
  for (let block = 0; atSend.length === 0 && block < 100; block += 1) {
    executed.take();
    measuring = true;
    native.capture();
    measuring = false;
  }
  expect(send).toHaveBeenCalledOnce();
  send.mockRestore();

  const [ran = []] = atSend;
  const way = shownWay('microphone to websocket');
  const beside = ran.filter((file) => !way.includes(file));
  process.stdout.write(
    `microphone to websocket: ${way.length} files in ` +
      `${new Set(way.map((file) => posix.dirname(file))).size} folders; beside it ran: ` +
      `${beside.map((file) => posix.basename(file)).join(', ')}\n`,
  );
  expect(way.length).toBeGreaterThan(0);
  expect(way.length).toBeLessThanOrEqual(limits.files);
  expect(new Set(way.map((file) => posix.dirname(file))).size).toBeLessThanOrEqual(limits.folders);
  // What is on the way runs, or is the type by which two sides of it meet.
  for (const file of way.filter((each) => !ran.includes(each))) {
    expect(readFileSync(file, 'utf8'), file).not.toMatch(/^export (?!type |interface )/m);
  }
  // What runs beside it has no way on: it returns to whoever called.
  for (const file of beside) {
    expect(
      importsOf(file).filter((imported) => way.includes(imported)),
      file,
    ).toEqual([]);
  }
});
