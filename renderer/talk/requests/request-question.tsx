import { runningRequest } from '../../app/ui-state.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { ToolCallView } from '../../chat/turns/tool-call.tsx';

/** The question about a call in the talk, for windows that show little of it. */
export function RequestQuestion() {
  const { decideTalkCall } = useActions();
  const call = useUiState((state) =>
    runningRequest(state)?.answer?.calls?.find((each) => each.state === 'asking'),
  );
  if (call === undefined) return null;
  return (
    <div className="talk-question">
      <ToolCallView
        key={call.id}
        call={call}
        onDecide={(decision) => void decideTalkCall(call.id, decision)}
        within="talk"
      />
    </div>
  );
}
