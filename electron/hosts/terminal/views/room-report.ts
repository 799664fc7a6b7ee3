import { englishRoomTest } from '../../../../shared/i18n/en/room-test.ts';
import { fillMessage } from '../../../../shared/i18n/fill-message.ts';
import { roomAdvice, roomSentences } from '../../../../shared/sound/room-judgement.ts';
import type { NoJudgement, RoomJudgement } from '../../../../shared/sound/room-judgement.ts';

const texts = englishRoomTest.judged;

/** Why a room could not be judged; the system lets a terminal have the microphone, and not who runs in it. */
export function unjudgedSentence(why: NoJudgement): string {
  return fillMessage(texts[why], { who: 'this terminal' });
}

/** A room as a terminal says it: each sentence with its figures, and advice where something is poor. */
export function roomReport(room: RoomJudgement, wasAsked: boolean): readonly string[] {
  const said = roomSentences(room, wasAsked, texts).map(({ words, figures }) =>
    figures === undefined ? words : `${words} (${figures}).`,
  );
  return [...said, ...roomAdvice(room).map((advice) => texts.advice[advice])];
}
