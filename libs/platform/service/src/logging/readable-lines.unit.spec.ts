import colors from 'picocolors';
import { readableLines } from './readable-lines';

jest.mock('picocolors', () => {
  const { createColors } = jest.requireActual<typeof colors>('picocolors');
  return createColors(true);
});

describe('readable lines in colours', () => {
  const written = (line: Record<string, unknown>) => {
    let text = '';
    readableLines({ write: (lines) => (text += lines) }).write(JSON.stringify(line));
    return text;
  };
  const time = '2026-03-31T10:20:30.456Z';

  it('end with the text where no field remains', () => {
    expect(written({ time, level: 'error', msg: 'it failed' })).toBe(
      `10:20:30.456 ${colors.red('error')} it failed\n`,
    );
  });

  it('end with the remaining fields', () => {
    expect(written({ time, level: 'info', where: 'auth', msg: 'ready', port: 1 })).toBe(
      `10:20:30.456 ${colors.green('info ')} ${colors.dim('[auth]')} ready ${colors.dim('port=1')}\n`,
    );
  });
});
