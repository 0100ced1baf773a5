import type { Tier } from '../../config/settings.ts';
import type { Receipt, Usage } from '../../inference/receipt.ts';
import type { ChainedEvent } from '../../trace/event.ts';
import type { ReceiptWithContents } from '../receipts.ts';

/** A run in a line: a call that came alone, or all that one piece of work did. */
export type RunSummary = {
  id: string;
  /** ISO 8601. */
  startedAt: string;
  /** Null while it goes on. */
  endedAt: string | null;
  /** What its first call asked for, or the run's own name. */
  requested: string;
  role: string | null;
  principal: string;
  /** By whom its last call was answered. */
  served: Receipt['served'];
  outcome: Receipt['outcome'] | 'running';
  fallbackReason?: string;
  /** So far, while it goes on. */
  durationMs: number;
  usage: Usage;
  /** Absent when nothing had a price, or prices came in several currencies. */
  cost?: { amount: number; currency: string };
  receiptIds: string[];
};

/** A part of a run on its time line. Times are milliseconds from the run's start. */
export type RunSpan = {
  /** 16 hex digits, as in the events and in what is exported. */
  id: string;
  parentId: string | null;
  kind: 'run' | 'plan' | 'attempt' | 'tool' | 'approval';
  name: string;
  tier?: Tier;
  startMs: number;
  /** Null while it goes on. */
  endMs: number | null;
  /** Moments within. */
  marks?: { at: number; name: string }[];
  outcome: string;
  detail: Record<string, unknown> | null;
};

export type RunDetail = {
  run: RunSummary;
  /** In the order of their calls. */
  receipts: ReceiptWithContents[];
  /** Oldest first. */
  events: ChainedEvent[];
  spans: RunSpan[];
};

export type RunFilter = { tier?: string; outcome?: string; role?: string; principal?: string; q?: string };
