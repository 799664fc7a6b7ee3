import type { PostNotice } from '../../../shared/ipc/contract.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { isJsonObject, type JsonValue } from '../../../shared/protocol/json.ts';
import type { DuplexMode, Mode } from '../../../shared/protocol/realtime-api.ts';
import type { WireBatch, WireFrame } from '../../../shared/protocol/wire-frame.ts';
import type {
  TapeMarkKind,
  TapeTimeline,
  OpenReplay,
  ReplayFacts,
  ReplayOrigin,
  ReplayStop,
} from '../../../shared/recordings/replay-view.ts';
import { redactWireFrame } from '../../talk/wire-watcher.ts';
import type { LoadedTape } from '../tape/tape-archive.ts';
import type { TapeLine } from '../tape/tape.ts';
import { TapeRenderer, type TapeRendererDeps } from './tape-renderer.ts';
import { countUntil, type RenderedTape } from './rendered-tape.ts';
import { ReplayPlayer, type ReplaySpeakerDeps } from './replay-player.ts';
import { decodePictures } from './tape-lines.ts';

export interface ActiveReplayDeps
  extends
    Pick<TapeRendererDeps, 'codec' | 'openSession' | 'carryOver' | 'userPhrases'>,
    Pick<ReplaySpeakerDeps, 'createSpeaker' | 'lock' | 'audio'> {
  readonly clock: Clock;
  readonly post: PostNotice;
  readonly isWireWatched: () => boolean;
}

/** Longest time one slice may block the event loop, so that sound and pages stay responsive. */
const maxSliceMs = 12;
/** Pause after each slice, in which the rest of the process runs. */
const pauseMs = 4;
const timelineEveryMs = 500;

/** An open tape, which is rendered in slices while it can already be played. */
export class ActiveReplay {
  readonly player: ReplayPlayer;
  readonly #origin: ReplayOrigin;
  readonly #facts: ReplayFacts;
  readonly #tape: LoadedTape;
  readonly #renderer: TapeRenderer;
  readonly #deps: ActiveReplayDeps;
  #postedAt: number;
  #stopRendering: () => void = () => undefined;
  #ended = false;

