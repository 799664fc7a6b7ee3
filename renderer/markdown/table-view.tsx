import { InlinesView } from './inline-view.tsx';
import { placed } from './placed.ts';
import type { Cell, Row } from './nodes.ts';

interface Props {
  readonly head: readonly Cell[];
  readonly rows: readonly Row[];
}

/** A table that scrolls by itself where it is too wide, also by keyboard. */
export function TableView({ head, rows }: Props) {
  return (
    <div className="markdown-table" role="group" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {placed(head).map(({ place, item: { align, children } }) => (
              <th key={place} scope="col" dir="auto" data-align={align}>
                <InlinesView inlines={children} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {placed(rows).map(({ place, item }) => (
            <tr key={place}>
              {placed(item).map(({ place, item: { align, children } }) => (
                <td key={place} dir="auto" data-align={align}>
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
