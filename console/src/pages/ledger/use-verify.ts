import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { verifyLedger } from '../../api/client.ts';
import { ledgerQuery } from '../../api/queries.ts';

export type Verify = {
  run: () => void;
  running: boolean;
  /** Milliseconds since it began. */
  elapsedMs: number;
  error: Error | null;
};

/** Verifies the ledger on demand. How far it is, the server does not tell; how long it takes, the reader sees. */
export function useVerify(): Verify {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: verifyLedger,
    onSuccess: () => client.invalidateQueries({ queryKey: ledgerQuery.queryKey }),
  });
  const elapsedMs = useElapsed(isPending);
  return {
    run() {
      if (!isPending) mutate();
    },
    running: isPending,
    elapsedMs,
    error,
  };
}

function useElapsed(running: boolean): number {
  const [elapsedMs, setElapsed] = useState(0);
  useEffect(() => {
    if (!running) return;
    const from = performance.now();
    setElapsed(0);
    const timer = setInterval(() => setElapsed(performance.now() - from), 100);
    return () => clearInterval(timer);
  }, [running]);
  return elapsedMs;
}