  constructor(
    origin: ReplayOrigin,
    { mode, title }: { readonly mode: DuplexMode; readonly title: string },
    opened: LoadedTape,
    deps: ActiveReplayDeps,
  ) {
    const { tape } = opened;
    const { endpoint, recordedAt } = tape.header;
    this.#origin = origin;
    this.#facts = {
      mode,
      endpoint,
      recordedAt,
      cut: tape.cut,
      damage: tape.damage,
      ...(title !== '' && { title }),
    };
    this.#tape = opened;
    this.#deps = deps;
    this.#renderer = new TapeRenderer(tape, mode, deps);
    const { rendered } = this.#renderer;
    this.#postedAt = deps.clock.now();
    this.player = new ReplayPlayer(rendered, {
      ...deps,
      onAdvance: (after, until) => {
        if (!deps.isWireWatched()) return;
        const batch = listWireFrames(tape.lines, mode, after, until);
        if (batch.frames.length > 0) deps.post('replayWire', batch);
      },
    });
  }

  get path(): string {
    return this.#tape.path;
  }

  get view(): OpenReplay {
    const { rendered } = this.#renderer;
    const { play } = this.player;
    return {
      kind: 'open',
      origin: this.#origin,
      facts: this.#facts,
      timeline: rendered.timeline(),
      play,
      scene: rendered.sceneAt(play.at),
    };
  }

  startRendering(): void {
    void this.#renderSlice();
  }

  seekCharacter(turn: number, character: number): void {
    const at = findCharacterTime(this.#renderer.rendered, turn, character);
    if (at !== undefined) this.player.seek(at);
  }

  step(to: ReplayStop, direction: 'next' | 'previous'): void {
    const { at, playing } = this.player.play;
    const found = findStop(this.#renderer.rendered, at, to, direction, playing);
    if (found !== undefined) this.player.seek(found);
  }

  picture(picture: number): Uint8Array | undefined {
    const line = this.#renderer.pictureLine(picture);
    return line === undefined
      ? undefined
      : decodePictures(this.#tape.tape, line, this.#deps.codec).at(-1);
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#stopRendering();
    await this.player.end();
    await this.#tape.release();
  }

  async #renderSlice(): Promise<void> {
    const { clock, post } = this.#deps;
    const began = clock.now();
    const more = await this.#renderer.render(() => this.#ended || clock.now() - began > maxSliceMs);
    if (this.#ended) return;
    this.player.onRendered();
    if (!more || clock.now() - this.#postedAt >= timelineEveryMs) {
      this.#postedAt = clock.now();
      post('replayTimeline', this.#renderer.rendered.timeline());
    }
    if (!more) return;
    this.#stopRendering = clock.after(pauseMs, () => {
      void this.#renderSlice();
    });
  }
}

const troubleKinds: ReadonlySet<TapeMarkKind> = new Set<TapeMarkKind>([
  'trouble',
  'reconnect',
  'device',
]);

function listStops({ turns, marks }: Pick<TapeTimeline, 'turns' | 'marks'>, to: ReplayStop) {
  const turnStarts = to === 'any' || to === 'turn' ? turns.map(({ from }) => from) : [];
  const marked = marks.filter(
    ({ kind }) => to === 'any' || kind === to || (to === 'trouble' && troubleKinds.has(kind)),
  );
  return [...turnStarts, ...marked.map(({ at }) => at)].toSorted((one, other) => one - other);
}

/** During playback, a step back skips a mark or turn that was passed within this time, because the user reacts late. */
const recentMs = 800;
const sameMs = 1;

function findStop(
  timeline: Pick<TapeTimeline, 'turns' | 'marks'>,
  at: number,
  to: ReplayStop,
  direction: 'next' | 'previous',
  playing: boolean,
): number | undefined {
  const stops = listStops(timeline, to);
  if (direction === 'next') return stops.find((stop) => stop > at + sameMs);
  const before = at - (playing ? recentMs : sameMs);
  return stops.findLast((stop) => stop < before);
}

/** When the caption showed this character as heard; otherwise when the caption of its turn last changed. Undefined without a caption. */
function findCharacterTime(
  { notices }: RenderedTape,
  turn: number,
  character: number,
): number | undefined {
  let found: number | undefined;
  for (const { at, name, payload } of notices) {
    if (name !== 'caption' || payload.turn !== turn) continue;
    found = at;
    if (payload.heard !== undefined && payload.heard > character) return at;
  }
  return found;
}

/** Same limit as the wire inspector has during a talk. */
const maxFrames = 50;

/** Frames on the wire in `(after, until]`, as the inspector shows them. */
function listWireFrames(
  lines: readonly TapeLine[],
  mode: Mode,
  after: number,
  until: number,
): WireBatch {
  const passed: TapeLine[] = [];
  for (let index = countUntil(lines, after); index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined || line.at > until) break;
    if (line.dir !== 'event') passed.push(line);
  }
  const shown = passed.slice(0, maxFrames);
  return {
    frames: shown.map((line) => toWireFrame(line, mode)),
    missed: passed.length - shown.length,
  };
}

function toWireFrame(line: TapeLine, mode: Mode): WireFrame {
  const { at, connection = 1, dir } = line;
  const text = frameText(line);
  const direction =
    dir === 'open' ? 'opened' : dir === 'end' ? 'ended' : dir === 'in' ? 'in' : 'out';
  const length = dir === 'in' || dir === 'out' ? text.length : 0;
  return { at, connection, mode, direction, length, text: redactWireFrame(text, []) };
}

function frameText(line: TapeLine): string {
  if ('frame' in line) return JSON.stringify(withoutMedia(line.frame));
  if ('text' in line) return line.text ?? '';
  if (line.dir !== 'end') return '';
  const { code, reason, status, body, problem } = line.end;
  return [code ?? status, reason ?? body ?? problem]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ')
    .trim();
}

/** Replaces sound and pictures with their length or file name. */
function withoutMedia(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutMedia(item));
  if (!isJsonObject(value)) return value;
  const { $file: file, samples } = value;
  if ('$sound' in value) return `‹${Number(samples)} samples›`;
  if (typeof file === 'string') return `‹${file}›`;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutMedia(inner)]),
  );
}
