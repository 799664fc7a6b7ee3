import { toldBy } from './told-by.ts';
import type { Failed } from './told-by.ts';
import type { Field, SettingsRoom } from './settings-room.ts';
import type { Store } from './store.ts';
import type { View } from './view.ts';

type Answer<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: Failed };

export interface RoomWork {
  readonly room: () => SettingsRoom;
  readonly change: (part: Partial<SettingsRoom>) => void;
  readonly setField: (id: string, field: Field | undefined) => void;
  /**
   * Asks for something with a place on the page: once at a time, and what goes wrong is said there.
   * Nothing comes back where it did not work or is being worked on already.
   */
  readonly ask: <Value>(
    id: string,
    request: () => Promise<Answer<Value>>,
  ) => Promise<{ readonly value: Value } | undefined>;
}

/** What all doings of the Settings place have in common. */
export function createRoomWork({ view, change }: Store<View>): RoomWork {
  const room = (): SettingsRoom => view().room;
  const changeRoom = (part: Partial<SettingsRoom>): void => {
    change({ room: { ...room(), ...part } });
  };
  const setField = (id: string, field: Field | undefined): void => {
    const { [id]: _before, ...others } = room().fields;
    changeRoom({ fields: field === undefined ? others : { ...others, [id]: field } });
  };
  return {
    room,
    change: changeRoom,
    setField,
    ask: async (id, request) => {
      if (room().busy.includes(id)) return undefined;
      changeRoom({ busy: [...room().busy, id] });
      const answer = await request();
      changeRoom({ busy: room().busy.filter((each) => each !== id) });
      const { typed } = room().fields[id] ?? {};
      if (!answer.ok) setField(id, { typed, problem: toldBy(answer.error) });
      else if (room().fields[id] !== undefined) {
        setField(id, typed === undefined ? undefined : { typed });
      }
      return answer.ok ? { value: answer.value } : undefined;
    },
  };
}
