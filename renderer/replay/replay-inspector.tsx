import { Inspector } from '../inspector/inspector.tsx';
import { ReplayedTalk } from './replayed-talk.tsx';

/** What passed on the wire then, as the cursor passes it. */
export function ReplayInspector() {
  return (
    <ReplayedTalk>
      <Inspector />
    </ReplayedTalk>
  );
}
