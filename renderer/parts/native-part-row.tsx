import { useTranslation } from 'react-i18next';
import type { NativePartView } from '../store/ui-state.ts';

interface Props {
  readonly title: string;
  readonly view: NativePartView;
}

/** A native part: its name, whether it loads, and which version, or why not. */
export function NativePartRow({ title, view }: Props) {
  const { t } = useTranslation();
  // Who sees it asks at once.
  const state = view.state === 'unasked' ? 'checking' : view.state;
  return (
    <li className="part" data-state={state}>
      <span className="part-title">{title}</span>
      <span className="part-state" role="status">
        {t(`about.states.${state}`)}
      </span>
      <span className="part-detail">{detailOf(view)}</span>
    </li>
  );
}

function detailOf(view: NativePartView): string {
  switch (view.state) {
    case 'unasked':
    case 'checking':
    case 'unknown':
      return '';
    case 'loads':
      return view.detail;
    case 'fails':
      return view.reason;
  }
}
