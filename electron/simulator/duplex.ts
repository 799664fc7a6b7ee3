import type { Append } from '../../shared/protocol/client-ask.ts';
import { outputRate, shortestAppend } from '../../shared/protocol/limits.ts';
import { pictureTokens } from '../../shared/vision/picture-tokens.ts';
import { soundTokens, textTokens } from './context.ts';
import { openPersona } from './persona.ts';
import type { Deed } from './persona.ts';
import { pictureKind } from './picture-kind.ts';
import { echoOf, metricsOf } from './room.ts';
import type { Model, Problem, Room } from './room.ts';
import { sliceProblem } from './slices.ts';

/** Documented servers drop what waits beyond this, oldest first. */
const mostWaiting = 4;
/** Servers in use drop nothing, and a session that floods them ends. */
const mostBeforeTheEnd = 60;

/** Full duplex: every append is one step of the model, and only appends drive it. */
export function openDuplex(room: Room): Model<Append> {
  const { options, needs, settings } = room;
  const firstMs = room.faults.find('shortFirstChunk')?.ms ?? 1000;
  const persona = openPersona({
    speech: needs.speech,
    pictures: needs.pictures,
    firstChunk: Math.max(1, Math.round((firstMs / 1000) * outputRate)),
  });
  let waiting: Append[] = [];
  let stopWork: (() => void) | undefined;
  let step = 0;
  let responseId = '';

  function pump(): void {
    if (stopWork !== undefined) return;
    const next = waiting.shift();
    if (next === undefined) return;
    stopWork = needs.clock.after(options.stepMs, () => {
      stopWork = undefined;
      work(next);
      pump();
    });
  }

  function work(ask: Append): void {
    step += 1;
    const frames = room.mode === 'video' ? (ask.frames ?? []) : [];
    const visionTokens = frames.length * pictureTokens(ask.maxSlices ?? settings.maxSlices ?? 1);
    const deed = persona.step({
      audio: ask.audio,
      frame: frames.at(-1),
      forceListen: ask.forceListen === true || step <= (settings.generation?.forceListenCount ?? 0),
    });
    const words = deed === 'listen' ? 0 : textTokens(deed.text);
    const fill = room.context.add(soundTokens(ask.audio.length) + visionTokens + words);
    const figures = {
      n_tokens: words,
      ...(frames.length > 0 && {
        vision_slices: frames.length * (ask.maxSlices ?? settings.maxSlices ?? 1),
        vision_tokens: visionTokens,
      }),
    };
    room.answer(step, () => {
      say(ask, deed, figures);
    });
    if (fill === 'full') room.contextFull();
  }

  function say(ask: Append, deed: Deed, figures: Readonly<Record<string, number>>): void {
    const wire = options.dialect;
    const about = { inputId: echoOf(room, ask), metrics: metricsOf(room, figures) };
    if (deed === 'listen') {
      room.tell({ kind: 'listen', wire, ...about });
      return;
    }
    if (deed.first) responseId = room.newResponseId();
    const mute = settings.generation?.generateAudio === false;
    room.tell({
      kind: 'output',
      wire,
      ...about,
      responseId,
      text: deed.text === '' && wire === 'unified' ? undefined : deed.text,
      audio: mute ? undefined : deed.audio,
      endOfTurn: wire === 'legacy' ? deed.last : undefined,
    });
    const saysTheEnd = deed.last && wire === 'unified' && options.manners === 'deployed';
    if (saysTheEnd) room.tell({ kind: 'listen', wire, ...about });
  }

  return {
    take: (ask) => {
      const problem = problemOf(ask, room);
      if (problem !== undefined) return problem;
      if (waiting.length >= mostBeforeTheEnd) {
        return { code: 'invalid_payload', message: 'input comes faster than it is worked' };
      }
      waiting.push(ask);
      if (options.manners === 'documented' && waiting.length > mostWaiting) waiting.shift();
      pump();
      return undefined;
    },
    end: () => {
      stopWork?.();
      waiting = [];
    },
  };
}

function problemOf(ask: Append, { mode, options }: Room): Problem | undefined {
  const least = options.manners === 'documented' ? shortestAppend : 1;
  if (ask.audio.length < least) {
    return { code: 'invalid_payload', message: `audio must have at least ${least} samples` };
  }
  const broken = ask.frames?.some((frame) => pictureKind(frame) !== 'jpeg') ?? false;
  if (mode === 'video' && broken) {
    return { code: 'invalid_payload', message: 'video_frames JPEG decode failed' };
  }
  return sliceProblem(ask.maxSlices);
}
