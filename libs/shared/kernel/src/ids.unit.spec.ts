import { derivedIds, idsDerivedFrom, newEventId, newId, newRequestId, randomIds } from './ids';

const command = { createdAt: new Date('2026-03-31T10:00:00.123Z'), commandId: 'v-1', attempt: 0 };

describe('ids', () => {
  it('are a prefix and 32 lower-case hex digits', () => {
    expect(newId('camp_')).toMatch(/^camp_[0-9a-f]{32}$/);
    expect(randomIds.next('v_', 'voucher')).toMatch(/^v_[0-9a-f]{32}$/);
  });

  it('sort in creation order, even within a millisecond', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('ord_'));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(10_000);
  });

  it('of requests are v- and 18 hex digits', () => expect(newRequestId()).toMatch(/^v-[0-9a-f]{18}$/));

  it('of events are UUIDs of version 7', () =>
    expect(newEventId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/));
});

describe('derived ids', () => {
  it('are the same for the same command, kind and attempt', () => {
    expect(derivedIds(command).next('v_', 'voucher')).toBe(derivedIds({ ...command }).next('v_', 'voucher'));
  });

  it('without an attempt are those of attempt 0', () => {
    const { createdAt, commandId } = command;
    expect(derivedIds({ createdAt, commandId }).next('v_', 'voucher')).toBe(
      derivedIds(command).next('v_', 'voucher'),
    );
  });

  it.each([
    ['another kind', command, 'voucher:2'],
    ['another command', { ...command, commandId: 'v-2' }, 'voucher'],
    ['another attempt', { ...command, attempt: 1 }, 'voucher'],
  ])('differ for %s', (_, seed, kind) => {
    expect(derivedIds(seed).next('v_', kind)).not.toBe(derivedIds(command).next('v_', 'voucher'));
  });

  it('have the shape of a UUIDv7 whose time is that of the command', () => {
    const hex = derivedIds(command).next('', 'voucher');
    expect(hex).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(Number.parseInt(hex.slice(0, 12), 16)).toBe(command.createdAt.getTime());
  });

  it('of what comes of one thing have its time, and come again', () => {
    const id = newId('promo_');
    const derived = idsDerivedFrom(id).next('val_', 'rule:0');
    expect(derived.slice(4, 16)).toBe(id.slice(6, 18));
    expect(idsDerivedFrom(id).next('val_', 'rule:0')).toBe(derived);
    expect(idsDerivedFrom(newId('promo_')).next('val_', 'rule:0')).not.toBe(derived);
    expect(() => idsDerivedFrom('promo_1')).toThrow('no time in id promo_1');
  });

  it('sort before ids of later commands', () => {
    const later = { ...command, createdAt: new Date('2026-03-31T10:00:00.124Z') };
    expect(derivedIds(command).next('', 'a') < derivedIds(later).next('', 'a')).toBe(true);
  });
});
