import type { Pictures } from '../../shared/ports/pictures.ts';
import type { ChatTurnEvent } from '../../shared/protocol/client-event.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { type ChatPrompt, chatTurnProblem, readChatPrompt } from './chat-prompt.ts';
import {
  echoedInputId,
  type GatewayModel,
  type ModelEnvironment,
  modelMetrics,
} from './gateway-model.ts';
import type { DemoClip, DemoSpeech } from './gateway-options.ts';
import type { SentenceRecogniser } from './sentence-recogniser.ts';
import { composeUtterance, type Utterance } from './utterance.ts';

const defaultMaxNewTokens = 256;
const tokensPerDelta = 3;
/** The C++ server sends the sound of an answer when it is made, after the answer's end. */
const soundAfterEndMs = 300;

/** Turns that wait for the one that is being answered. */
const maxPendingTurns = 16;

/** Chat: one turn after the other, each ended by `done`. */
export function openChatModel(environment: ModelEnvironment): GatewayModel<ChatTurnEvent> {
  const { options, deps } = environment;
  const deltaMs = options.stepMs / 4;
  let waiting: ChatTurnEvent[] = [];
  let busy = false;
  let ended = false;
  let stopWaiting: (() => void) | undefined;
  let step = 0;

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      stopWaiting = deps.clock.after(ms, resolve);
    });
  }

  async function pump(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) await work(turn);
    busy = false;
  }

  async function work(turn: ChatTurnEvent): Promise<void> {
    await pause(options.stepMs);
    const prompt = readChatPrompt(turn);
    const reply = await composeReply(
      prompt,
      { ...deps, pause: () => pause(0) },
      turn.speech?.enabled === true,
    );
    if (ended) return;
    step += 1;
    const cut = truncateReply(reply, turn.maxNewTokens ?? defaultMaxNewTokens);
    const fill = environment.context.restart(prompt.tokens + cut.pieces.length);
    let answering: Promise<void> | undefined;
    environment.answer(step, () => {
      answering = say(turn, cut, reply);
    });
    await answering;
    if (fill === 'full') environment.contextFull();
  }

  async function say(
    turn: ChatTurnEvent,
    cut: TruncatedReply,
    { utterance }: ChatReply,
  ): Promise<void> {
    const streaming = turn.streaming !== false;
    const numbers = options.profile === 'llama-omni';
    const about = {
      responseId: numbers ? `${environment.sessionId}_resp_${step}` : environment.newResponseId(),
      inputId: echoedInputId(environment, turn),
    };
    const audio = utterance?.audio.subarray(0, cut.samples);
    if (streaming) {
      await stream(cut.pieces, numbers ? undefined : audio, about);
    } else if (audio !== undefined && options.profile === 'deployed') {
      // Deployed servers say it twice: here and in `done`.
      environment.emit({ kind: 'output', wire: 'unified', ...about, audio });
    }
    if (ended) return;
    environment.emit({
      kind: 'done',
      ...about,
      text: cut.pieces.join(''),
      reason: cut.complete ? 'turn_end' : 'length',
      audio: streaming ? undefined : audio,
      metrics: modelMetrics(environment, {
        textTokens: cut.pieces.length,
        samples: audio?.length,
      }),
    });
    if (!streaming || !numbers || audio === undefined) return;
    await pause(soundAfterEndMs);
    if (!ended) await stream([], audio, about);
  }

  async function stream(
    pieces: TruncatedReply['pieces'],
    audio: Float32Array | undefined,
    about: { readonly responseId: string; readonly inputId: string | undefined },
  ): Promise<void> {
    let sentTokens = 0;
    let sentSamples = 0;
    const samples = audio?.length ?? 0;
    while (sentTokens < pieces.length || sentSamples < samples) {
      if (sentTokens < pieces.length) {
        const text = pieces.slice(sentTokens, sentTokens + tokensPerDelta).join('');
        const metrics = modelMetrics(environment, {});
        environment.emit({ kind: 'output', wire: 'unified', ...about, text, metrics });
        sentTokens += tokensPerDelta;
      }
      if (audio !== undefined && sentSamples < samples) {
        const chunk = audio.subarray(sentSamples, sentSamples + outputRate);
        environment.emit({ kind: 'output', wire: 'unified', ...about, audio: chunk });
        sentSamples += outputRate;
      }
      await pause(deltaMs);
      if (ended) return;
    }
  }

  return {
    take: (turn) => {
      const problem = chatTurnProblem(turn);
      if (problem !== undefined) return problem;
      if (waiting.length >= maxPendingTurns) {
        return { code: 'invalid_payload', message: 'too many turns are waiting' };
      }
      waiting.push(turn);
      void pump();
      return undefined;
    },
    end: () => {
      ended = true;
      waiting = [];
      stopWaiting?.();
    },
  };
}

