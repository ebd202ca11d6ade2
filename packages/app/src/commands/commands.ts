/** Runs with the words after the command's name; answers the exit code. */
export type Command = (words: string[]) => Promise<number>

/** Every command, loaded only when it is asked for: a role must not carry what another one needs. */
export const COMMANDS: Record<string, (() => Promise<Command>) | undefined> = {
  audit: async () => (await import('./audit.ts')).audit,
  backup: async () => (await import('./backup.ts')).backup,
  backups: async () => (await import('./backups.ts')).backups,
  bench: async () => (await import('./bench.ts')).bench,
  build: async () => (await import('./build.ts')).build,
  capacity: async () => (await import('./capacity.ts')).capacity,
  check: async () => (await import('./check.ts')).check,
  doctor: async () => (await import('./doctor.ts')).doctor,
  'drivers:live': async () => (await import('./drivers-live.ts')).driversLive,
  demo: async () => (await import('./up.ts')).demo,
  help: async () => (await import('./help.ts')).help,
  'leaked-passwords': async () => (await import('./leaked-passwords.ts')).leakedPasswords,
  reload: async () => (await import('./reload.ts')).reload,
  restore: async () => (await import('./restore.ts')).restore,
  role: async () => (await import('./role.ts')).role,
  seed: async () => (await import('./seed.ts')).seed,
  service: async () => (await import('./service.ts')).service,
  sim: async () => (await import('./sim.ts')).sim,
  supervise: async () => (await import('./supervise.ts')).supervise,
  test: async () => (await import('./test.ts')).test,
  unsuspend: async () => (await import('./unsuspend.ts')).unsuspend,
  up: async () => (await import('./up.ts')).up,
  upgrade: async () => (await import('./upgrade.ts')).upgrade,
  why: async () => (await import('./why.ts')).why,
}
