import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { forgetOldOutcomes } from './outcome.table';

let fixture: QualificationFixture;

beforeAll(async () => {
  fixture = await startQualification('outcome_table');
});

afterAll(() => fixture.stop());

it('forgets all abandoned verdicts of more than 30 days, however many, and no others', async () => {
  await fixture.dataSource.query(
    `INSERT INTO redemption_outcomes (redemption_id, verdict, claims, decided_at)
     SELECT 'r_old' || n, 'ABANDONED', '[]', now() - interval '31 days' FROM generate_series(1, 5001) n
     UNION ALL VALUES ('r_recorded', 'RECORDED', '[]'::jsonb, now() - interval '31 days'),
       ('r_young', 'ABANDONED', '[]', now() - interval '29 days')`,
  );
  await forgetOldOutcomes(fixture.dataSource.manager);
  const left = await fixture.dataSource.query<object[]>(
    'SELECT redemption_id FROM redemption_outcomes ORDER BY 1',
  );
  expect(left).toEqual([{ redemption_id: 'r_recorded' }, { redemption_id: 'r_young' }]);
});
