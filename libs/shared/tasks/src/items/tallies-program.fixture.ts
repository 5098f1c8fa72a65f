import { bootTallies } from './tallies.fixture';

/** Boots tallies in a process of its own, to be killed; two chunks of a task are carried out side by side. `DATABASE_URL`: its database. `ORDER`: how many inputs to order
 *  first. `HOLD`: the positions of inputs, as a JSON list, that wait for the advisory lock of their number. */
const run = async (): Promise<void> => {
  const { DATABASE_URL: url, ORDER: ordered, HOLD: held } = process.env;
  const { running, order, database } = await bootTallies(url);
  const inputs = Array.from({ length: Number(ordered) }, (_, index) => ({ item: { name: `n ${index}` } }));
  if (held) {
    const names = (JSON.parse(held) as number[]).map((position) => `'n ${position}'`);
    await database.query(`
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock_shared(substr(NEW.name, 3)::bigint); RETURN NEW; END $$;
      CREATE TRIGGER hold BEFORE INSERT ON tallies FOR EACH ROW WHEN (NEW.name IN (${names.join()})) EXECUTE FUNCTION hold()`);
  }
  if (inputs.length > 0) await order(inputs, { kind: 'apart' });
  console.log(`ready ${running.url}`);
};

void run();
