import type { ChatTurn } from '../../shared/protocol/client-ask.ts';
import { outputRate } from '../../shared/protocol/limits.ts';
import { composeReply } from './chat-reply.ts';
import type { ChatReply } from './chat-reply.ts';
import { chatProblem, readChat } from './chat-reading.ts';
import { cutToLength } from './chat-length.ts';
import type { CutReply } from './chat-length.ts';
import { echoOf, metricsOf } from './room.ts';
import type { Model, Room } from './room.ts';

const defaultMaxNewTokens = 256;
const tokensPerDelta = 3;

/** Turns that wait for the one that is being answered. */
const mostWaiting = 16;

/** Chat: one turn after the other, each ended by `done`. */
export function openChat(room: Room): Model<ChatTurn> {
  const { options, needs } = room;
  const deltaMs = options.stepMs / 4;
  let waiting: ChatTurn[] = [];
  let busy = false;
  let over = false;
  let stopWaiting: (() => void) | undefined;
  let step = 0;

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      stopWaiting = needs.clock.after(ms, resolve);
    });
  }

  async function pump(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) await work(turn);
    busy = false;
  }

  async function work(turn: ChatTurn): Promise<void> {
    await pause(options.stepMs);
    const matter = readChat(turn);
    const reply = await composeReply(matter, needs, turn.speech?.enabled === true);
    if (over) return;
    step += 1;
    const cut = cutToLength(reply, turn.maxNewTokens ?? defaultMaxNewTokens);
    const fill = room.context.restart(matter.tokens + cut.pieces.length);
    let answering: Promise<void> | undefined;
    room.answer(step, () => {
      answering = say(turn, cut, reply);
    });
    await answering;
    if (fill === 'full') room.contextFull();
  }

  async function say(turn: ChatTurn, cut: CutReply, { utterance }: ChatReply): Promise<void> {
    const streaming = turn.streaming !== false;
    const about = { responseId: room.newResponseId(), inputId: echoOf(room, turn) };
    const audio = utterance?.audio.subarray(0, cut.samples);
    if (streaming) {
      await stream(cut, audio ?? new Float32Array(0), about);
    } else if (audio !== undefined && options.manners === 'deployed') {
      // Deployed servers say it twice: here and in `done`.
      room.tell({ kind: 'output', wire: 'unified', ...about, audio });
    }
    if (over) return;
    room.tell({
      kind: 'done',
      ...about,
      text: cut.pieces.join(''),
      reason: cut.complete ? 'turn_end' : 'length',
      audio: streaming ? undefined : audio,
      metrics: metricsOf(room, { n_tokens: cut.pieces.length }),
    });
  }

  async function stream(
    { pieces }: CutReply,
    audio: Float32Array,
    about: { readonly responseId: string; readonly inputId: string | undefined },
  ): Promise<void> {
    let told = 0;
    let heard = 0;
    while (told < pieces.length || heard < audio.length) {
      if (told < pieces.length) {
        const text = pieces.slice(told, told + tokensPerDelta).join('');
        const metrics = metricsOf(room, {});
        room.tell({ kind: 'output', wire: 'unified', ...about, text, metrics });
        told += tokensPerDelta;
      }
      if (heard < audio.length) {
        const chunk = audio.subarray(heard, heard + outputRate);
        room.tell({ kind: 'output', wire: 'unified', ...about, audio: chunk });
        heard += outputRate;
      }
      await pause(deltaMs);
      if (over) return;
    }
  }

  return {
    take: (turn) => {
      const problem = chatProblem(turn);
      if (problem !== undefined) return problem;
      if (waiting.length >= mostWaiting) {
        return { code: 'invalid_payload', message: 'too many turns are waiting' };
      }
      waiting.push(turn);
      void pump();
      return undefined;
    },
    end: () => {
      over = true;
      waiting = [];
      stopWaiting?.();
    },
  };
}
