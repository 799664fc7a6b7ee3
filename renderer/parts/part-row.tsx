import type { PartView } from '../store.ts';
import type { Words } from '../words/words.ts';

interface Props {
  readonly title: string;
  readonly view: PartView;
  readonly words: Words;
}

/** A native part: its name, whether it loads, and which version, or why not. */
export function PartRow({ title, view, words }: Props) {
  return (
    <li className="part" data-state={view.state}>
      <span className="part-title">{title}</span>
      <span className="part-state" role="status">
        {words[view.state]}
      </span>
      <span className="part-detail">{detailOf(view)}</span>
    </li>
  );
}

function detailOf(view: PartView): string {
  switch (view.state) {
    case 'checking':
    case 'unknown':
      return '';
    case 'loads':
      return view.detail;
    case 'fails':
      return view.reason;
  }
}
