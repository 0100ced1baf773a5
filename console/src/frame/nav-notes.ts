import { useQuery } from '@tanstack/react-query';
import { ledgerQuery } from '../api/queries.ts';
import { formatShortCount } from '../kit/format.ts';

export type NavNote = { text: string; title: string; bad: boolean };

/** What stands beside an entry of the navigation, by its path. */
export function useNavNotes(): Readonly<Record<string, NavNote>> {
  const { data } = useQuery(ledgerQuery);
  if (!data) return {};
  if (!data.lastVerified) {
    const title = 'Not verified since this server started';
    return { '/ledger': { text: 'not verified', title, bad: false } };
  }
  const { intact, events } = data.lastVerified.report;
  const note = intact
    ? { text: `✓ ${formatShortCount(events)}`, title: `Intact: ${events} events verified`, bad: false }
    : { text: '✗', title: 'Not intact: see what was found', bad: true };
  return { '/ledger': note };
}
