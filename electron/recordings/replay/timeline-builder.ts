import type { AppError } from '../../../shared/errors/app-error.ts';
import { isJsonObject, type JsonValue } from '../../../shared/protocol/json.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { TapeMark, TapeTurn } from '../../../shared/recordings/replay-view.ts';
import type {
  DeviceRole,
  DeviceState,
  TalkDeviceStates,
  TalkState,
} from '../../../shared/talk/talk-view.ts';
import type { Tape, TapeLine } from '../tape/tape.ts';
import { listEvents } from './tape-lines.ts';

/** Collects marks and turns while a tape is rendered. */
export class TimelineBuilder {
  readonly #marks: TapeMark[] = [];
  readonly #turns = new Map<number, TapeTurn>();
  #phase: TalkState['phase'] = 'idle';
  readonly #devices: Record<DeviceRole, DeviceState['kind']> = {
    microphone: 'unknown',
    speaker: 'unknown',
  };
  #pictures = 0;

  get marks(): readonly TapeMark[] {
    return [...this.#marks];
  }

  get turns(): readonly TapeTurn[] {
    return [...this.#turns.values()];
  }

  addInterruption(at: number): void {
    this.#marks.push({ at, kind: 'interruption' });
  }

  addPicture(at: number): number {
    const picture = this.#pictures;
    this.#pictures += 1;
    this.#marks.push({ at, kind: 'picture', picture });
    return picture;
  }

  addTrouble(at: number, error: AppError): void {
    this.#marks.push({ at, kind: 'trouble', error });
  }

  followState(at: number, state: TalkState): void {
    if (state.phase === 'reconnecting' && this.#phase !== 'reconnecting')
      this.#marks.push({ at, kind: 'reconnect', error: state.error });
    if (state.phase === 'ended')
      this.#marks.push({ at, kind: 'ending', error: state.ending.error });
    this.#phase = state.phase;
  }

  followDevices(at: number, devices: TalkDeviceStates): void {
    for (const role of ['microphone', 'speaker'] as const) {
      const device = devices[role];
      const before = this.#devices[role];
      this.#devices[role] = device.kind;
      if (device.kind === before) continue;
      if (device.kind === 'lost') this.#marks.push({ at, kind: 'device', error: device.error });
      else if (device.kind === 'standsIn') this.#marks.push({ at, kind: 'device' });
    }
  }

  extendTurn(at: number, turn: number): void {
    const known = this.#turns.get(turn);
    this.#turns.set(turn, { turn, from: known?.from ?? at, to: at, cut: known?.cut ?? false });
  }

  settleTurn(turn: number, cut: boolean): void {
    const known = this.#turns.get(turn);
    if (known !== undefined && cut) this.#turns.set(turn, { ...known, cut });
  }
}

export interface TimelineEstimate {
  readonly marks: readonly TapeMark[];
  readonly turns: readonly TapeTurn[];
}

/** Sound after a longer pause belongs to another answer. */
const pauseMs = 1500;

/** Estimates marks and turns from the lines alone, to show until the tape is rendered. */
export function estimateTimeline({ lines }: Pick<Tape, 'lines'>): TimelineEstimate {
  const marks: TapeMark[] = [];
  const turns: TapeTurn[] = [];
  let forced = false;
  let pictures = 0;
  for (const line of lines) {
    const { at } = line;
    if (line.dir === 'open' && (line.connection ?? 1) > 1) marks.push({ at, kind: 'reconnect' });
    if (!('frame' in line)) continue;
    const seen = scanFrame(line.frame);
    if (line.dir === 'in' && seen.samples > 0) addSound(turns, at, seen.samples);
    if (line.dir !== 'out') continue;
    for (let picture = 0; picture < seen.files; picture += 1) {
      marks.push({ at, kind: 'picture', picture: pictures });
      pictures += 1;
    }
    if (seen.forces && !forced) marks.push({ at, kind: 'interruption' });
    forced = seen.forces;
  }
  const interruptions = listEvents(lines).flatMap(({ at, event }) =>
    event?.kind === 'interrupt' ? [{ at, kind: 'interruption' } as const] : [],
  );
  const others =
    interruptions.length === 0 ? marks : marks.filter(({ kind }) => kind !== 'interruption');
  return { turns, marks: [...others, ...interruptions].toSorted((a, b) => a.at - b.at) };
}

function addSound(turns: TapeTurn[], at: number, samples: number): void {
  const last = turns.at(-1);
  const length = (samples * 1000) / outputRate;
  if (last !== undefined && at < last.to + pauseMs)
    turns[turns.length - 1] = { ...last, to: Math.max(last.to, at) + length };
  else turns.push({ turn: turns.length + 1, from: at, to: at + length, cut: false });
}

function scanFrame(frame: Extract<TapeLine, { readonly frame: unknown }>['frame']) {
  const seen = { samples: 0, files: 0, forces: false };
  const walk = (value: JsonValue, key: string): void => {
    if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) walk(item, key);
    if (key === 'force_listen' && value === true) seen.forces = true;
    if (!isJsonObject(value)) return;
    if (typeof value['samples'] === 'number' && '$sound' in value) seen.samples += value['samples'];
    else if (typeof value['$file'] === 'string' && value['$file'].startsWith('frame'))
      seen.files += 1;
    else for (const [name, inner] of Object.entries(value)) walk(inner, name);
  };
  walk(frame, '');
  return seen;
}
