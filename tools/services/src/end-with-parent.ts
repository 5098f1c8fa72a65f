// Loaded by each process before its own program: ends it when whoever started it is gone, `kill -9` included.
const patienceMs = 10_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), patienceMs).unref();
});
