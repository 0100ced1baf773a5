/** Look at a plan without making a call: who would serve, in which order, and who would not and why. */
import { createTiercel } from 'tiercel';

const tiercel = await createTiercel();
try {
  const { label, candidates, excluded } = tiercel.plan('auto');
  console.log(label);
  for (const { tier, deployment, model } of candidates) console.log(`  ${tier}  ${deployment}  ${model}`);
  for (const { deployment, reason } of excluded) console.log(`  left out: ${deployment}, ${reason}`);
  tiercel.trace.subscribe(({ ts, type, payload }) => console.log(ts, type, payload));
} finally {
  await tiercel.close();
}
