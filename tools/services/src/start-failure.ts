/** The services cannot be started, for a reason that its message explains in full. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
