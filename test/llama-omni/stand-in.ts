// The stand-in for `llama-omni-server` as a program: its command line, sockets and files.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RawData, WebSocketServer } from 'ws';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { seeded } from '../fakes/seeded.ts';
import { type StandInMedia, StandInServer } from './stand-in-server.ts';
import type { StandInFaults } from './stand-in-faults.ts';
import { modelFileNames, standInLog } from './stand-in-log.ts';

const maxMessageBytes = 16 * 1024 * 1024;
const pingEveryMs = 30_000;

const number = { type: 'string' } as const;
const options = {
  model: { type: 'string', short: 'm' },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '22500' },
  'gpu-layers': number,
  'ctx-size': { type: 'string', short: 'c', default: '4096' },
  temp: number,
  'top-k': number,
  'top-p': number,
  'min-p': number,
  'repeat-penalty': number,
  'repeat-last-n': number,
} as const;

const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

function fail(line: string): never {
  log(line);
  process.exit(1);
}

function readCommandLine(faults: StandInFaults) {
  // llama.cpp writes the option for layers with one dash and three letters.
  const words = process.argv.slice(2).map((word) => (word === '-ngl' ? '--gpu-layers' : word));
  if (faults.otherProgram === true)
    fail(`usage: another-program [FILE]\nunknown option: ${words[0]}`);
  try {
    return parseArgs({ args: words, options }).values;
  } catch {
    return fail(standInLog.unknownArgument(process.argv.slice(2).join(' ')));
  }
}

function checkFiles(model: string): void {
  const folder = dirname(model);
  for (const path of [model, ...modelFileNames.slice(1).map((name) => join(folder, name))]) {
    if (!existsSync(path)) fail(standInLog.fileMissing(path));
  }
}

function createMedia({ fullDiskAtStep = Number.POSITIVE_INFINITY }: StandInFaults): StandInMedia {
  const root = join(tmpdir(), 'omni_ws');
  return {
    save: (session, name, bytes) => {
      const path = join(root, session, name);
      if (Number.parseInt(name, 10) >= fullDiskAtStep) throw new Error(path);
      mkdirSync(join(root, session), { recursive: true });
      writeFileSync(path, bytes);
    },
    remove: (session) => {
      rmSync(join(root, session), { recursive: true, force: true });
    },
  };
}

async function main(): Promise<void> {
  const faults = JSON.parse(process.env['STAND_IN_FAULTS'] ?? '{}') as StandInFaults;
  const { model = '', host, port, 'ctx-size': contextSize } = readCommandLine(faults);
  checkFiles(model);
  const speech = await loadDemoSpeech(process.env['STAND_IN_SPEECH'] ?? 'resources/speech');
  if (!speech.ok) fail(speech.error.detail ?? speech.error.code);
  const omni = new StandInServer({
    clock: systemClock,
    random: seeded(faults.seed ?? 1),
    speech: speech.value,
    faults,
    contextSize: Number(contextSize),
    modelFolder: dirname(model),
    media: createMedia(faults),
    log,
    exit: (how) => {
      if (how === 'outOfMemory') setTimeout(() => process.exit(1), 50);
      else process.kill(process.pid, 'SIGSEGV');
    },
  });
  serve(omni, faults, host, Number(port));
}

function serve(omni: StandInServer, faults: StandInFaults, host: string, port: number): void {
  const http = createServer((request, response) => {
    void answer(omni, faults, request, response);
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  http.on('upgrade', (request, socket, head) => {
    if (request.url !== '/backend' || faults.olderBuild === true) {
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      const connection = omni.connect({
        send: (text) => {
          client.send(text);
        },
        close: () => {
          client.close();
        },
      });
      const pings = setInterval(() => {
        client.ping();
      }, pingEveryMs);
      client.on('message', (data: RawData, isBinary) => {
        connection.receive(isBinary || !Buffer.isBuffer(data) ? undefined : data.toString());
      });
      client.on('error', () => {
        client.terminate();
      });
      client.on('close', () => {
        clearInterval(pings);
        connection.disconnected();
      });
    });
  });
  http.on('error', () => fail(standInLog.portTaken(host, port)));
  http.listen(port, host, () => {
    const address = http.address();
    const actual = typeof address === 'object' && address !== null ? address.port : port;
    log(standInLog.listening(host, actual));
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (faults.zombie === true) return;
      omni.end();
      process.exit(0);
    });
  }
}

async function answer(
  omni: StandInServer,
  faults: StandInFaults,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const [, id] = /^\/sessions\/([^/]+)\/close$/u.exec(url) ?? [];
  if (method === 'GET' && url === '/health') send(200, { status: 'ok', engine: 'comni' });
  else if (method === 'GET' && url === '/stand-in') send(200, omni.report);
  else if (method === 'GET' && url === '/backend' && faults.olderBuild !== true)
    send(426, { error: 'upgrade required' });
  else if (method !== 'POST' || id === undefined) send(404, { error: 'not found' });
  else if (faults.zombie !== true)
    send((await omni.closeSession(decodeURIComponent(id))) ? 200 : 404, {});
}

await main();
