import { bufferBase64 } from '../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { ClientEvent, ClientEventProblem } from '../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../shared/protocol/server-codec.ts';
import { clientEventVectors, serverEventVectors } from '../../unit/shared/protocol/wire-vectors.ts';
import type { EntryPoint } from '../entry-point.ts';
import { toFileName } from '../../../electron/recordings/export/export-controller.ts';
import {
  toJsonTranscript,
  toMarkdownTranscript,
  toPlainTranscript,
} from '../../../electron/recordings/export/talk-transcript.ts';
import { LiveCaptions, type Cue } from '../../../electron/talk/captions/live-captions.ts';
import { toSrt, toVtt } from '../../../electron/talk/captions/subtitle-files.ts';
import { createMarkdownParser } from '../../../renderer/markdown/parse-markdown.ts';
import { toSafeJson, sanitizeLine, stripControlCharacters } from '../../../shared/text.ts';
import { englishTranscript } from '../../../shared/i18n/en/core-messages.ts';
import { patchCaption, type CaptionedTurn } from '../../../shared/talk/talk-view.ts';
import { requestEntryPoints } from './request-entry-points.ts';
import { fileEntryPoints } from './file-entry-points.ts';

const client = createClientCodec(bufferBase64);
const server = createServerCodec(bufferBase64);

const written = (vectors: readonly { readonly frame: unknown }[]): readonly string[] =>
  vectors.map(({ frame }) => JSON.stringify(frame));

/** Checks that every sample of a decoded event can be played or sent. */
function checkSound(event: object): void {
  if (!('audio' in event) || !(event.audio instanceof Float32Array)) return;
  if (!event.audio.every((sample) => Number.isFinite(sample))) throw new Error('unusable sound');
}

/** Checks that a decoded event can be encoded again in its dialect. */
function checkReencoding(asked: ClientEvent | ClientEventProblem, dialect: 'unified' | 'legacy') {
  if (asked.kind === 'problem') return asked;
  checkSound(asked);
  return { asked, again: client.encodeClientEvent(asked, dialect) };
}

/** Entry points for frames: from a server to Parley, and from clients to the embedded gateway. */
const wireEntryPoints: readonly EntryPoint[] = [
  {
    name: 'events of a server',
    samples: written(serverEventVectors),
    open: (text) => {
      const event = client.decodeServerEvent(text);
      checkSound(event);
      return [event, server.encodeServerEvent(event, 'unified')];
    },
  },
  ...(['unified', 'legacy'] as const).flatMap((dialect): readonly EntryPoint[] => [
    {
      name: `messages to the gateway, ${dialect}`,
      samples: written(clientEventVectors.filter((vector) => vector.dialect === dialect)),
      open: (text) => checkReencoding(server.decodeClientEvent(text, dialect), dialect),
    },
    {
      name: `messages to the gateway, ${dialect}, as deployed`,
      samples: written(clientEventVectors.filter((vector) => vector.dialect === dialect)),
      open: (text) =>
        checkReencoding(server.decodeClientEvent(text, dialect, { lenient: true }), dialect),
    },
  ]),
  {
    name: 'messages to the gateway’s older chat',
    samples: ['{"messages":[{"role":"user","content":"Hello"}],"streaming":true}'],
    open: (text) => checkReencoding(server.olderChat.decodeRequest(text), 'unified'),
  },
];

const rate = 24_000;

/** Captions of a text that arrives in two pieces, each with a second of sound, and is heard to its end. */
function captionsOf(text: string) {
  let shown: CaptionedTurn | undefined;
  const cues: Cue[] = [];
  const captions = new LiveCaptions({
    onPatch: (patch) => {
      shown = patchCaption(shown, patch);
    },
    onSettled: () => undefined,
    onCue: (cue) => void cues.push(cue),
  });
  const half = Math.floor(text.length / 2);
  for (const piece of [text.slice(0, half), text.slice(half)]) {
    captions.addText(1, piece);
    captions.addAudio(1, new Float32Array(rate));
    captions.update(0, 0);
  }
  captions.onTurnEnd(1);
  for (const seconds of [0.5, 1, 1.5, 2, 3]) captions.update(seconds * rate, seconds * 1000);
  return { shown, cues };
}

function check(holds: boolean, fault: string): void {
  if (!holds) throw new Error(fault);
}

/** Entry points for text of a server, model or user on its way to the screen and into files. */
const wordEntryPoints: readonly EntryPoint[] = [
  {
    name: 'captions and subtitles',
    samples: ['Water boils at 100 degrees. At least, down here!'],
    open: (text) => {
      const { shown, cues } = captionsOf(text);
      check(text.startsWith(shown?.text ?? ''), 'the caption differs from the text');
      check((shown?.heard ?? 0) <= text.length, 'the caption is heard beyond its end');
      const vtt = toVtt(cues);
      const times = vtt.split('\n').filter((line) => line.includes('-->')).length;
      const blocks = vtt.split('\n\n').length - 1;
      check(times === blocks, 'the text was read as subtitle times');
      check(!/<[^]*>/u.test(vtt.replaceAll('-->', '')), 'the text was read as tags');
      const srt = toSrt(cues);
      check(srt.split('-->').length - 1 === times, 'the text was read as subtitle times');
      return { shown, vtt, srt };
    },
  },
  {
    name: 'transcripts',
    samples: ['Water boils at 100 degrees.'],
    open: (text) => {
      const line = { at: 0, by: 'parley', text, unheard: text, byMachine: false } as const;
      const talk = { mode: 'audio', server: text, recordedAt: text, lines: [line] } as const;
      return [
        toJsonTranscript(talk),
        toMarkdownTranscript(talk, englishTranscript),
        toPlainTranscript(talk, englishTranscript),
      ];
    },
  },
  {
    name: 'Markdown',
    samples: ['# Tea\n\n- green **tea**\n- `x`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'],
    open: (text) => {
      const parsed = createMarkdownParser()(text);
      const whole = parsed.pieces.map(({ source }) => source).join('');
      check(whole.length <= text.length, 'the Markdown is longer than the text');
      return parsed;
    },
  },
  {
    name: 'output of a terminal',
    samples: ['The server says: "busy".'],
    open: (text) => {
      const printed = [stripControlCharacters(text), sanitizeLine(text, 200), toSafeJson({ text })];
      // oxlint-disable-next-line no-control-regex -- the check searches for them
      check(!/[\u001B\u0007\u009B]/u.test(printed.join('')), 'control characters are printed');
      check(!/\n/u.test(printed[1] ?? ''), 'the line has a line break');
      return printed;
    },
  },
  {
    name: 'names of files',
    samples: ['Grandmother’s recipe'],
    open: (title) => {
      const name = toFileName(title, 'md');
      check(Buffer.byteLength(name) <= 255, `${name} is too long for a disk`);
      check(!/^\.|[/\\\0]/u.test(name), `${name} is hidden or a path`);
      return name;
    },
  },
];

/** All functions that take outside text, except the command line, which loads all of Parley. */
export const textEntryPoints: readonly EntryPoint[] = [
  ...wireEntryPoints,
  ...fileEntryPoints,
  ...requestEntryPoints,
  ...wordEntryPoints,
];
