import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Says which customers stored public events show, and who was erased. Source: reference 06 §9.3. */
export class PublicEventsNameCustomers1800000000600 implements MigrationInterface {
  readonly name = 'PublicEventsNameCustomers1800000000600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE public_event_customers (
        project_id text COLLATE "C" NOT NULL,
        customer_id text COLLATE "C" NOT NULL,
        public_event_id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, customer_id, public_event_id)
      );
      CREATE INDEX public_event_customers_created ON public_event_customers (created_at);
      CREATE TABLE erased_customers (
        project_id text COLLATE "C" NOT NULL,
        customer_id text COLLATE "C" NOT NULL,
        erased_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, customer_id)
      );
      CREATE INDEX erased_customers_erased ON erased_customers (erased_at)`);
    // Every customer in the data of a public event is an object that has its id.
    await runner.query(`
      INSERT INTO public_event_customers
      SELECT DISTINCT e.project_id, named[1], e.id, e.created_at
      FROM public_events e, regexp_matches(e.data, '"id":"(cust_[^"]+)"', 'g') AS named`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE public_event_customers, erased_customers');
  }
}
