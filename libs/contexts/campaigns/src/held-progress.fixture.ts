import { Client } from 'pg';

/** Work on vouchers in another process that waits at places of its way. */
export interface HeldProgress {
  /** Lets the work go past a place. */
  release(place: number): Promise<void>;
  end(): Promise<void>;
}

/** Makes the middle of a work last: a statement after which `counted` (SQL of a number) has reached one of the places waits, before
 *  its commit, until the place is released. `on`: what it does to vouchers. To be ended. */
export const heldProgress = async (
  databaseUrl: string,
  { on, counted, places }: { on: 'INSERT' | 'UPDATE'; counted: string; places: readonly number[] },
): Promise<HeldProgress> => {
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(place) FROM unnest($1::bigint[]) place', [places]);
  await holder.query(`
    CREATE FUNCTION campaigns.hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock_shared(place) FROM unnest('{${places.join()}}'::bigint[]) place WHERE place <= (${counted});
      RETURN NULL;
    END $$;
    CREATE TRIGGER hold AFTER ${on} ON campaigns.vouchers FOR EACH STATEMENT EXECUTE FUNCTION campaigns.hold()`);
  return {
    release: async (place) => void (await holder.query('SELECT pg_advisory_unlock($1)', [place])),
    end: () => holder.end(),
  };
};
