import fs from 'node:fs'
import type { RoleName } from '../roles/role.ts'
import { livingSupervisor } from './roles-file.ts'

const LOOK_MS = 1000
/** Looks without a supervisor, after which what serves nobody by itself stops. */
const ALONE_LOOKS = 60
/** Looks at a supervisor that has another process in this one's place. */
const REPLACED_LOOKS = 10

/**
 * Settles, with the reason, when a role whose supervisor has died is not needed any more: nobody takes it over, or
 * another process is in its place. One that serves visitors waits for as long as its home is there.
 */
export function abandoned(home: string, name: RoleName, servesOn: boolean): Promise<string> {
  return new Promise((resolve) => {
    process.once('disconnect', () => {
      let [alone, replaced] = [0, 0]
      setInterval(() => {
        const supervisor = livingSupervisor(home)
        alone = supervisor ? 0 : alone + 1
        replaced = supervisor && supervisor.roles[name]?.pid !== process.pid ? replaced + 1 : 0
        if (!fs.existsSync(home)) resolve('the home is gone')
        else if (alone > ALONE_LOOKS && !servesOn) resolve('no supervisor came')
        else if (replaced > REPLACED_LOOKS) resolve('another process is in its place')
      }, LOOK_MS).unref()
    })
  })
}
