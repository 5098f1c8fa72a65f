import { hexSignature, signatureHeaders } from './signature';

describe('the test vectors of reference 06 §5.1', () => {
  const token = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const body = '{"id":"whs_01","type":"voucher.created","data":{"code":"A-1"}}';

  it('signs in both forms', () => {
    expect(signatureHeaders('whs_01', body, new Date(1_704_067_200_000), [token])).toStrictEqual({
      'webhook-id': 'whs_01',
      'webhook-timestamp': '1704067200',
      'webhook-signature': 'v1,tvLLseyK68gm0DIcgjBosZihdZN//uTZz11HkHP24KE=',
      'X-Service-Signature': '9f4694ba90c9004251cbf15a4368a03a49e812ed2bfd4de3ec8c7f7538df48b6',
    });
  });

  it('keys the hex form with the whole token', () => {
    expect(hexSignature('secretKey', '{"a":1}')).toBe(
      'a17d2ac229d1ebbb5f10e839c7985c4818e5986eab297f7e5979196d4d7d3ed2',
    );
  });

  it('carries an entry per token during a rotation, the new one first, and the hex form of the new one', () => {
    const older = 'whsec_HwAAAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
    const headers = signatureHeaders('whs_01', body, new Date(1_704_067_200_000), [token, older]);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(headers['webhook-signature']).toMatch(/^v1,tvLLseyK68gm0DIcgjBosZihdZN\/\/uTZz11HkHP24KE= v1,/);
    expect(headers['X-Service-Signature']).toBe(hexSignature(token, body));
  });
});
