import { Fault } from '@scrip/kernel';
import { QueryFailedError } from 'typeorm';
import { isTransient, tookTooLong } from './transient-error';

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
    ['a runner that was released', new Error('Query runner already released. Cannot run queries anymore.')],
    ['a query that pg waited for too long', new Error('Query read timeout')],
    ['a server that takes no writes after a failover', pgError('25006')],
    [
      'a plan that a migration outdated',
      Object.assign(pgError('0A000'), { routine: 'RevalidateCachedQuery' }),
    ],
    ['a deadlock inside of TypeORM', new QueryFailedError('SELECT 1', [], pgError('40P01'))],
  ])('%s passes by', (_what, error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a defect', new TypeError('undefined is not a function')],
    ['a violated constraint', new QueryFailedError('INSERT', [], pgError('23505'))],
    ['bad data', pgError('22P02')],
    ['a defect with a code of Node', Object.assign(new TypeError('no'), { code: 'ERR_INVALID_ARG_TYPE' })],
    ['something that PostgreSQL does not support', pgError('0A000')],
    ['something thrown that is no error', 'oops'],
  ])('%s stays', (_what, error) => {
    expect(isTransient(error)).toBe(false);
  });
});

describe('tookTooLong', () => {
  it.each<[string, unknown, boolean]>([
    ['a statement timeout', pgError('57014'), true],
    ['a transaction timeout inside of TypeORM', new QueryFailedError('SELECT 1', [], pgError('25P04')), true],
    ['a deadlock', pgError('40P01'), false],
    ['a defect', new TypeError('undefined is not a function'), false],
  ])('of %s', (_what, error, expected) => {
    expect(tookTooLong(error)).toBe(expected);
  });
});
