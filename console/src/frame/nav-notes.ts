import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../api/queries.ts';

/** What stands beside an entry of the navigation, by its path: a count that waits for somebody. */
export function useNavNotes(): Readonly<Record<string, string>> {
  const { data } = useQuery(overviewQuery);
  const approvals = data?.attention.filter(({ kind }) => kind === 'approval').length ?? 0;
  return approvals > 0 ? { '/approvals': String(approvals) } : {};
}
