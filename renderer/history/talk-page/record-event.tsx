import { useTranslation } from 'react-i18next';
import type { TalkRecordEvent } from '../../../shared/history/talk-record.ts';
import { errorText } from '../../parts/error-text.ts';

interface Props {
  readonly event: TalkRecordEvent;
}

/** What happened besides what was said. */
export function RecordEvent({ event }: Props) {
  const { t } = useTranslation();
  return (
    <p className="kept-event" dir="auto">
      {said()}
    </p>
  );

  function said(): string {
    switch (event.kind) {
      // Told where the talk begins and how it ended.
      case 'began':
      case 'ended':
        return '';
      case 'reconnecting':
      case 'trouble':
        return t(`history.talk.events.${event.kind}`, { reason: errorText(t, event.error) });
      case 'deviceLost':
      case 'deviceBack':
        return t(`history.talk.events.${event.kind}.${event.role}`);
      case 'reconnected':
      case 'continued':
      case 'interrupted':
        return t(`history.talk.events.${event.kind}`);
    }
  }
}
