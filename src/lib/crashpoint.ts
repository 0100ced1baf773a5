/**
 * A named moment at which a crash must do no harm. Inert, unless a test has set TIERCEL_CRASHPOINT to this name: then the
 * process kills itself as SIGKILL does, with nothing flushed and nothing told.
 */
export function crashpoint(name: string): void {
  if (process.env['TIERCEL_CRASHPOINT'] === name) process.kill(process.pid, 'SIGKILL');
}
