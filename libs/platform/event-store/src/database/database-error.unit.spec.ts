import { QueryFailedError } from 'typeorm';
import { classifyDatabaseError, isDatabaseAway } from './database-error';

const pgError = (code: string, more: object = {}) =>
  Object.assign(new Error('from pg'), { code, severity: 'ERROR', ...more });

describe('classifyDatabaseError', () => {
  it.each([
    ['23505', 'unique'],
    ['23P01', 'unique'],
    ['23503', 'constraint'],
    ['23514', 'constraint'],
    ['22021', 'data'],
    ['22P05', 'data'],
    ['22P02', 'data'],
    ['54000', 'data'],
    ['SR001', 'stale'],
    ['40001', 'transient'],
    ['40P01', 'transient'],
    ['55P03', 'transient'],
    ['53100', 'transient'],
    ['57014', 'timeout'],
    ['57P01', 'lost'],
    ['08006', 'lost'],
    ['25P03', 'lost'],
    ['42P01', 'defect'],
    ['ECONNRESET', 'lost'],
    ['EPIPE', 'lost'],
  ])('reads %s as %s', (code, kind) => expect(classifyDatabaseError(pgError(code)).kind).toBe(kind));

  it.each([
    'Connection terminated unexpectedly',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Query runner already released. Cannot run queries anymore.',
  ])('knows "%s"', (text) => expect(classifyDatabaseError(new Error(text)).kind).toBe('lost'));

  it('takes any fatal error for a lost connection', () => {
    expect(classifyDatabaseError(pgError('XX000', { severity: 'FATAL' })).kind).toBe('lost');
  });

  it('reads what TypeORM wrapped, with constraint, table and detail', () => {
    const driverError = pgError('23505', {
      constraint: 'tickets_code',
      table: 'tickets',
      detail: 'Key exists.',
    });
    expect(classifyDatabaseError(Object.assign(new Error('QueryFailed'), { driverError }))).toEqual({
      kind: 'unique',
      constraint: 'tickets_code',
      table: 'tickets',
      detail: 'Key exists.',
    });
  });

  it.each([new TypeError('undefined is not a function'), undefined, 'text'])(
    'takes %p for a defect',
    (thrown) => {
      expect(classifyDatabaseError(thrown).kind).toBe('defect');
    },
  );
});

describe('isDatabaseAway', () => {
  const wrapped = (code: string): Error => new QueryFailedError('SELECT 1', [], pgError(code));

  it.each([
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a pool that had none to give', new Error('timeout exceeded when trying to connect')],
    [
      'a transaction whose connection was lost',
      new Error('Query runner already released. Cannot run queries anymore.'),
    ],
    [
      'a server that is not there',
      Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    ],
    ['a server that shuts down', wrapped('57P01')],
    ['a statement that took too long', wrapped('57014')],
  ])('is so for %s', (_, error) => expect(isDatabaseAway(error)).toBe(true));

  it.each([
    ['a table that is not there', wrapped('42P01')],
    ['a defect of ours', new TypeError('undefined is not a function')],
    ['nothing', undefined],
  ])('is not so for %s', (_, error) => expect(isDatabaseAway(error)).toBe(false));
});
