/** Thrown when the services cannot be started; the message explains the reason. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
