import type { MigrationInterface, QueryRunner } from 'typeorm';

const candidates = `
  CREATE TABLE candidates (
    project_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C",
    campaign_type text COLLATE "C",
    voucher_type text COLLATE "C",
    code text COLLATE "C",
    category_id text COLLATE "C",
    eligible boolean NOT NULL,
    active boolean NOT NULL,
    quantity bigint,
    redeemed_quantity bigint NOT NULL,
    starts_at timestamptz,
    ends_at timestamptz,
    incentive jsonb,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, id)
  );
  CREATE INDEX candidates_campaign ON candidates (project_id, campaign_id, id) WHERE campaign_id IS NOT NULL`;

// Read backwards: the newest first, of one instant the later id first.
const terms = `
  CREATE TABLE candidate_terms (
    project_id text COLLATE "C" NOT NULL,
    space text COLLATE "C" NOT NULL,
    term text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    id text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, space, term, created_at, id)
  );
  CREATE INDEX candidate_terms_of ON candidate_terms (project_id, id)`;

/** The index by which qualifications find candidates. Source: reference 02 §10. */
export class CreateCandidates1803000000150 implements MigrationInterface {
  readonly name = 'CreateCandidates1803000000150';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [candidates, terms]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE candidates, candidate_terms');
  }
}
