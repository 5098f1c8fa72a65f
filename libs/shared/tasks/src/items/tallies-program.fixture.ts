import { bootTallies } from './tallies.fixture';

/** Boots tallies in a process of its own, to be killed; two chunks of a task are carried out side by side. `DATABASE_URL`: its database. `ORDER`: how many inputs to order
 *  first. */
const run = async (): Promise<void> => {
  const { DATABASE_URL: url, ORDER: ordered } = process.env;
  const { running, order } = await bootTallies(url);
  const inputs = Array.from({ length: Number(ordered) }, (_, index) => ({ item: { name: `n ${index}` } }));
  if (inputs.length > 0) await order(inputs, { kind: 'apart' });
  console.log(`ready ${running.url}`);
};

void run();
