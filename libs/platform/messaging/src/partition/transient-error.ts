import { classifyDatabaseError } from '@scrip/event-store';
import { Fault } from '@scrip/kernel';

const passingKinds: readonly string[] = ['lost', 'transient', 'timeout'];
// Every SQLSTATE has a digit; EPIPE has none.
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;
const networkCode = /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)/;
// A statement, and a transaction, that PostgreSQL ended since it took too long.
const tooLongStates: readonly string[] = ['57014', '25P04'];

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
  // Other programs have codes too, which say nothing about the database.
  if (code !== '' && !sqlState.test(code)) return networkCode.test(code);
  return passingKinds.includes(classifyDatabaseError(error).kind);
};

/** Whether PostgreSQL ended the work since it took too long: less of it may succeed where the same fails again. */
export const tookTooLong = (error: unknown): boolean =>
  error instanceof Error && tooLongStates.includes(codeOf(error));
