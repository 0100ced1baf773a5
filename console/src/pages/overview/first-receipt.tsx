import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Answered, findRunOf } from '../../api/client.ts';
import { Button } from '../../kit/button.tsx';
import { Panel } from '../../kit/panel.tsx';
import { ReceiptView } from '../inspector/receipt-view.tsx';

/** What came back for the first request, and the proof of it. */
export function FirstReceipt({ answered: { completion, receipt } }: { answered: Answered }) {
  const navigate = useNavigate();
  const open = useMutation({
    mutationFn: () => findRunOf(receipt.id),
    onSuccess: (runId) => navigate({ to: '/runs/$runId', params: { runId } }),
  });
  return (
    <div className="grid shrink-0 grid-cols-1 border-line border-t full:grid-cols-2">
      <Panel
        title="The answer"
        className="border-line full:border-r"
        aside={<Button onClick={() => open.mutate()}>Inspect the run</Button>}
      >
        <p className="max-w-[72ch] whitespace-pre-wrap px-4 py-2 text-base">
          {completion.choices[0]?.message.content}
        </p>
      </Panel>
      <Panel title="Its receipt" className="border-line border-t full:border-t-0">
        <ReceiptView receipt={receipt} />
      </Panel>
    </div>
  );
}
