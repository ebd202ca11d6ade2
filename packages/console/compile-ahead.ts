import type { Plugin } from 'vite'

/** What every page runs, by the names of the groups that `vite.config.ts` makes. */
const RUN_AT_START = ['index', 'layout', 'common']
const HINT = '//# allFunctionsCalledOnLoad\n'

/**
 * Has browsers that heed the word (Chromium from 136 on) compile those files whole while they come, beside the page's
 * other work, instead of a function at a time while the page waits.
 */
export function compileAhead(): Plugin {
  return {
    name: 'compile-ahead',
    apply: 'build',
    // Nothing but comments may stand before the word.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const name of RUN_AT_START) {
          const chunk = Object.values(bundle).find((output) => output.type === 'chunk' && output.name === name)
          if (chunk?.type !== 'chunk') this.error(`there is no file ${name} to be compiled ahead`)
          chunk.code = `${HINT}${chunk.code}`
        }
      },
    },
  }
}
