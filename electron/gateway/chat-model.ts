import type { Pictures } from '../../shared/ports/pictures.ts';
import { type ChatTurnEvent, inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import {
  type ChatPrompt,
  chatTurnProblem,
  maxWaitingTurns,
  readChatPrompt,
} from './chat-prompt.ts';
import { answerWithTools } from './demonstration-tools.ts';
import { modelMetrics } from './context-window.ts';
import { echoedInputId, type GatewayModel, type ModelEnvironment } from './gateway-model.ts';
import type { DemoClip, DemoSpeech } from './gateway-options.ts';
import type { SentenceRecogniser } from './sentence-recogniser.ts';
import { composeUtterance, type Utterance } from './utterance.ts';

const defaultMaxNewTokens = 256;
const tokensPerDelta = 3;
/** Like the C++ server, the demonstration can send an answer's sound this long after its `done`. */
const soundAfterEndMs = 300;

/** The demonstration's model for chats: answers turns one at a time, each with a final `done` event. */
export function openChatModel(environment: ModelEnvironment): GatewayModel<ChatTurnEvent> {
  const { options, deps } = environment;
  const deltaMs = options.stepMs / 4;
  let waiting: ChatTurnEvent[] = [];
  let isAnswering = false;
  let hasEnded = false;
  let stopWaiting: (() => void) | undefined;
  let step = 0;

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      stopWaiting = deps.clock.after(ms, resolve);
    });
  }

  async function runNext(): Promise<void> {
    if (isAnswering) return;
    isAnswering = true;
    for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift())
      await answerTurn(turn);
    isAnswering = false;
  }

  async function answerTurn(turn: ChatTurnEvent): Promise<void> {
    await pause(options.stepMs);
    const prompt = readChatPrompt(turn);
    const reply = await composeReply(
      prompt,
      { ...deps, pause: () => pause(0) },
      turn.speech?.enabled === true,
    );
    if (hasEnded) return;
    step += 1;
    const cut = truncateReply(reply, turn.maxNewTokens ?? defaultMaxNewTokens);
    const fill = environment.context.replace(prompt.tokens + cut.pieces.length);
    let answering: Promise<void> | undefined;
    environment.answerStep(step, () => {
      answering = sendReply(turn, cut, reply);
    });
    await answering;
    if (fill === 'full') environment.onContextFull();
  }

  async function sendReply(
    turn: ChatTurnEvent,
    cut: TruncatedReply,
    { utterance }: ChatReply,
  ): Promise<void> {
    const isStreaming = turn.streaming !== false;
    const numbersResponses = options.profile === 'llama-omni';
    const responseIds = {
      responseId: numbersResponses
        ? `${environment.sessionId}_resp_${step}`
        : environment.newResponseId(),
      inputId: echoedInputId(environment, turn),
    };
    const audio = utterance?.audio.subarray(0, cut.samples);
    if (isStreaming) {
      await stream(cut.pieces, numbersResponses ? undefined : audio, responseIds);
    } else if (audio !== undefined && options.profile === 'deployed') {
      // Deployed servers send the sound twice: here and in `done`.
      environment.emit({ kind: 'output', wire: 'unified', ...responseIds, audio });
    }
    if (hasEnded) return;
    environment.emit({
      kind: 'done',
      ...responseIds,
      text: cut.pieces.join(''),
      reason: cut.isComplete ? 'turn_end' : 'length',
      audio: isStreaming ? undefined : audio,
      metrics: modelMetrics(environment, {
        textTokens: cut.pieces.length,
        samples: audio?.length,
      }),
    });
    if (!isStreaming || !numbersResponses || audio === undefined) return;
    await pause(soundAfterEndMs);
    if (!hasEnded) await stream([], audio, responseIds);
  }

  async function stream(
    pieces: TruncatedReply['pieces'],
    audio: Float32Array | undefined,
    responseIds: { readonly responseId: string; readonly inputId: string | undefined },
  ): Promise<void> {
    let sentTokens = 0;
    let sentSamples = 0;
    const samples = audio?.length ?? 0;
    while (sentTokens < pieces.length || sentSamples < samples) {
      if (sentTokens < pieces.length) {
        const text = pieces.slice(sentTokens, sentTokens + tokensPerDelta).join('');
        const metrics = modelMetrics(environment, {});
        environment.emit({ kind: 'output', wire: 'unified', ...responseIds, text, metrics });
        sentTokens += tokensPerDelta;
      }
      if (audio !== undefined && sentSamples < samples) {
        const chunk = audio.subarray(sentSamples, sentSamples + outputRate);
        environment.emit({ kind: 'output', wire: 'unified', ...responseIds, audio: chunk });
        sentSamples += outputRate;
      }
      await pause(deltaMs);
      if (hasEnded) return;
    }
  }

  return {
    accept: (turn) => {
      const problem = chatTurnProblem(turn);
      if (problem !== undefined) return problem;
      if (waiting.length >= maxWaitingTurns)
        return { code: 'invalid_payload', message: 'too many turns are waiting' };
      waiting.push(turn);
      void runNext();
      return undefined;
    },
    end: () => {
      hasEnded = true;
      waiting = [];
      stopWaiting?.();
    },
  };
}

