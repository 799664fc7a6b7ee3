import { englishErrors } from '../../../shared/i18n/en/errors.ts';
import { maskText } from './redact-values.ts';

/** Words of Parley's log entries. Words that are neither here nor in an error text may be private. */
const parleyWords = `
  a abandoned deeply portal reply after alive all already also an and another answered arrived as asked at attempt authentication
  autostart available average back barge be became because been before began behind block blocks broke broken browser
  buffer bus but by came camera cancelled capture cards careful catalogue caught chat chirp chunk cleanly clock close
  closed commands connection context continues core crash crashed created daemon data decoder depth desktop device
  devices dialect dialog did died different display does done dropped electron embedded empty end ended ending ends
  entries error errors event events every exactly exception exist exit exiting failed faults features feed files first
  for found frame frames from gap gateway goes gone hardware has hear heard here history hung icon in incomplete index
  info installed integer ipc is it its itself jitter js kept killed known late latency later left level lifetime
  limited line list listener load loaded log longer lost machine main median menu message microphone mini mjs mode
  module more most moved ms mts muted name native nested network new no nobody node node_modules not notice now object
  of often on once one only open opened or other out page parley passed path paused picture pictures playback port
  portaudio positive probe process promise queue queued read reason receives refused registration rejected rejection
  reload reloaded remote renderer repeated replay request requests resources restarts restored retry returned running
  s safe same sample samples screen seconds sent server session set sharp shutdown silence socket sound speaker start
  started starting starts state stays still stopped stream streams switched system takes talk tape task than that the
  there things this time timed times to too took tray trial truncated ts tunnel turn turns type uncaught unhandled
  unknown until up updated used variant version voice waited waits warn was web webcontents websocket went were what
  while who window with without worker write writes written wrong`;

const machineWords = `
  abort aggregate alsa anonymous array assert async at await buffer call class code config constructor content econnrefused
  encoding eof errno error eval extended file function handle has header host http https index internal invalid is json length
  listen map message method modules next node null number object of open parse pipe platform private promise promises property
  protocol pulse pulseaudio range read reference regexp resolve response run set signal sigabrt sigbus sighup sigint sigkill
  sigsegv sigterm socket stack status stream string syntax syscall task tick timeout timers token tls type typed undefined
  unexpected uri url value ws wss x11 wayland linux darwin win32 x64 arm64 mb kb hz db pcm float16 float32`;

const sentences = Object.values(englishErrors.codes);

const known: ReadonlySet<string> = new Set(
  [parleyWords, machineWords, ...sentences.map((text) => text.replaceAll(/\{\{\w+\}\}/gu, ' '))]
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}\d]+/u))
    .filter((word) => word !== ''),
);

const wordPattern = /[\p{L}\p{M}][\p{L}\p{M}\d]*/gu;
const systemCode = /^(?:E[A-Z]{3,15}|ERR|SIG[A-Z]{2,6})$/u;
/** IP addresses and long numbers, which could identify a machine or a user. */
const numberPattern = /\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:[\da-f]{0,4}:){3,}[\da-f]{0,4}|\d{7,}/giu;
/** Time, process and level at the start of each entry. */
const linePrefix = /^\d{4}-\d\d-\d\dT[\d:.]+Z \d+ (?:info|warn|error): /u;

/** Masks every word that is not Parley's own. Names, addresses, paths and server texts keep only their length. */
export function redactLog(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const [begins = ''] = linePrefix.exec(line) ?? [];
      return begins + redactWords(line.slice(begins.length));
    })
    .join('\n');
}

function redactWords(text: string): string {
  return text
    .replaceAll(numberPattern, maskText)
    .replaceAll(wordPattern, (each) => (isKnown(each) ? each : maskText(each)));
}

function isKnown(each: string): boolean {
  if (known.has(each.toLowerCase()) || systemCode.test(each)) return true;
  const parts = each.split(/(?<=\p{Ll})(?=\p{Lu})/u);
  return parts.length > 1 && parts.every((part) => known.has(part.toLowerCase()));
}