/** A reply as far as it may go. */
interface TruncatedReply {
  /** One for each token, which here is a word with the space before it. */
  readonly pieces: readonly string[];
  readonly complete: boolean;
  /** As much of the sound as belongs to it. */
  readonly samples: number;
}

function truncateReply({ text, utterance, spoken }: ChatReply, maxTokens: number): TruncatedReply {
  const all = text.match(/\s*\S+/g) ?? [];
  const complete = all.length <= maxTokens;
  const length = utterance?.audio.length ?? 0;
  // Only where the voice says the text do the text's words tell where to stop.
  const lastWord = spoken === 'text' ? utterance?.words[maxTokens - 1] : undefined;
  return {
    pieces: complete ? all : all.slice(0, maxTokens),
    complete,
    samples: complete ? length : (lastWord?.end ?? length),
  };
}

const exactly = /reply with exactly\s*:?\s*([\s\S]+)/i;
const greeting = /^\W*(?:hello|hi|hey|good (?:morning|afternoon|evening)|greetings)\b/i;
const earlier = /\b(?:what did i|what have i|earlier|before|remember|previous)\b/i;
const help = /\b(?:help|what can you|what do you do)\b/i;
const forms = /\b(?:code|markdown|program|script|table|list)\b/i;
const name = /\b(?:who are you|what are you|your name)\b/i;
const whatItCan = [
  'I am the demonstration inside Parley, so I know only a few things. You can:',
  '',
  '1. **Greet me.**',
  '2. **Attach a picture** or a sound, and I say what I see in it.',
  '3. **Ask what you said earlier.**',
  '4. **Ask for some code**, to see how it looks.',
  '5. Write `Reply with exactly:` and some words.',
  '',
  'Connect Parley to a real server for real answers.',
].join('\n');
const formsOfText = [
  'This is what answers can look like. I am only the demonstration, so it is always the same one.',
  '',
  '```js',
  '// Greets whoever talks.',
  'const greet = (name) => `Hello, ${name}!`;',
  "console.log(greet('you'));",
  '```',
  '',
  '| in Markdown | it looks |',
  '| --- | --- |',
  '| `**bold**` | **bold** |',
  '| `*italic*` | *italic* |',
  '',
  '- A list has points,',
  '- and code can be copied.',
].join('\n');

/** Who wants bare words says what is to stand where there are none. */
const unclear = '[unclear]';
const quotedLength = 200;

interface ChatReply {
  readonly text: string;
  /** What is said aloud, where that was wished for. */
  readonly utterance: Utterance | undefined;
  /** The very text, or the recorded sentence that stands in for what cannot be spoken. */
  readonly spoken: 'text' | 'standIn';
}

export interface ReplyDeps {
  readonly pictures: Pictures;
  readonly speech: DemoSpeech;
  readonly recogniser: SentenceRecogniser;
  /** Lets others have their turn. */
  readonly pause: () => Promise<void>;
}

/** A sensible short answer to a turn of chat. It never says that it is more than a demonstration. */
async function composeReply(
  prompt: ChatPrompt,
  deps: ReplyDeps,
  aloud: boolean,
): Promise<ChatReply> {
  const { speech } = deps;
  const wanted = exactly.exec(prompt.text)?.[1]?.trim();
  const text = wanted ?? (await answer(prompt, deps));
  if (!aloud) return { text, utterance: undefined, spoken: 'text' };
  const clips = clipsFor(text, speech);
  if (clips !== undefined) return { text, utterance: composeUtterance(clips), spoken: 'text' };
  const standIn = speech.clips.filter(({ id }) => id === 'written');
  // Where exact words were asked for, the voice alone has to say that it cannot speak them.
  const note = ' (The voice says something else: it has only recorded sentences.)';
  return {
    text: wanted === undefined ? `${text}${note}` : text,
    utterance: composeUtterance(standIn),
    spoken: 'standIn',
  };
}

