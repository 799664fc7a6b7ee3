import { outputRate } from '../../../shared/protocol/limits.ts';
import { createAdaptivePlayback } from '../../audio/adaptive-playback.ts';
import { createPacedPlayback } from '../../audio/paced-playback.ts';
import type { Speaker } from '../../audio/speaker.ts';
import { openWavWriter } from '../../audio/wav-writer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileWriter } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { createCaptions } from '../../session/captions.ts';
import type { Caption } from '../../session/captions.ts';
import type { SessionEvent } from '../../session/session-event.ts';
import { captionFile } from './caption-format.ts';
import type { CaptionFormat } from './caption-format.ts';
import type { ShownEvent } from './shown-event.ts';

export interface PlayoutFiles {
  readonly output: FileWriter | undefined;
  readonly captions: { readonly file: FileWriter; readonly format: CaptionFormat } | undefined;
}

/** What a person hears and reads, in front of a speaker or as if there were one. */
export interface Playout {
  /** There is a speaker: it sets the pace, and nothing can be played out at once. */
  readonly live: boolean;
  readonly drained: boolean;
  /** How long what waits will take to be heard. */
  readonly leftMs: number;
  readonly hear: (event: SessionEvent) => void;
  /** Moves on to so many milliseconds since the session began to listen. */
  readonly advanceTo: (milliseconds: number) => void;
  /** Shows what is being heard now, if that has changed. */
  readonly showCaption: () => void;
  /** The person interrupts: a speaker is silenced at once, not only when the model yields. */
  readonly interrupt: () => void;
  /** Plays at once what is left: the session is over, and nothing may be lost. */
  readonly playOut: () => void;
  /** Plays out, or silences a speaker, and writes the files. */
  readonly finish: () => Promise<Outcome<undefined>>;
}

export interface PlayoutSpeaker {
  readonly speaker: Pick<Speaker, 'write' | 'flush' | 'heard' | 'queued' | 'setDip'>;
  readonly clock: Clock;
  /** The session's chunk: a server makes a step of each. */
  readonly stepMs: number;
}

/** More than anyone says in ten minutes; beyond it a turn's text is shown, but not as captions. */
const mostLetters = 20_000;

/** `show` gets every event, with sound counted and with the captions that come of it. */
export function openPlayout(
  files: PlayoutFiles,
  show: (event: ShownEvent) => void,
  live?: PlayoutSpeaker,
): Playout {
  const wav = files.output && openWavWriter(files.output, { rate: outputRate, coding: 'pcm16' });
  const ways = {
    rate: outputRate,
    heard: (samples: Float32Array) => {
      wav?.write(samples);
    },
  };
  const adaptive = live && createAdaptivePlayback({ ...ways, ...live });
  const playback = adaptive ?? createPacedPlayback(ways);
  const captions = createCaptions();
  let turn = 0;
  let position = 0;
  let shown: Caption | undefined;
  let letters = 0;
  /** Thrown away by an interruption that the model has not yielded to yet. */
  let silenced = 0;

  const flush = (): number => {
    // The newest turn may have text but no sound yet; what waits of older ones is cut as well.
    const cut = playback.drained ? [] : new Set([...playback.waitingTurns, turn]);
    const thrown = playback.flush();
    for (const each of cut) captions.flushed(each, playback.reachOf(each));
    return thrown;
  };

  const flushedByYield = (): number => {
    const thrown = silenced + flush();
    silenced = 0;
    return thrown;
  };

  const showCaption = (): void => {
    const caption = captions.at(playback.playhead, position);
    if (caption.spoken === '' && caption.upcoming === '') return;
    const same = caption.turn === shown?.turn && caption.spoken === shown.spoken;
    if (same && caption.upcoming === shown?.upcoming) return;
    shown = caption;
    show({ event: 'caption', ...caption });
  };

  const advanceTo = (milliseconds: number): void => {
    position = Math.max(position, milliseconds);
    playback.advanceTo(position);
  };

  const playOut = (): void => {
    advanceTo(position + Math.ceil((playback.queued * 1000) / outputRate));
    showCaption();
  };

  return {
    live: live !== undefined,
    get drained() {
      return playback.drained;
    },
    get leftMs() {
      return (playback.queued * 1000) / outputRate;
    },
    interrupt: () => {
      if (live !== undefined) silenced += flush();
    },
    hear: (event) => {
      if (event.event === 'listen') {
        show({ event: 'listen', flushedSamples: event.yields ? flushedByYield() : 0 });
        return;
      }
      if (event.event === 'audio') {
        ({ turn } = event);
        playback.write(event.audio, turn);
        captions.audio(turn, event.audio);
        show({ event: 'audio', turn, samples: event.audio.length });
        return;
      }
      if (event.event === 'text') {
        letters = event.turn === turn ? letters + event.text.length : event.text.length;
        ({ turn } = event);
        if (letters <= mostLetters) captions.text(turn, event.text);
      }
      // Whoever ends a session does not want to hear it out.
      if (event.event === 'closed' && event.by === 'client' && live !== undefined) flush();
      if (event.event === 'turnEnded') {
        adaptive?.turnEnded(event.turn);
        captions.turnEnded(event.turn);
      }
      show(event);
    },
    advanceTo,
    showCaption,
    playOut,
    finish: async () => {
      if (live === undefined) playOut();
      else flush();
      if (files.captions !== undefined) {
        files.captions.file.append(captionFile(captions.cues(), files.captions.format));
      }
      const written = [await wav?.finish(), await files.captions?.file.close()];
      return written.find((outcome) => outcome?.ok === false) ?? { ok: true, value: undefined };
    },
  };
}
