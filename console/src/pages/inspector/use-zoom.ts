import { type PointerEvent, useState } from 'react';
import { type View, zoom } from './axis.ts';

/** Pixels that a drag needs before it is one. */
const DRAG_PX = 5;

export type Zoom = {
  view: View;
  zoomed: boolean;
  /** The part being dragged over, as shares of the width. */
  drag: { from: number; to: number } | null;
  by: (factor: number) => void;
  reset: () => void;
  handlers: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    onPointerCancel: () => void;
  };
};

/** The part of the run in view, chosen by dragging over it. Without a choice it is the whole run, as it grows. */
export function useZoom(extent: number): Zoom {
  const [chosen, choose] = useState<View | null>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const view = chosen ?? { from: 0, to: extent };
  const shareOf = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - left) / width));
  };
  return {
    view,
    zoomed: chosen !== null,
    drag,
    by(factor) {
      const next = zoom(view, factor, extent);
      choose(next.to - next.from >= extent ? null : next);
    },
    reset: () => choose(null),
    handlers: {
      onPointerDown(event) {
        if (event.button !== 0 || event.pointerType === 'touch') return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: shareOf(event), to: shareOf(event) });
      },
      onPointerMove(event) {
        if (drag) setDrag({ from: drag.from, to: shareOf(event) });
      },
      onPointerUp(event) {
        if (!drag) return;
        setDrag(null);
        const [low, high] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
        if ((high - low) * event.currentTarget.clientWidth < DRAG_PX) return;
        const width = view.to - view.from;
        choose({ from: view.from + low * width, to: view.from + high * width });
      },
      onPointerCancel: () => setDrag(null),
    },
  };
}