async function answer(prompt: ChatPrompt, deps: ReplyDeps): Promise<string> {
  const { text, images, sounds } = prompt;
  const { pictures, speech } = deps;
  const [image] = images;
  if (image !== undefined) return describe(image, images.length, pictures);
  if (sounds.some(({ length }) => length > 0)) return answerSound(prompt, deps);
  const shortened = shortenLines(text);
  if (shortened !== undefined && shortened !== '') return shortened;
  if (greeting.test(text)) return sentence(speech, 'hello');
  if (earlier.test(text)) return recall(prompt);
  if (name.test(text)) return sentence(speech, 'only', 'connect');
  if (help.test(text)) return whatItCan;
  if (forms.test(text)) return formsOfText;
  return sentence(speech, 'only', 'recorded', 'connect');
}

/** It knows its own sentences by their sound, and says so of all others. */
async function answerSound(
  { text, sounds }: ChatPrompt,
  { recogniser, pause }: ReplyDeps,
): Promise<string> {
  const found: string[] = [];
  for (const sound of sounds) {
    const words = await recogniser.wordsIn(sound, pause);
    if (words !== undefined) found.push(words);
  }
  const words = found.join(' ');
  if (text.includes(unclear)) {
    if (words !== '') return words;
    return `${unclear} I am only a demonstration and know no words but those that were recorded for me.`;
  }
  if (words !== '')
    return `I recognise one of my own recordings: "${words}" I am only a demonstration and know no other words.`;
  const samples = sounds.reduce((sum, { length }) => sum + length, 0);
  const seconds = (samples / inputRate).toFixed(1);
  return `I received ${seconds} seconds of sound. I am only a demonstration and do not understand it.`;
}

async function describe(image: Uint8Array, count: number, pictures: Pictures): Promise<string> {
  const looked = await pictures.measure(image).catch(() => undefined);
  const others = count > 1 ? ` There are ${count} pictures; this is the first.` : '';
  if (looked?.ok !== true) {
    return `I received a picture but could not look into it.${others} I am only a demonstration.`;
  }
  const { width, height } = looked.value;
  return `I see a picture of ${width} by ${height} pixels.${others} I am only a demonstration and tell no more about it.`;
}

function recall({ earlier }: ChatPrompt): string {
  const last = earlier.at(-1);
  if (last === undefined || last === '') {
    return 'You have not said anything before this. I am only a demonstration, but that I can tell.';
  }
  const quoted = last.length > quotedLength ? `${last.slice(0, quotedLength)}…` : last;
  return `Before this you said: "${quoted}" I am only a demonstration and can repeat no more than that.`;
}

function sentence({ clips }: DemoSpeech, ...ids: readonly string[]): string {
  const texts = ids.flatMap((id) => clips.find((clip) => clip.id === id)?.text ?? []);
  return texts.length > 0 ? texts.join(' ') : 'I am only a demonstration.';
}

/** The recorded sentences that make up this text, if it is made of them. */
function clipsFor(text: string, { clips }: DemoSpeech): readonly DemoClip[] | undefined {
  const found: DemoClip[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const clip = clips.find((one) => one.text !== '' && startsWith(rest, one.text));
    if (clip === undefined) return undefined;
    found.push(clip);
    rest = rest.slice(clip.text.length).trimStart();
  }
  return found.length > 0 ? found : undefined;
}

function startsWith(text: string, sentence: string): boolean {
  const next = text[sentence.length];
  return text.startsWith(sentence) && (next === undefined || next === ' ');
}

const wanted = /\bat most (?<words>\d{1,4}) words\b|最多\s*(?<letters>\d{1,4})\s*个字/iu;

/**
 * Who asks for the lines of a list in so many words gets the first sentence of each, once, and rather the newest than the
 * oldest: by rule, because a demonstration understands nothing. Nothing for whoever asks for something else.
 */
function shortenLines(text: string): string | undefined {
  const { words, letters } = wanted.exec(text)?.groups ?? {};
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  if ((words === undefined && letters === undefined) || lines.length === 0) return undefined;
  const lengthOf = (said: string): number =>
    words === undefined ? said.length : said.split(/\s+/u).length;
  let left = Number(words ?? letters);
  const sentences = [...new Set(lines.map(firstSentence))];
  const kept: string[] = [];
  for (const sentence of sentences.toReversed()) {
    left -= lengthOf(sentence);
    if (left < 0) break;
    kept.unshift(sentence);
  }
  return kept.join(words === undefined ? '' : ' ');
}

function firstSentence(line: string): string {
  const said = line.slice(2).trim();
  return /^.+?(?:[.!?](?=\s|$)|[。！？])/u.exec(said)?.[0] ?? said;
}
