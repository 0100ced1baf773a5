import { Link } from '@tanstack/react-router';
import { type NavNote, useNavNotes } from './nav-notes.ts';
import { SECTIONS } from './sections.ts';

/** The side bar of wide screens. */
export function SideNav() {
  const notes = useNavNotes();
  return (
    <nav
      aria-label="Pages"
      className="hidden w-40 shrink-0 flex-col overflow-y-auto border-line border-r bg-chrome wide:flex"
    >
      <Link to="/" className="flex h-9 shrink-0 items-center px-4 font-semibold text-base">
        Tiercel
      </Link>
      {SECTIONS.map((group) => (
        <ul key={group[0]?.to} className="border-line border-b py-1.5 last:border-0">
          {group.map(({ to, title }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                className="flex h-7 items-center justify-between border-transparent border-l-2 px-3.5 text-muted hover:text-ink data-[status=active]:border-ink data-[status=active]:bg-selected data-[status=active]:text-ink"
              >
                {title}
                <NoteOf note={notes[to]} />
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

function NoteOf({ note }: { note: NavNote | undefined }) {
  if (!note) return null;
  return (
    <span className={`text-xs ${note.bad ? 'text-failed' : 'text-faint'}`} title={note.title}>
      {note.text}
    </span>
  );
}