interface TruncatedReply {
  /** One piece per token; a token here is a word with its leading space. */
  readonly pieces: readonly string[];
  readonly isComplete: boolean;
  readonly samples: number;
}

function truncateReply({ text, utterance, speaks }: ChatReply, maxTokens: number): TruncatedReply {
  const all = text.match(/\s*\S+/g) ?? [];
  const isComplete = all.length <= maxTokens;
  const length = utterance?.audio.length ?? 0;
  // A substitute recording has other words, so it cannot be cut at a word of the text.
  const lastWord = speaks === 'text' ? utterance?.words[maxTokens - 1] : undefined;
  return {
    pieces: isComplete ? all : all.slice(0, maxTokens),
    isComplete,
    samples: isComplete ? length : (lastWord?.end ?? length),
  };
}

const exactReply = /reply with exactly\s*:?\s*([\s\S]+)/i;
const isGreeting = /^\W*(?:hello|hi|hey|good (?:morning|afternoon|evening)|greetings)\b/i;
const asksForEarlier = /\b(?:what did i|what have i|earlier|before|remember|previous)\b/i;
const asksForHelp = /\b(?:help|what can you|what do you do)\b/i;
const asksForMarkdown = /\b(?:code|markdown|program|script|table|list)\b/i;
const asksForName = /\b(?:who are you|what are you|your name)\b/i;
const helpText = [
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
const markdownSample = [
  'This is what answers can look like. I am only the demonstration, so it is always the same one.',
  '',
  '```js',
  '// Greets the user.',
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

const unclearMark = '[unclear]';
const quotedLength = 200;

interface ChatReply {
  readonly text: string;
  /** Undefined if the client did not ask for speech. */
  readonly utterance: Utterance | undefined;
  /** Whether the voice speaks the text, or a substitute if the text was not recorded. */
  readonly speaks: 'text' | 'substitute';
}

export interface ReplyDeps {
  readonly pictures: Pictures;
  readonly speech: DemoSpeech;
  readonly recogniser: SentenceRecogniser;
  /** Yields to other work. */
  readonly pause: () => Promise<void>;
}

/** Composes a short answer that does not pretend to come from a real model. */
async function composeReply(
  prompt: ChatPrompt,
  deps: ReplyDeps,
  hasSpeech: boolean,
): Promise<ChatReply> {
  const { speech } = deps;
  const exactText = exactReply.exec(prompt.text)?.[1]?.trim();
  const text = exactText ?? answerWithTools(prompt) ?? (await answerText(prompt, deps));
  if (!hasSpeech) return { text, utterance: undefined, speaks: 'text' };
  const clips = findClips(text, speech);
  if (clips !== undefined) return { text, utterance: composeUtterance(clips), speaks: 'text' };
  const substitute = speech.clips.filter(({ id }) => id === 'written');
  // If the user asked for an exact text, the answer is that text without the note.
  const note = ' (The voice says something else: it has only recorded sentences.)';
  return {
    text: exactText === undefined ? `${text}${note}` : text,
    utterance: composeUtterance(substitute),
    speaks: 'substitute',
  };
}

async function answerText(prompt: ChatPrompt, deps: ReplyDeps): Promise<string> {
  const { text, images, sounds } = prompt;
  const { pictures, speech } = deps;
  const [image] = images;
  if (image !== undefined) return describePicture(image, images.length, pictures);
  if (sounds.some(({ length }) => length > 0)) return answerSound(prompt, deps);
  const shortened = shortenLines(text);
  if (shortened !== undefined && shortened !== '') return shortened;
  if (isGreeting.test(text)) return clipTexts(speech, 'hello');
  if (asksForEarlier.test(text)) return quoteEarlier(prompt);
  if (asksForName.test(text)) return clipTexts(speech, 'only', 'connect');
  if (asksForHelp.test(text)) return helpText;
  if (asksForMarkdown.test(text)) return markdownSample;
  return clipTexts(speech, 'only', 'recorded', 'connect');
}

/** Recognises its own recordings by their sound and admits that it understands no others. */
async function answerSound(
  { text, sounds }: ChatPrompt,
  { recogniser, pause }: ReplyDeps,
): Promise<string> {
  const found: string[] = [];
  for (const sound of sounds) {
    const words = await recogniser.recognise(sound, pause);
    if (words !== undefined) found.push(words);
  }
  const words = found.join(' ');
  if (text.includes(unclearMark)) {
    if (words !== '') return words;
    return `${unclearMark} I am only a demonstration and know no words but those that were recorded for me.`;
  }
  if (words !== '')
    return `I recognise one of my own recordings: "${words}" I am only a demonstration and know no other words.`;
  const samples = sounds.reduce((sum, { length }) => sum + length, 0);
  const seconds = (samples / inputRate).toFixed(1);
  return `I received ${seconds} seconds of sound. I am only a demonstration and do not understand it.`;
}

async function describePicture(
  image: Uint8Array,
  count: number,
  pictures: Pictures,
): Promise<string> {
  const measured = await pictures.measure(image).catch(() => undefined);
  const others = count > 1 ? ` There are ${count} pictures; this is the first.` : '';
  if (measured?.ok !== true)
    return `I received a picture but could not look into it.${others} I am only a demonstration.`;
  const { width, height } = measured.value;
  return `I see a picture of ${width} by ${height} pixels.${others} I am only a demonstration and tell no more about it.`;
}

function quoteEarlier({ earlier }: ChatPrompt): string {
  const last = earlier.at(-1);
  if (last === undefined || last === '')
    return 'You have not said anything before this. I am only a demonstration, but that I can tell.';
  const quoted = last.length > quotedLength ? `${last.slice(0, quotedLength)}…` : last;
  return `Before this you said: "${quoted}" I am only a demonstration and can repeat no more than that.`;
}

function clipTexts({ clips }: DemoSpeech, ...ids: readonly string[]): string {
  const texts = ids.flatMap((id) => clips.find((clip) => clip.id === id)?.text ?? []);
  return texts.length > 0 ? texts.join(' ') : 'I am only a demonstration.';
}

/** The recorded sentences that make up this text, or undefined if some part was not recorded. */
function findClips(text: string, { clips }: DemoSpeech): readonly DemoClip[] | undefined {
  const found: DemoClip[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const clip = clips.find(({ text: start }) => start !== '' && startsWith(rest, start));
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

const lengthRequest = /\bat most (?<words>\d{1,4}) words\b|最多\s*(?<characters>\d{1,4})\s*个字/iu;

/**
 * Shortens a list ("- …" lines) to the first sentence of each line, without repeats. Drops the oldest sentences beyond
 * the requested number of words or characters. Returns undefined for any other request.
 */
function shortenLines(text: string): string | undefined {
  const { words, characters } = lengthRequest.exec(text)?.groups ?? {};
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  if ((words === undefined && characters === undefined) || lines.length === 0) return undefined;
  const countLength = (sentence: string): number =>
    words === undefined ? sentence.length : sentence.split(/\s+/u).length;
  let remaining = Number(words ?? characters);
  const sentences = [...new Set(lines.map(firstSentence))];
  const newest: string[] = [];
  for (const sentence of sentences.toReversed()) {
    remaining -= countLength(sentence);
    if (remaining < 0) break;
    newest.unshift(sentence);
  }
  return newest.join(words === undefined ? '' : ' ');
}

function firstSentence(line: string): string {
  const text = line.slice(2).trim();
  return /^.+?(?:[.!?](?=\s|$)|[。！？])/u.exec(text)?.[0] ?? text;
}
