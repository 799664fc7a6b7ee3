import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../store/use-app-context.ts';
import { CaptionLiveRegion } from '../talk/captions/caption-live-region.tsx';
import { SessionBar } from '../talk/session-bar.tsx';
import { Stage } from '../talk/stage.tsx';
import { TalkNotes } from '../talk/talk-notes.tsx';
import { VoiceWaveform } from '../talk/waveform/voice-waveform.tsx';
import { captionPlaceAt } from './caption-place.ts';
import { JumpRegion } from './jump-region.tsx';
import { PictureCache } from './picture-cache.ts';
import { ReplayControls } from './replay-controls.tsx';
import { ReplayNotes } from './replay-notes.tsx';
import { ReplayedTalk } from './replayed/replayed-talk.tsx';
import { SeenPicture } from './seen-picture.tsx';
import { ReplayTimeline } from './timeline/replay-timeline.tsx';
import { useReplayKeys } from './use-replay-keys.ts';

/** What was seen of the talk, by the very parts that show one, and the whole of it to go about in. */
export function OpenReplayBody() {
  const { i18n } = useTranslation();
  const { replay } = useActions();
  const [pictures] = useState(() => new PictureCache(replay.picture));
  useReplayKeys(i18n.language);
  return (
    <>
      <ReplayedTalk>
        <SessionBar />
        <div
          className="stage"
          onClick={({ clientX, clientY }) => {
            // Words that were marked by hand are meant to be copied.
            if (document.getSelection()?.isCollapsed === false) return;
            const place = captionPlaceAt(clientX, clientY);
            if (place !== undefined) void replay.seekWord(place.turn, place.letter);
          }}
        >
          <Stage />
          <SeenPicture pictures={pictures} />
        </div>
        <CaptionLiveRegion />
        <TalkNotes />
        <VoiceWaveform />
      </ReplayedTalk>
      <ReplayNotes />
      <ReplayTimeline pictures={pictures} />
      <ReplayControls />
      <JumpRegion />
    </>
  );
}
