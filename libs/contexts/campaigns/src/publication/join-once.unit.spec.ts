import { type JoinRequest, rejoin } from './join-once';

const campaignRequest = { source: { campaign: 'Club', count: 1 }, source_id: null };

const again = (fields: Partial<JoinRequest>): JoinRequest => ({
  asked: false,
  fromBrowser: false,
  campaign: { join_once: false },
  request: campaignRequest,
  namesEarlierVoucher: false,
  ...fields,
});

const joinedOnce = { campaign: { join_once: true } };
const named = { source: { voucher: 'CODE' }, source_id: null };

describe('a customer who has a publication in the campaign', () => {
  it.each<[string, Partial<JoinRequest>, string]>([
    ['?join_once=true', { asked: true }, 'ANSWER_EARLIER'],
    [
      '?join_once=true and a source id',
      { asked: true, request: { ...campaignRequest, source_id: 's' } },
      'ANSWER_EARLIER',
    ],
    ['?join_once=true and another voucher', { asked: true, request: named, ...joinedOnce }, 'ANSWER_EARLIER'],
    ['?join_once=true of a browser', { asked: true, fromBrowser: true }, 'REFUSE'],
    [
      '?join_once=true of a browser, another voucher',
      { asked: true, fromBrowser: true, request: named },
      'REFUSE',
    ],
    [
      '?join_once=true of a browser, join_once of the campaign',
      { asked: true, fromBrowser: true, ...joinedOnce },
      'ANSWER_EARLIER',
    ],
    ['join_once of the campaign, no source id', joinedOnce, 'ANSWER_EARLIER'],
    [
      'join_once of the campaign, an unused source id',
      { ...joinedOnce, request: { ...campaignRequest, source_id: 's' } },
      'REFUSE',
    ],
    ['join_once of the campaign, another voucher', { ...joinedOnce, request: named }, 'REFUSE'],
    [
      'join_once of the campaign, the same voucher',
      { ...joinedOnce, request: named, namesEarlierVoucher: true },
      'PUBLISH',
    ],
    ['neither', {}, 'PUBLISH'],
    ['neither, another voucher', { request: named }, 'PUBLISH'],
  ])('%s', (_, request, outcome) => {
    expect(rejoin(again(request))).toBe(outcome);
  });
});
