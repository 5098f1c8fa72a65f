import { publicRoutes } from '@scrip/contracts/registry';
import { shownUrl, wordsOf } from './shown-url';

const words = wordsOf(publicRoutes);
const shown = (url: string): string => shownUrl(url, words);
const campaign = 'camp_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';

describe('what the log of calls keeps of a URL', () => {
  it.each([
    ['words of routes', '/v1/vouchers', '/v1/vouchers'],
    ['ids that we made', `/v1/campaigns/${campaign}`, `/v1/campaigns/${campaign}`],
    ['no code', '/v1/vouchers/SUMMER-2026', '/v1/vouchers/***'],
    ['no source id', '/v1/orders/shop-4711', '/v1/orders/***'],
    ['no e-mail address', '/v1/customers/ada@example.com', '/v1/customers/***'],
    ['no encoded e-mail address', '/v1/customers/ada%40example.com/consents', '/v1/customers/***/consents'],
    [
      'no key of a session, whoever made it',
      '/v1/vouchers/A/sessions/ssn_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
      '/v1/vouchers/***/sessions/***',
    ],
    ['no tracking id', '/client/v1/customers/track_aGVsbG8=', '/client/v1/customers/***'],
    ['no path of a route that there is not', '/v1/vochers/SUMMER-2026', '/v1/***/***'],
    ['no more segments than routes have', `/v1${'/x'.repeat(400)}`, `/v1${'/***'.repeat(11)}/...`],
    ['an empty path', '', '/'],
    ['the slash at an end', '/v1/vouchers/', '/v1/vouchers/'],
    ['no host and no password', 'http://ada:secret@example.com/v1/vouchers', '/v1/vouchers'],
    ['nothing of a target that is no path', 'ada@example.com:443', '/'],
  ])('has %s', (_what, url, expected) => expect(shown(url)).toBe(expected));

  it.each([
    ['limit=10&page=2&order=-created_at', '?limit=10&page=2&order=-created_at'],
    ['force=true', '?force=true'],
    ['created_at[before]=2026-03-31&', '?created_at[before]=2026-03-31'],
    ['created_at%5Bafter%5D=2026-03-31T10%3A00%3A00.000Z', '?created_at[after]=2026-03-31T10%3A00%3A00.000Z'],
    ['start_date=2026-03-31T10:00Z', '?start_date=2026-03-31T10:00Z'],
    [`campaign_id=${campaign}`, `?campaign_id=${campaign}`],
    ['campaign_id=Black Friday', '?campaign_id=***'],
    ['starting_after_id=ada@example.com', '?starting_after_id=***'],
    ['limit=+48123456789', '?limit=***'],
    ['order=ada@example.com', '?order=***'],
    ['limit=10&limit=20', '?limit=10&...'],
    ['limit', '?limit=***'],
    ['limit=10=ada', '?limit=10'],
    ['email=ada@example.com', '?...'],
    ['ada@example.com', '?...'],
    ['token=eyJhbGciOi', '?...'],
    ['filters[code][conditions][$is]=SUMMER-2026&limit=5', '?limit=5&...'],
    ['session_key=basket-1&tracking_id=ada', '?...'],
    ['__proto__=1', '?...'],
    ['', ''],
  ])('has of the query %s', (query, expected) =>
    expect(shown(`/v1/vouchers?${query}`)).toBe(`/v1/vouchers${expected}`),
  );

  it('is bounded, whatever was sent', () => {
    const names = ['limit', 'created_at[before]', 'campaign_id', 'starting_after_id', 'x'];
    const query = names.map((name) => `${name}=${'9'.repeat(1_000)}`).join('&');
    const longest = `${`/${campaign}`.repeat(100)}?${`${query}&`.repeat(20)}`;
    expect(shown(longest).length).toBeLessThan(2_048);
  });
});
