import type { EgressPolicy } from './address-range';
import { refuseTargetUrl } from './target-url';

const strict: EgressPolicy = { allowHttp: false, allowHosts: [], allowCidrs: [], allowLoopback: false };
const long = (length: number) =>
  `https://shop.example.com/${'a'.repeat(length - 'https://shop.example.com/'.length)}`;

describe('which URLs a webhook may have (reference 06 §5.4 step 1)', () => {
  it.each([
    ['https://shop.example.com'],
    ['https://shop.example.com:8443/hook?shop=7'],
    ['HTTPS://SHOP.EXAMPLE.COM/hook'],
    ['https://93.184.216.34/hook'],
    ['https://[2606:4700::1111]/hook'],
    ['https://shop.example.com/a@b'],
    [long(2_048)],
  ])('takes %s', (url) => {
    expect(refuseTargetUrl(url, strict)).toBeNull();
  });

  it.each([
    ['', 'must be an absolute https URL'],
    ['/hook', 'must be an absolute https URL'],
    ['shop.example.com/hook', 'must be an absolute https URL'],
    ['https:shop.example.com', 'must be an absolute https URL'],
    ['ftp://shop.example.com', 'must be an absolute https URL'],
    ['javascript:alert(1)', 'must be an absolute https URL'],
    ['http://shop.example.com', 'must use the scheme https'],
    ['http://127.0.0.1:4000', 'must use the scheme https'],
    [long(2_049), 'should NOT be longer than 2048 characters'],
    ['https://user:secret@shop.example.com', 'must not contain user information'],
    ['https://@shop.example.com', 'must not contain user information'],
    ['https://shop.example.com/#top', 'must not contain a fragment'],
    ['https://shop.example.com/#', 'must not contain a fragment'],
    ['https://localhost/hook', 'must not point to an internal host'],
    ['https://localhost./hook', 'must not point to an internal host'],
    ['https://intranet/hook', 'must not point to an internal host'],
    ['https://printer.local/hook', 'must not point to an internal host'],
    ['https://api.internal/hook', 'must not point to an internal host'],
    ['https://api.default.svc/hook', 'must not point to an internal host'],
    ['https://api.default.svc.cluster.local/hook', 'must not point to an internal host'],
    ['https://127.0.0.1/hook', 'must not point to an internal address'],
    ['https://2130706433/hook', 'must not point to an internal address'],
    ['https://0x7f.1/hook', 'must not point to an internal address'],
    ['https://10.0.0.1/hook', 'must not point to an internal address'],
    ['https://169.254.169.254/latest/meta-data', 'must not point to an internal address'],
    ['https://[::1]/hook', 'must not point to an internal address'],
    ['https://[::ffff:10.0.0.1]/hook', 'must not point to an internal address'],
  ])('refuses %s', (url, problem) => {
    expect(refuseTargetUrl(url, strict)).toEqual({
      refused: 'invalid_payload',
      details: `Property .target_url ${problem}`,
    });
  });

  describe('where the server listens on loopback only', () => {
    const embedded = { ...strict, allowLoopback: true };

    it.each([
      'http://127.0.0.1:4000/hook',
      'http://localhost:4000',
      'http://[::1]:4000',
      'https://localhost',
    ])('takes %s', (url) => {
      expect(refuseTargetUrl(url, embedded)).toBeNull();
    });

    it.each(['http://shop.example.com', 'http://10.0.0.1', 'https://10.0.0.1', 'https://intranet'])(
      'refuses %s',
      (url) => {
        expect(refuseTargetUrl(url, embedded)).not.toBeNull();
      },
    );
  });

  it('takes what the deployment names, and only that', () => {
    const closed = { ...strict, allowHttp: true, allowHosts: ['receiver'], allowCidrs: ['10.1.0.0/16'] };
    expect(refuseTargetUrl('http://receiver/hook', closed)).toBeNull();
    expect(refuseTargetUrl('http://10.1.2.3/hook', closed)).toBeNull();
    expect(refuseTargetUrl('http://other/hook', closed)).not.toBeNull();
    expect(refuseTargetUrl('http://10.2.0.1/hook', closed)).not.toBeNull();
  });
});
