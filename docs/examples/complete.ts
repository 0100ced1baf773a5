/** Ask once, with nothing configured: the simulation answers and says so. */
import { createTiercel } from 'tiercel';

const tiercel = await createTiercel({ mode: 'simulation', dataDir: '.tiercel' });
try {
  const { text, receipt } = await tiercel.complete({
    model: 'auto',
    messages: [{ role: 'user', content: 'Plan a launch for a bike repair shop' }],
  });
  console.log(text);
  console.log(`served by ${receipt.served?.tier}, receipt ${receipt.id}`);
} finally {
  await tiercel.close();
}
