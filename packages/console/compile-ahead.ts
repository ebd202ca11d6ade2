import type { Plugin } from 'vite'

/** What every page runs. */
const RUN_AT_START = /^(?:index|layout|common)$/
const HINT = '//# allFunctionsCalledOnLoad\n'

/** Has browsers that heed the word (Chromium from 136 on) compile those files whole while they come, beside the page's other work, instead of a function at a time while the page waits. */
export function compileAhead(): Plugin {
  return {
    name: 'compile-ahead',
    apply: 'build',
    // Nothing but comments may stand before the word.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const output of Object.values(bundle)) if (output.type === 'chunk' && RUN_AT_START.test(output.name)) output.code = `${HINT}${output.code}`
      },
    },
  }
}
