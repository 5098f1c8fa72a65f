import type { MigrationInterface, QueryRunner } from 'typeorm';

// Read by customer alone. What is sealed opens with the customer's key only. `source`, `data`: JSON, as answers show it.
const createActivities = `
  CREATE TABLE customer_activities (
    project_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    category text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    campaign_id text COLLATE "C",
    campaign_type text COLLATE "C",
    product_ids text[] NOT NULL,
    group_id text NOT NULL,
    source jsonb NOT NULL,
    data jsonb NOT NULL,
    sealed text,
    PRIMARY KEY (project_id, customer_id, id)
  );
  CREATE INDEX customer_activities_time ON customer_activities (project_id, customer_id, created_at, id)`;

/** Table of what customers did. */
export class CreateActivities1800000002320 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createActivities);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE customer_activities');
  }
}
