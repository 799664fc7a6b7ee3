import { InlinesView } from './inlines-view.tsx';
import { withIndexKeys } from './nodes.ts';
import type { MarkdownTableCell, MarkdownTableRow } from './nodes.ts';

interface Props {
  readonly head: readonly MarkdownTableCell[];
  readonly rows: readonly MarkdownTableRow[];
}

/** A table that scrolls by itself where it is too wide, also by keyboard. */
export function TableView({ head, rows }: Props) {
  return (
    <div className="markdown-table" role="group" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {withIndexKeys(head).map(({ key, item: { align, children } }) => (
              <th key={key} scope="col" dir="auto" data-align={align}>
                <InlinesView inlines={children} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {withIndexKeys(rows).map(({ key, item }) => (
            <tr key={key}>
              {withIndexKeys(item).map(({ key, item: { align, children } }) => (
                <td key={key} dir="auto" data-align={align}>
                  <InlinesView inlines={children} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
