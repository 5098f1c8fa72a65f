// Kills Scrip under load and reconciles. Usage: npm run chaos -- embedded-kill [--seconds 120] [--every 10] [--rate 20]
import { parseArgs } from 'node:util';
import { embeddedKill } from './embedded-kill';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '120' },
    every: { type: 'string', default: '10' },
    rate: { type: 'string', default: '20' },
  },
});

const main = async (): Promise<void> => {
  if (positionals[0] !== 'embedded-kill') {
    console.error('scenarios: embedded-kill');
    process.exitCode = 2;
    return;
  }
  const { readyMs, ...counts } = await embeddedKill(
    Number(values.seconds) * 1_000,
    Number(values.every) * 1_000,
    Number(values.rate),
  );
  console.table({
    ...counts,
    otherAnswers: counts.otherAnswers.join(', '),
    slowestReadyMs: Math.round(Math.max(...readyMs)),
  });
  if (counts.lost + counts.drift + counts.doubled + counts.undelivered > 0) process.exitCode = 1;
};

void main();
