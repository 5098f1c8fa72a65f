import { newTierFields } from './new-tier';

const open = { start_date: null, expiration_date: null };
const may = '2026-05-01T00:00:00.000Z';
const june = '2026-06-01T00:00:00.000Z';
const path = '.promotion.tiers[2]';

describe('a refused tier of a campaign that is created', () => {
  it.each([
    [
      { category: 'A', category_id: 'B' },
      open,
      `Only one of ${path}.category and ${path}.category_id can be given`,
    ],
    [
      { start_date: june, expiration_date: may },
      open,
      `Property ${path}.expiration_date must not be before ${path}.start_date (${june})`,
    ],
    [
      { expiration_date: may },
      { ...open, start_date: june },
      `Property ${path}.expiration_date must not be before .start_date (${june})`,
    ],
    [
      { start_date: june },
      { ...open, expiration_date: may },
      `Property .expiration_date must not be before ${path}.start_date (${june})`,
    ],
    [
      { validity_hours: { daily: [{ days_of_week: [], start_time: '10:00' }] } },
      open,
      `Property ${path}.validity_hours.daily[0].days_of_week should NOT have fewer than 1 items`,
    ],
  ])('is named by its place in the body: %j', (fields, period, details) => {
    const refused = { refused: 'invalid_payload', details };
    expect(newTierFields({ name: 'Third', ...fields }, period, path)).toEqual(refused);
    const alone = { ...refused, details: details.replaceAll(path, '') };
    expect(newTierFields({ name: 'Third', ...fields }, period)).toEqual(alone);
  });
});
