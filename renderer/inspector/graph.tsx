import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppContext } from '../store/use-app-context.ts';
import { graphLines } from './graph-feed.ts';
import type { GraphFeed, GraphKind, GraphLine } from './graph-feed.ts';
import { animateGraph } from './animate-graph.ts';

interface Props {
  readonly kind: GraphKind;
  readonly feed: GraphFeed;
}

/** One graph with its lines' names and what they are now. */
export function Graph({ kind, feed }: Props) {
  const { t } = useTranslation();
  const { now } = useAppContext();
  const canvas = useRef<HTMLCanvasElement>(null);
  const values = useRef(new Map<GraphLine, HTMLElement>());
  useEffect(() => {
    if (canvas.current === null) return undefined;
    return animateGraph(canvas.current, kind, feed, now, (line, text) => {
      const place = values.current.get(line);
      if (place !== undefined && place.textContent !== text) place.textContent = text;
    });
  }, [kind, feed, now]);
  return (
    <figure className="graph">
      <figcaption>
        <span className="graph-name">{t(`inspector.graphs.${kind}`)}</span>
        <span className="graph-lines">
          {graphLines[kind].map((line, index) => (
            <span key={line} className="graph-line" data-ink={index}>
              {t(`inspector.lines.${line}`)}{' '}
              <span
                ref={(element) => {
                  if (element === null) values.current.delete(line);
                  else values.current.set(line, element);
                }}
              />
            </span>
          ))}
        </span>
      </figcaption>
      <canvas ref={canvas} aria-hidden />
    </figure>
  );
}
