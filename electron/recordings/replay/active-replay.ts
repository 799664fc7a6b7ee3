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
import type { LoadedTape } from '../tape/open-tape.ts';
import type { TapeLine } from '../tape/tape.ts';
import { TapeRenderer, type TapeRendererDeps } from './tape-renderer.ts';
import { countUntil, type RenderedTape } from './rendered-tape.ts';
import { ReplayPlayer } from './replay-player.ts';
import type { ReplaySpeakerDeps } from './replay-speaker.ts';
import { picturesOf } from './tape-lines.ts';

export interface ActiveReplayDeps
  extends
    Pick<TapeRendererDeps, 'codec' | 'openSession' | 'carryOver' | 'ownPhrases'>,
    Pick<ReplaySpeakerDeps, 'createSpeaker' | 'lock' | 'audio'> {
  readonly clock: Clock;
  readonly post: PostNotice;
  /** A page watches the wire. */
  readonly wireWatched: () => boolean;
}

/** The loop is held no longer at a time: sound and pages want to go on. */
const sliceMs = 12;
/** Half of the time is everybody else's. */
const restMs = 4;
const timelineEveryMs = 500;

/** A tape that is open to be played: its rendered tape, as it is made, and the cursor over it. */
export class ActiveReplay {
  readonly player: ReplayPlayer;
  readonly #origin: ReplayOrigin;
  readonly #facts: ReplayFacts;
  readonly #tape: LoadedTape;
  readonly #maker: TapeRenderer;
  readonly #deps: ActiveReplayDeps;
  #postedAt: number;
  #stopMaking: () => void = () => undefined;
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
    this.#maker = new TapeRenderer(tape, mode, deps);
    const { rendered } = this.#maker;
    this.#postedAt = deps.clock.now();
    this.player = new ReplayPlayer(rendered, {
      ...deps,
      passed: (after, until) => {
        if (!deps.wireWatched()) return;
        const batch = wireBetween(tape.lines, mode, after, until);
        if (batch.frames.length > 0) deps.post('replayWire', batch);
      },
    });
  }

  get path(): string {
    return this.#tape.path;
  }

  get view(): OpenReplay {
    const { rendered } = this.#maker;
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

  /** Makes the rendered tape, a slice at a time, until it is whole. */
  make(): void {
    void this.#makeSlice();
  }

  seekLetter(turn: number, letter: number): void {
    const at = timeOfLetter(this.#maker.rendered, turn, letter);
    if (at !== undefined) this.player.seek(at);
  }

  step(to: ReplayStop, way: 'next' | 'previous'): void {
    const { at, playing } = this.player.play;
    const found = stepFrom(this.#maker.rendered, at, to, way, playing);
    if (found !== undefined) this.player.seek(found);
  }

  picture(picture: number): Uint8Array | undefined {
    const line = this.#maker.pictureLine(picture);
    return line === undefined
      ? undefined
      : picturesOf(this.#tape.tape, line, this.#deps.codec).at(-1);
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#stopMaking();
    await this.player.end();
    await this.#tape.leave();
  }

  async #makeSlice(): Promise<void> {
    const { clock, post } = this.#deps;
    const began = clock.now();
    const more = await this.#maker.make(() => this.#ended || clock.now() - began > sliceMs);
    if (this.#ended) return;
    this.player.grown();
    if (!more || clock.now() - this.#postedAt >= timelineEveryMs) {
      this.#postedAt = clock.now();
      post('replayTimeline', this.#maker.rendered.timeline());
    }
    if (!more) return;
    this.#stopMaking = clock.after(restMs, () => {
      void this.#makeSlice();
    });
  }
}

const troubles: ReadonlySet<TapeMarkKind> = new Set<TapeMarkKind>([
  'trouble',
  'reconnect',
  'device',
]);

/** The moments that a step can go to, in order. */
function stopsOf({ turns, marks }: Pick<TapeTimeline, 'turns' | 'marks'>, to: ReplayStop) {
  const begun = to === 'any' || to === 'turn' ? turns.map(({ from }) => from) : [];
  const marked = marks.filter(
    ({ kind }) => to === 'any' || kind === to || (to === 'trouble' && troubles.has(kind)),
  );
  return [...begun, ...marked.map(({ at }) => at)].toSorted((one, other) => one - other);
}

/** Whoever plays is past a moment before having looked at it. */
const justNowMs = 800;
const sameMs = 1;

/** Where a step leads; nothing where there is none that way. */
function stepFrom(
  timeline: Pick<TapeTimeline, 'turns' | 'marks'>,
  at: number,
  to: ReplayStop,
  way: 'next' | 'previous',
  playing: boolean,
): number | undefined {
  const stops = stopsOf(timeline, to);
  if (way === 'next') return stops.find((stop) => stop > at + sameMs);
  const before = at - (playing ? justNowMs : sameMs);
  return stops.findLast((stop) => stop < before);
}

/** When a letter of a turn was shown as heard; of one that never was, when its turn changed last. */
function timeOfLetter({ notices }: RenderedTape, turn: number, letter: number): number | undefined {
  let found: number | undefined;
  for (const { at, name, payload } of notices) {
    if (name !== 'caption' || payload.turn !== turn) continue;
    found = at;
    if (payload.heard !== undefined && payload.heard > letter) return at;
  }
  return found;
}

/** As many as an inspector is shown at once of a talk. */
const maxFrames = 50;

/** What passed on the wire after one moment and up to another, as the inspector shows it. */
function wireBetween(
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
  return { frames: shown.map((line) => show(line, mode)), missed: passed.length - shown.length };
}

function show(line: TapeLine, mode: Mode): WireFrame {
  const { at, connection = 1, dir } = line;
  const text = textOf(line);
  const direction =
    dir === 'open' ? 'opened' : dir === 'end' ? 'ended' : dir === 'in' ? 'in' : 'out';
  const length = dir === 'in' || dir === 'out' ? text.length : 0;
  return { at, connection, mode, direction, length, text: redactWireFrame(text, []) };
}

function textOf(line: TapeLine): string {
  if ('frame' in line) return JSON.stringify(withoutMedia(line.frame));
  if ('text' in line) return line.text ?? '';
  if (line.dir !== 'end') return '';
  const { code, reason, status, body, problem } = line.end;
  return [code ?? status, reason ?? body ?? problem]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ')
    .trim();
}

/** Sound and pictures by what there is of them. */
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
