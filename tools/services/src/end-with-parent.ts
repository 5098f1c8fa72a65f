// Loaded by each process before its own program: ends it when its parent process is gone, also after `kill -9`.
const patienceMs = 10_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), patienceMs).unref();
});
