import { Fault } from '@scrip/kernel';
import { QueryFailedError } from 'typeorm';
import { isTransient } from './transient-error';

const pgError = (code: string): Error => Object.assign(new Error('from the server'), { code });

describe('isTransient', () => {
  it.each<[string, unknown]>([
    ['a fault', new Fault('unavailable', 'nobody there')],
    ['a deadlock', pgError('40P01')],
    ['a server going down', pgError('57P01')],
    ['too many connections', pgError('53300')],
    ['a statement timeout', pgError('57014')],
    ['a refused connection', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
    ['a lost connection', new Error('Connection terminated unexpectedly')],
    ['a deadlock inside of TypeORM', new QueryFailedError('SELECT 1', [], pgError('40P01'))],
  ])('%s passes by', (_what, error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a defect', new TypeError('undefined is not a function')],
    ['a violated constraint', new QueryFailedError('INSERT', [], pgError('23505'))],
    ['bad data', pgError('22P02')],
    ['something thrown that is no error', 'oops'],
  ])('%s stays', (_what, error) => {
    expect(isTransient(error)).toBe(false);
  });
});
