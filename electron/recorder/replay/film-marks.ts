import type { AppError } from '../../../shared/errors/app-error.ts';
import type { FilmMark, FilmTurn } from '../../../shared/replay/film-timeline.ts';
import type {
  DeviceRole,
  DeviceState,
  TalkDeviceStates,
} from '../../../shared/talk/talk-device-states.ts';
import type { TalkState } from '../../../shared/talk/talk-state.ts';

/** Where something happened on a tape, noted as its film is made. */
export class FilmMarks {
  readonly #marks: FilmMark[] = [];
  readonly #turns = new Map<number, FilmTurn>();
  #phase: TalkState['phase'] = 'idle';
  readonly #devices: Record<DeviceRole, DeviceState['kind']> = {
    microphone: 'unknown',
    speaker: 'unknown',
  };
  #pictures = 0;

  get marks(): readonly FilmMark[] {
    return [...this.#marks];
  }

  get turns(): readonly FilmTurn[] {
    return [...this.#turns.values()];
  }

  interrupted(at: number): void {
    this.#marks.push({ at, kind: 'interruption' });
  }

  /** The number of the picture. */
  picture(at: number): number {
    const picture = this.#pictures;
    this.#pictures += 1;
    this.#marks.push({ at, kind: 'picture', picture });
    return picture;
  }

  trouble(at: number, error: AppError): void {
    this.#marks.push({ at, kind: 'trouble', error });
  }

  state(at: number, state: TalkState): void {
    if (state.phase === 'reconnecting' && this.#phase !== 'reconnecting')
      this.#marks.push({ at, kind: 'reconnect', error: state.error });
    if (state.phase === 'ended')
      this.#marks.push({ at, kind: 'ending', error: state.ending.error });
    this.#phase = state.phase;
  }

  devices(at: number, devices: TalkDeviceStates): void {
    for (const role of ['microphone', 'speaker'] as const) {
      const device = devices[role];
      const before = this.#devices[role];
      this.#devices[role] = device.kind;
      if (device.kind === before) continue;
      if (device.kind === 'lost') this.#marks.push({ at, kind: 'device', error: device.error });
      else if (device.kind === 'standsIn') this.#marks.push({ at, kind: 'device' });
    }
  }

  heard(at: number, turn: number): void {
    const known = this.#turns.get(turn);
    this.#turns.set(turn, { turn, from: known?.from ?? at, to: at, cut: known?.cut ?? false });
  }

  settled(turn: number, cut: boolean): void {
    const known = this.#turns.get(turn);
    if (known !== undefined && cut) this.#turns.set(turn, { ...known, cut });
  }
}
