import { BadRequestException, NotFoundException } from '@nestjs/common';
import { Fault } from '@scrip/kernel';
import { QueryFailedError } from 'typeorm';
import { EdgeFailure, renderFailure } from './failure';
import { failureOfError } from './failure-of-error';
import { failures } from './failures';
import { failureOfRefusal } from './refusals';

const database = (code: string) =>
  new QueryFailedError('SELECT 1', [], Object.assign(new Error('no'), { code }));
const system = (code: string) => Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' });

describe('what is thrown', () => {
  test.each<[string, unknown, number, boolean]>([
    ['a failure', new EdgeFailure(failures.forbidden('no')), 403, false],
    ['an overloaded part', new Fault('overloaded', 'x'), 503, false],
    ['a passed deadline', new Fault('deadline', 'x'), 503, false],
    ['a part that is away', new Fault('unavailable', 'x'), 503, false],
    ['a database that is away', system('ECONNREFUSED'), 503, false],
    ['a database that shuts down', database('57P01'), 503, false],
    ['a lost connection', new Error('Connection terminated unexpectedly'), 503, false],
    ['a deadlock', database('40P01'), 503, false],
    ['a broken constraint', database('23505'), 500, true],
    ['a wrong statement', database('42601'), 500, true],
    ['a wrong argument', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' }), 500, true],
    ["Nest's own refusal", new BadRequestException('x'), 400, false],
    ["Nest's unknown route", new NotFoundException('x'), 404, false],
    [
      "Fastify's own error",
      Object.assign(new Error('x'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }),
      413,
      false,
    ],
    [
      'an error with a made-up status',
      Object.assign(new Error('x'), { code: 'FST_X', statusCode: 499 }),
      500,
      true,
    ],
    ['no error at all', undefined, 500, true],
    ['a text', 'x', 500, true],
  ])('%s', (_name, error, status, defect) => {
    expect(failureOfError(error)).toMatchObject({ failure: { status }, defect });
  });

  it('never shows internals', () => {
    const { failure } = failureOfError(new Error('the password is 1234'));
    expect(renderFailure(failure, 'v-1')).toEqual({
      code: 500,
      key: 'internal_error',
      message: 'Internal Server Error',
      request_id: 'v-1',
    });
  });
});

describe('a refusal', () => {
  const tables = [{ voucher_expired: { status: 400, message: 'Voucher expired' } }];

  it('takes its status from the table, and the message unless it brings its own', () => {
    expect(failureOfRefusal({ refused: 'voucher_expired' }, tables)).toMatchObject({
      status: 400,
      message: 'Voucher expired',
    });
    expect(failureOfRefusal({ refused: 'voucher_expired', message: 'Expired in May' }, tables)).toMatchObject(
      {
        status: 400,
        message: 'Expired in May',
      },
    );
    expect(failureOfRefusal({ refused: 'not_found' })).toMatchObject({
      status: 404,
      message: 'Resource not found',
    });
  });

  it('says after how many seconds the request is worth repeating, where its row does', () => {
    expect(failureOfRefusal({ refused: 'idempotency_key_in_use' })).toMatchObject({
      status: 409,
      message: 'Idempotency key in use',
      headers: { 'Retry-After': '1' },
    });
    expect(failureOfRefusal({ refused: 'not_found' })).not.toHaveProperty('headers');
  });

  it('of a key that no table has is a defect', () => {
    expect(() => failureOfRefusal({ refused: 'unheard_of' }, tables)).toThrow(
      'refusal unheard_of has no status',
    );
    expect(() => failureOfRefusal({ refused: 'toString' }, tables)).toThrow('refusal toString has no status');
  });

  it('passes further fields on', () => {
    const refusal = {
      refused: 'resource_in_use',
      details: 'in use',
      resourceId: 'x',
      resourceType: 'y',
      related_object_ids: ['a'],
      error: { message: 'custom' },
    };
    expect(renderFailure(failureOfRefusal(refusal), 'v-1')).toEqual({
      code: 400,
      key: 'resource_in_use',
      message: 'Resource in use',
      details: 'in use',
      resource_id: 'x',
      resource_type: 'y',
      related_object_ids: ['a'],
      error: { message: 'custom' },
      request_id: 'v-1',
    });
  });
});
