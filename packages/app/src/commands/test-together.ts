import path from 'node:path'
import { after, suite, test } from 'node:test'
import { CHECKOUT } from './checkout.ts'
import { endSoon } from './test-end.ts'

/**
 * Runs test files one after the other in this process, each as a suite, so that its hooks are its own: what they
 * import is loaded and warmed up once, which is half of the work of most.
 */
export async function together(files: readonly string[]): Promise<void> {
  for (const file of files)
    await new Promise<void>((resolve) => {
      void suite(file, async () => {
        try {
          await import(path.join(CHECKOUT, file))
        } catch (error) {
          // A suite that could not begin is no test, and would count as none.
          void test(file, () => {
            throw error
          })
        }
        // Hooks run in the order in which they were named: the file's own have run by then.
        after(() => resolve())
      })
    })
  endSoon()
}
