import { bootCustomers } from './customers-http.fixture';

/** Boots customers in a process of its own, to be killed. `DATABASE_URL`: its database. */
const run = async (): Promise<void> => {
  const { running } = await bootCustomers('customers_killed', process.env.DATABASE_URL);
  console.log(`ready ${running.url}`);
};

void run();
