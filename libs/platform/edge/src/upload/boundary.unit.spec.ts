import { Hash } from 'node:crypto';
import { boundaryOf, fingerprintOfForm } from './boundary';

describe('the boundary of a form', () => {
  test.each<[contentType: string, boundary: string | null]>([
    ['multipart/form-data; boundary=edge', 'edge'],
    ['multipart/form-data;charset=utf-8;BOUNDARY="e; dge"; x=y', 'e; dge'],
    ['multipart/form-data; xboundary=edge', null],
    ['multipart/form-data; boundary=', null],
    ['multipart/form-data', null],
    [`multipart/form-data; boundary=${'a'.repeat(70)}`, 'a'.repeat(70)],
    [`multipart/form-data; boundary=${'a'.repeat(71)}`, null],
  ])('of %s is %s', (contentType, boundary) => {
    expect(boundaryOf(contentType)).toBe(boundary);
  });
});

describe('the fingerprint of a form', () => {
  const form = (boundary: string, text: string): Buffer =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"\r\n\r\n${text}\r\n--${boundary}--\r\n`,
    );

  it('is the same whatever the boundary is', () => {
    expect(fingerprintOfForm(form('one', 'x,y'), 'one')).toBe(fingerprintOfForm(form('two', 'x,y'), 'two'));
  });

  it('counts the boundary where it is a text of the file', () => {
    expect(fingerprintOfForm(form('one', 'one'), 'one')).not.toBe(
      fingerprintOfForm(form('two', 'two'), 'two'),
    );
  });

  it('is another one for another file', () => {
    expect(fingerprintOfForm(form('one', 'x'), 'one')).not.toBe(fingerprintOfForm(form('one', 'y'), 'one'));
  });

  test.each(['a', '\r\n--a'])('looks at few of a million boundaries: %j', (text) => {
    const update = jest.spyOn(Hash.prototype, 'update');
    fingerprintOfForm(form('a', text.repeat(1_000_000)), 'a');
    expect(update).toHaveBeenCalled();
    expect(update.mock.calls.length).toBeLessThan(50);
    update.mockRestore();
  });
});
