import { formatCount } from './format.ts';

/** What came in while the list was being read; its place is kept, so that showing it moves nothing. */
export function NewRowsButton({ count, more, onShow }: { count: number; more: boolean; onShow: () => void }) {
  return (
    <div aria-live="polite" className="pointer-events-none absolute inset-x-0 top-2 z-10 flex justify-center">
      {count === 0 ? null : (
        <button
          type="button"
          className="pointer-events-auto h-7 rounded border border-ink bg-ink px-3 text-canvas"
          onClick={onShow}
        >
          {formatCount(count)}
          {more ? '+' : ''} new
        </button>
      )}
    </div>
  );
}
