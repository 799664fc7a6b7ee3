import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Row } from '../../design/row.tsx';
import type { RowAria } from '../../design/row.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { useSettingText } from './setting-text.ts';
import { useFieldProblem } from './use-field-problem.ts';
import type { SettingId } from './setting-text.ts';

interface Props {
  readonly at: SettingId;
  readonly wide?: boolean;
  /** Where its problem is stored under another name. */
  readonly field?: string;
  readonly children: (aria: RowAria) => ReactNode;
}

const controls = 'button:not(:disabled), input, textarea, [tabindex="0"]';

/** One setting in its row. Who has looked for it finds the keyboard there. */
export function Setting({ at, wide = false, field = at, children }: Props) {
  const { setup } = useActions();
  const words = useSettingText(at);
  const problem = useFieldProblem(field);
  const sought = useUiState(({ settingsUi }) => settingsUi.focusTarget === at);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!sought) return;
    setup.clearFocusTarget();
    const control = place.current?.querySelector<HTMLElement>(controls);
    place.current?.scrollIntoView({ block: 'center' });
    control?.focus({ focusVisible: true });
  }, [sought, setup]);
  return (
    <Row title={words.name} about={words.hint} problem={problem} wide={wide} ref={place}>
      {children}
    </Row>
  );
}
