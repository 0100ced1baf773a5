import { Link } from '@tanstack/react-router';
import { PageHeader } from '../kit/panel.tsx';
import { EmptyState } from '../kit/states.tsx';

const LINK = 'text-ink underline underline-offset-2';

function Later({ title, says, what }: { title: string; says: string; what: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title={says}>
        <p>{what}</p>
        <p>
          Everything that happened stands in{' '}
          <Link to="/replay" className={LINK}>
            Replay
          </Link>
          .
        </p>
      </EmptyState>
    </>
  );
}

export function RetrievalPage() {
  return (
    <Later
      title="Retrieval"
      says="Nothing has been searched"
      what="Every search will stand here with its query, hits, the score of each stage and where each hit came from."
    />
  );
}

export function MemoryPage() {
  return (
    <Later
      title="Memory"
      says="Nothing has been remembered"
      what="What was read and injected into a call, and what was written and by whom, will stand here."
    />
  );
}

export function DecisionsPage() {
  return (
    <Later
      title="Decisions"
      says="Nothing has been decided"
      what="Every decision will stand here with its engine, its confidence and the threshold that it met."
    />
  );
}

export function ApprovalsPage() {
  return (
    <Later
      title="Approvals"
      says="Nothing waits for you"
      what="Steps that need a person stand here until they are granted or rejected."
    />
  );
}

export function PoliciesPage() {
  return (
    <Later
      title="Policies and budgets"
      says="No policy is loaded"
      what="Policies in force, the budget of each principal and what was denied will stand here."
    />
  );
}
