import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { createAboutHandlers } from '../../../electron/app/app-handlers.ts';
import { runRemoteAction } from '../../../electron/app/ipc/remote-actions.ts';
import {
  createRequestDispatcher,
  NoticeBoard,
} from '../../../electron/app/ipc/request-dispatcher.ts';
import { serveConnection } from '../../../electron/app/ipc/socket-ipc.ts';
import { readLink } from '../../../electron/app/parley-links.ts';
import { readStartArguments } from '../../../electron/hosts/desktop/start-arguments.ts';
import { unpackMessage } from '../../../shared/ipc/binary-message.ts';
import { requests } from '../../../shared/ipc/contract.ts';
import type { VisionHandlers } from '../../../shared/ipc/vision-ipc.ts';
import { parseEndpoint } from '../../../shared/settings/endpoint.ts';
import { parseChord } from '../../../shared/talk/global-key.ts';
import { idleTalkView } from '../../../shared/talk/talk-view.ts';
import { FakeClock } from '../../fakes/fake-clock.ts';
import { FakeLog } from '../../fakes/fake-log.ts';
import { FakeNativeLibraries } from '../../fakes/fake-native-libraries.ts';
import { refusingHandlers, idleTalkHandlers } from '../../fakes/fake-handlers.ts';
import type { EntryPoint } from '../entry-point.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'terminal', runtime: [] } as const;

/** A core whose handlers do nothing: those of talk, vision and About succeed, all others refuse. */
function core() {
  const notices = new NoticeBoard();
  const log = new FakeLog();
  const clock = new FakeClock();
  const nativeLibraries = new FakeNativeLibraries({
    libvips: { state: 'fails', reason: 'It is broken.' },
  });
  const vision: VisionHandlers = {
    setCapturePermission: (permission) => permission,
    setVisionOptions: (settings) => settings,
    pushFrame: () => ({ outcome: 'notWanted' }),
    shareables: () => ({ offered: false, list: [] }),
  };
  const handlers = {
    ...refusingHandlers,
    ...idleTalkHandlers,
    ...vision,
    ...createAboutHandlers({ about, clock, nativeLibraries, notices }),
  };
  return { notices, log, answer: createRequestDispatcher(handlers, log, notices) };
}

/** A page's side of the connection: records the reply or the reason for closing. */
class RecordingPage extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  readonly replies: unknown[] = [];

  send(data: unknown): void {
    this.replies.push(data);
    this.emit('answered');
  }

  close(code: number, reason: string): void {
    this.replies.push({ code, reason });
    this.emit('answered');
  }
}

async function askAsPage(data: Buffer, binary: boolean): Promise<unknown> {
  const page = new RecordingPage();
  serveConnection(page as unknown as WebSocket, core());
  const answered = new Promise<void>((resolve) => {
    page.once('answered', resolve);
  });
  page.emit('message', data, binary);
  await answered;
  page.emit('close');
  return page.replies;
}

const sharedCore = core();

/** Sends every request with the same input. */
async function askEverything(text: string): Promise<unknown> {
  const input = jsonOr(text);
  const replies = [];
  for (const name of Object.keys(requests)) replies.push(await sharedCore.answer(name, input));
  return replies.find(({ ok }) => ok) ?? replies[0];
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const prefixed = (text: string): Buffer => {
  const head = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, Buffer.from([1, 2, 3])]);
};

/** Entry points for requests of pages, other processes, the system and users. */
export const requestEntryPoints: readonly EntryPoint[] = [
  {
    name: 'a page’s messages',
    samples: [
      '{"id":1,"request":"about"}',
      '{"id":2,"request":"startTalk","input":{"mode":"audio"}}',
    ],
    open: (text) => askAsPage(Buffer.from(text), false),
  },
  {
    name: 'a page’s messages with bytes',
    samples: [
      '{"message":{"id":3,"request":"pushFrame","input":{"jpeg":null}},"parts":[{"at":["input","jpeg"],"length":3}]}',
    ],
    open: async (text) => [unpackMessage(prefixed(text)), await askAsPage(prefixed(text), true)],
  },
  {
    name: 'the input of every request',
    samples: [
      '{"mode":"audio"}',
      '{"id":"c1","title":"Tea"}',
      '{"patch":{"assistant":{"language":"en"}}}',
      '{"skip":0,"count":50,"filter":{"text":"tea"}}',
      '{"origin":{"kind":"talk","id":"one"},"format":"srt","mix":false}',
    ],
    open: askEverything,
  },
  {
    name: 'commands of other processes',
    samples: ['start', 'ptt press', 'links status', 'replay "/tapes/one"'],
    open: (text) =>
      runRemoteAction(text, {
        answer: core().answer,
        linkRegistration: {
          set: () => Promise.resolve({ ok: true, value: undefined }),
          state: () => Promise.resolve({ ok: true, value: 'off' }),
        },
        talk: { view: idleTalkView },
        openTapeAt: () => Promise.resolve({ ok: true, value: undefined }),
      }),
  },
  {
    name: 'links',
    samples: ['parley://start', 'parley://start?preset=interpreter'],
    open: (text) => {
      const { link, tape } = readStartArguments(['parley', text]);
      return [link === undefined ? undefined : readLink(link), readLink(text), tape];
    },
  },
  {
    name: 'addresses of servers',
    samples: ['wss://studio.example:8006/v1/realtime?model=o', 'Authorization: Bearer x'],
    open: (text) => [
      parseEndpoint({ url: text }),
      parseEndpoint({
        url: 'wss://studio.example',
        headers: [text, `X-Field: ${text}`],
      }),
      parseEndpoint({ url: 'wss://studio.example', query: [text, `field=${text}`] }),
      parseEndpoint({ url: 'wss://studio.example', fingerprint: text }),
      parseEndpoint({ url: 'wss://studio.example', token: text }),
    ],
  },
  {
    name: 'keys',
    samples: ['Control+KeyT', 'F9'],
    open: (text) => {
      const { code, modifiers } = parseChord(text);
      return { code, modifiers: [...modifiers] };
    },
  },
];
