import { Fault } from '@scrip/kernel';

const lostConnection =
  /connection terminated|connection error|not queryable|timeout exceeded|client was closed/i;
// Connection and operator trouble, resources, serialization, deadlock, lock and other timeouts.
const passingState = /^(08|53|57P)|^(40001|40P01|55P03|57014|25P03|25P04)$/;
const networkCode = /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)/;

const codeOf = (error: object): string => {
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : '';
};

/** Whether something that the work needs failed, rather than the event: a `Fault`, or a database that was away or busy.
 *  The same work may succeed a moment later. Such a failure never parks a key. */
export const isTransient = (error: unknown): boolean => {
  if (error instanceof Fault) return true;
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    passingState.test(code) || networkCode.test(code) || (code === '' && lostConnection.test(error.message))
  );
};
